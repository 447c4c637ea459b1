import { yesNo } from '../../../contract/core/codes/platform.ts'
import { personType } from '../../../contract/core/codes/school.ts'
import type { Context } from '../../core/request/context.ts'
import { inScope } from '../../core/request/scope-sql.ts'

/** Which columns of a member of staff an area speaks of. */
export const teacherScopeColumns = { college: 'person.suiCollegeId' }

/** The teachers and other staff that exist for whoever asks. */
export const visibleTeachers = ({ db, actor, scope }: Pick<Context, 'db' | 'actor' | 'scope'>) =>
  db
    .selectFrom('person')
    .where('person.schoolId', '=', actor.schoolId)
    .where('person.suiType', 'in', [personType.teacher, personType.staff])
    .where('person.delFlag', '=', yesNo.no)
    .where(inScope(scope, teacherScopeColumns))
