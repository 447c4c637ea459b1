import { personType } from '../../../contract/core/codes/school.ts'
import type { Context } from '../../core/request/context.ts'
import { from } from '../../core/database/tenant.ts'
import { inScope } from '../../core/request/scope-sql.ts'

/** Which columns of a member of staff an area speaks of. */
export const teacherScopeColumns = { college: 'person.suiCollegeId' }

/** The teachers and other staff that exist for whoever asks. */
export const visibleTeachers = ({ db, actor, scope }: Pick<Context, 'db' | 'actor' | 'scope'>) =>
  from({ db, actor }, 'person')
    .where('person.suiType', 'in', [personType.teacher, personType.staff])
    .where(inScope(scope, teacherScopeColumns))
