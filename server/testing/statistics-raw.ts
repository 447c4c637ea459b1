import { sql, type Selectable } from 'kysely'
import type { Db, Tables } from '../core/database/pool.ts'

/** The tables that statistics speak of. */
const names = [
  'person',
  'college',
  'schoolClass',
  'term',
  'lesson',
  'lessonLevel',
  'lessonPerson',
  'lessonSession',
  'registration',
  'supplement',
  'creditLedger',
  'approval',
  'approvalTask',
  'loginDay',
  'curriculum',
  'evaluation',
  'qualityLabel',
  'circle',
  'circleClass',
  'circleTeacher',
  'circleMember',
  'circleApply',
  'circleReview',
] as const satisfies readonly (keyof Tables)[]

/** The raw rows of a school, as they are now. */
export type RawSchool = { [T in (typeof names)[number]]: Selectable<Tables[T]>[] }
export type Person = RawSchool['person'][number]
export type Course = RawSchool['lesson'][number]
export type Circle = RawSchool['circle'][number]

export async function readRaw(db: Db, schoolId: string): Promise<RawSchool> {
  const all = await Promise.all(
    names.map((table) =>
      sql`select * from ${sql.table(table)} where "schoolId" = ${schoolId}`.execute(db).then(({ rows }) => rows),
    ),
  )
  return Object.fromEntries(names.map((table, at) => [table, all[at]])) as unknown as RawSchool
}
