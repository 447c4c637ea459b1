import type { Permit } from '../../../contract/core/call.ts'
import { personType } from '../../../contract/core/codes/school.ts'
import type { Context } from '../../core/request/context.ts'
import { from } from '../../core/database/tenant.ts'
import { inScope } from '../../core/request/scope-sql.ts'
import { studentScopeColumns } from './students.service.ts'
import { teacherScopeColumns } from './teachers.service.ts'

/** Everybody, student or staff, whom the asking person may see under a call's right. */
export const visiblePeople = ({ db, actor, scope }: Pick<Context, 'db' | 'actor' | 'scope'>) =>
  from({ db, actor }, 'person').where((where) =>
    where.or([
      where.and([where('person.suiType', '=', personType.student), inScope(scope, studentScopeColumns)]),
      where.and([where('person.suiType', '<>', personType.student), inScope(scope, teacherScopeColumns)]),
    ]),
  )

/** The context as it would be under another right: what that right covers, and nothing where it is not held. */
export const under = <C extends Pick<Context, 'actor' | 'scope'>>(ctx: C, permit: Permit): C => ({
  ...ctx,
  scope: ctx.actor.scopeFor(permit),
})
