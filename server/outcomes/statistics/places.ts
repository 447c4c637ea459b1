import { sql, type RawBuilder } from 'kysely'
import { peopleKind, type PeopleKind } from '../../../contract/core/codes/outcomes.ts'
import type { Context } from '../../core/request/context.ts'
import { scopeIncludes } from '../../core/request/scope-check.ts'
import { inScope } from '../../core/request/scope-sql.ts'
import type { Place } from './people-columns.ts'

export interface PlaceFilter {
  collegeId?: string | undefined
  majorId?: string | undefined
  scClassId?: string | undefined
  grade?: string | undefined
  everybody?: boolean | undefined
  lacking?: 'college' | 'grade' | 'both' | undefined
}

/** Which columns of a place an area speaks of; the same as of the people there. */
const ofStudents = { college: 'pl.collegeId', major: 'pl.majorId', class: 'pl.classId', grade: 'pl.grade' }
const ofStaff = { college: 'pl.collegeId' }

/**
 * The condition on `pl`, a place, that the asking person may see who is there and that it fits the filter.
 */
export function atPlaces(
  { actor, scope }: Pick<Context, 'actor' | 'scope'>,
  { collegeId, majorId, scClassId, grade, everybody, lacking }: PlaceFilter,
  kind: PeopleKind = peopleKind.students,
): RawBuilder<boolean> {
  const seen = [
    ...(kind === peopleKind.staff
      ? []
      : [sql`(pl."plKind" = ${sql.lit(peopleKind.students)} and ${inScope(scope, ofStudents)})`]),
    ...(kind === peopleKind.students
      ? []
      : [sql`(pl."plKind" = ${sql.lit(peopleKind.staff)} and ${inScope(scope, ofStaff)})`]),
  ]
  const wanted = [
    sql`pl."schoolId" = ${actor.schoolId}`,
    sql`(${sql.join(seen, sql` or `)})`,
    ...(everybody ? [] : [sql`pl."enrolled"`]),
    ...(collegeId ? [sql`pl."collegeId" = ${collegeId}::uuid`] : []),
    ...(majorId ? [sql`pl."majorId" = ${majorId}::uuid`] : []),
    ...(scClassId ? [sql`pl."classId" = ${scClassId}::uuid`] : []),
    ...(grade ? [sql`pl."grade" = ${grade}`] : []),
    ...(lacking === 'college' || lacking === 'both' ? [sql`pl."collegeId" is null`] : []),
    ...(lacking === 'grade' || lacking === 'both' ? [sql`pl."grade" is null`] : []),
  ]
  return sql<boolean>`(${sql.join(wanted, sql` and `)})`
}

/** The same for places at hand. */
export const isAtPlace =
  (
    { scope }: Pick<Context, 'scope'>,
    { collegeId, majorId, scClassId, grade, everybody, lacking }: PlaceFilter,
    kind: PeopleKind = peopleKind.students,
  ) =>
  (place: Place): boolean =>
    (kind === peopleKind.all || place.plKind === kind) &&
    scopeIncludes(
      scope,
      place.plKind === peopleKind.students
        ? { college: place.collegeId, major: place.majorId, class: place.classId, grade: place.grade }
        : { college: place.collegeId },
    ) &&
    (everybody || place.enrolled) &&
    (!collegeId || place.collegeId === collegeId) &&
    (!majorId || place.majorId === majorId) &&
    (!scClassId || place.classId === scClassId) &&
    (!grade || place.grade === grade) &&
    !((lacking === 'college' || lacking === 'both') && place.collegeId !== null) &&
    !((lacking === 'grade' || lacking === 'both') && place.grade !== null)

export const personsAt = sql`"statPerson" s
  join "statPlace" pl on pl."schoolId" = s."schoolId" and pl."plId" = s."plId"`

/** The names of colleges by id; `''` stands for none. */
export async function collegeNames({ db, actor }: Pick<Context, 'db' | 'actor'>): Promise<Map<string, string>> {
  const rows = await db
    .selectFrom('college')
    .select(['scId', 'scName'])
    .where('schoolId', '=', actor.schoolId)
    .execute()
  return new Map([...rows.map(({ scId, scName }) => [scId, scName] as const), ['', '未分学院']])
}
