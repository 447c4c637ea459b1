import { sql } from 'kysely'
import type { Context } from '../../core/request/context.ts'
import { countOf } from '../../core/database/paging.ts'
import { withinSchool } from '../../core/database/tenant.ts'
import type { RecordSource } from '../../core/request/record-kind.ts'
import { studentLocation, visibleStudents, visibleStudentsWithPlace } from './students.service.ts'
import { visibleTeachers } from './teachers.service.ts'
import { isNamed } from '../organisation/person-columns.ts'

/** The first so many fitting people are offered. */
const offered = 20

const students = (ctx: Context) =>
  visibleStudentsWithPlace(ctx)
    .select([
      'person.suId',
      'person.suiName',
      'person.suiNumber',
      'person.suiCollegeId',
      'person.majorId',
      'person.scClassId',
      'person.suiGrade',
    ])
    .select(
      sql<string>`concat_ws(' · ', "person"."suiNumber", "college"."scName", "schoolClass"."scClassName")`.as('hint'),
    )
    .orderBy('person.suiNumber')
    .limit(offered)
type StudentColumns = { suId: string; suiName: string; hint: string } & Parameters<typeof studentLocation>[0]
const asStudent = (row: StudentColumns) => ({
  id: row.suId,
  name: row.suiName,
  hint: row.hint,
  location: studentLocation(row),
})

const student: RecordSource = {
  find: async (ctx, word) =>
    (await (word ? students(ctx).where(isNamed(word)) : students(ctx)).execute()).map(asStudent),
  one: async (ctx, id) => (await students(ctx).where('person.suId', '=', id).execute()).map(asStudent)[0],
  count: (ctx) => countOf(visibleStudents(ctx)),
}

const teachers = (ctx: Context) =>
  visibleTeachers(ctx)
    .leftJoin('college', withinSchool('college.scId', 'person.suiCollegeId'))
    .select(['person.suId', 'person.suiName', 'person.suiCollegeId'])
    .select(sql<string>`concat_ws(' · ', "person"."suiNumber", "college"."scName")`.as('hint'))
    .orderBy('person.suiNumber')
    .limit(offered)
const asTeacher = ({
  suId,
  suiName,
  hint,
  suiCollegeId,
}: {
  suId: string
  suiName: string
  hint: string
  suiCollegeId: string | null
}) => ({ id: suId, name: suiName, hint, location: { college: suiCollegeId } })

const teacher: RecordSource = {
  find: async (ctx, word) =>
    (await (word ? teachers(ctx).where(isNamed(word)) : teachers(ctx)).execute()).map(asTeacher),
  one: async (ctx, id) => (await teachers(ctx).where('person.suId', '=', id).execute()).map(asTeacher)[0],
  count: (ctx) => countOf(visibleTeachers(ctx)),
}

/** People as records that rights reach. */
export const personRecords = { student, teacher }
