import { sql } from 'kysely'
import { personType } from '../../../contract/core/codes/school.ts'
import type { Context } from '../../core/request/context.ts'
import { from, withinSchool } from '../../core/database/tenant.ts'
import { inScope } from '../../core/request/scope-sql.ts'

/** Which columns of a student an area speaks of. */
export const studentScopeColumns = {
  college: 'person.suiCollegeId',
  major: 'person.majorId',
  class: 'person.scClassId',
  grade: 'person.suiGrade',
  person: 'person.suId',
}

/** Where a student stands in the school. */
export const studentLocation = (row: {
  suiCollegeId: string | null
  majorId: string | null
  scClassId: string | null
  suiGrade: string | null
}) => ({
  college: row.suiCollegeId,
  major: row.majorId,
  class: row.scClassId,
  grade: row.suiGrade,
})

/**
 * The students that exist for the person who asks under the call's right; every query of students by another domain
 * starts here.
 */
export const visibleStudents = ({ db, actor, scope }: Pick<Context, 'db' | 'actor' | 'scope'>) =>
  from({ db, actor }, 'person')
    .where('person.suiType', '=', sql.lit(personType.student))
    .where(inScope(scope, studentScopeColumns))

/** The same with the names of college, major and class beside each student. */
export const visibleStudentsWithPlace = (ctx: Pick<Context, 'db' | 'actor' | 'scope'>) =>
  visibleStudents(ctx)
    .leftJoin('college', withinSchool('college.scId', 'person.suiCollegeId'))
    .leftJoin('major', withinSchool('major.smId', 'person.majorId'))
    .leftJoin('schoolClass', withinSchool('schoolClass.scClassId', 'person.scClassId'))
