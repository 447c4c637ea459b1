import { sql } from 'kysely'
import type { Checked } from '../../../../contract/core/call.ts'
import { yesNo } from '../../../../contract/core/codes/platform.ts'
import { lessonStatus, lessonPersonRole } from '../../../../contract/core/codes/programme.ts'
import { Failure } from '../../../../contract/core/failure.ts'
import { fromHundredths } from '../../../../contract/core/fields.ts'
import type { personLessonApi } from '../../../../contract/programme/lessons/person-lessons.calls.ts'
import { anyOf } from '../../../core/database/any-of.ts'
import type { Context } from '../../../core/request/context.ts'
import { asPage, countOf, offsetOf, titleContains } from '../../../core/database/paging.ts'
import { from, withinSchool } from '../../../core/database/tenant.ts'
import { listOrder } from '../../../core/database/sorting.ts'
import { under } from '../../../school/people/people.service.ts'
import { visibleStudents } from '../../../school/people/students.service.ts'
import { visibleTeachers } from '../../../school/people/teachers.service.ts'
import { asLessonRow, lessonRows } from './lesson-list.queries.ts'
import { visibleLessons } from '../model/lessons.queries.ts'
import { pickFields } from '../../../core/base/pick-fields.ts'

const sortable = { startTime: 'lesson.startTime', liName: 'lesson.liName' }

/**
 * The courses a student registered for, with their registration, attendance and result, newest first; for those who may
 * see the student.
 */
export async function lessonsOfStudent(ctx: Context, input: Checked<typeof personLessonApi.ofStudent>) {
  const { suId, liName, laStatus, laResult } = input
  if (!(await visibleStudents(ctx).select('person.suId').where('person.suId', '=', suId).executeTakeFirst()))
    throw new Failure('not-found')
  let query = from(ctx, 'registration')
    .innerJoin('lesson', withinSchool('lesson.liId', 'registration.liId'))
    .where('registration.suId', '=', suId)
    .where('lesson.delFlag', '=', sql.lit(yesNo.no))
  if (liName) query = query.where(titleContains('lesson.liName', liName))
  if (laStatus) query = query.where('laStatus', '=', laStatus)
  if (laResult) query = query.where('laResult', '=', laResult)
  const [rows, total] = await Promise.all([
    query
      .select([
        'registration.liId',
        'laId',
        'laStatus',
        'waitNo',
        'applyTime',
        'refuseReason',
        'partakeMode',
        'laSignStatus',
        'signInTime',
        'laResult',
        'awardName',
        'laHours',
        'laCredit',
      ])
      .orderBy(listOrder(input, sortable, input.order ?? 'desc'))
      .orderBy('laId')
      .limit(input.pageSize)
      .offset(offsetOf(input))
      .execute(),
    countOf(query),
  ])
  const courses = await coursesOf(
    ctx,
    rows.map(({ liId }) => liId),
  )
  return asPage(
    rows.flatMap((row) =>
      courses.get(row.liId)
        ? [
            {
              ...courses.get(row.liId)!,
              ...row,
              laHours: fromHundredths(row.laHours),
              laCredit: fromHundredths(row.laCredit),
            },
          ]
        : [],
    ),
    total,
    input,
  )
}

/**
 * The courses a member of staff leads or guides, newest first, from the approval of their publication on: drafts are
 * nobody else's.
 */
export async function lessonsOfTeacher(ctx: Context, input: Checked<typeof personLessonApi.ofTeacher>) {
  const { suId, liName } = input
  const { schoolId } = ctx.actor
  if (!(await visibleTeachers(ctx).select('person.suId').where('person.suId', '=', suId).executeTakeFirst()))
    throw new Failure('not-found')
  let query = from(ctx, 'lesson')
    .where('lesson.liStatus', 'not in', [lessonStatus.draft, lessonStatus.publishInReview, lessonStatus.publishRefused])
    .where(
      sql<boolean>`"lesson"."liId" = any(
          array(
            select "liId"
            from "lesson"
            where "schoolId" = ${schoolId} and "liPrincipalId" = ${suId}::uuid
            union all
            select "liId"
            from "lessonPerson"
            where "schoolId" = ${schoolId} and "suId" = ${suId}::uuid and "lpRole" = ${sql.lit(lessonPersonRole.teacher)}
          )
        )`,
    )
  if (liName) query = query.where(titleContains('lesson.liName', liName))
  const guides = sql<boolean>`exists (
      select
      from "lessonPerson" x
      where x."schoolId" = "lesson"."schoolId"
        and x."liId" = "lesson"."liId"
        and x."suId" = ${suId}::uuid
        and x."lpRole" = ${sql.lit(lessonPersonRole.teacher)}
    )`
  const [rows, total] = await Promise.all([
    query
      .select(['liId', 'liPrincipalId', guides.as('guides')])
      .orderBy(listOrder(input, sortable, input.order ?? 'desc'))
      .orderBy('liId')
      .limit(input.pageSize)
      .offset(offsetOf(input))
      .execute(),
    countOf(query),
  ])
  const courses = await coursesOf(
    ctx,
    rows.map(({ liId }) => liId),
  )
  const rolesIn = (row: (typeof rows)[number]) => [
    ...(row.liPrincipalId === suId ? (['principal'] as const) : []),
    ...(row.guides ? (['teacher'] as const) : []),
  ]
  return asPage(
    rows.flatMap((row) => (courses.get(row.liId) ? [{ ...courses.get(row.liId)!, roles: rolesIn(row) }] : [])),
    total,
    input,
  )
}

const toldOfCourses = [
  'liId',
  'liNo',
  'liName',
  'lsName',
  'liLevelName',
  'liStatus',
  'liPhase',
  'liSponsorName',
  'startTime',
  'endTime',
  'passCount',
  'liHours',
] as const

/** The ids of those of these courses that the asking person may open; nothing where they may open none at all. */
export const openableLessons = (ctx: Context, liIds: readonly string[]) =>
  ctx.actor.permits.has('lesson:list')
    ? visibleLessons(under(ctx, 'lesson:list')).select('lesson.liId as id').where(anyOf('lesson.liId', liIds))
    : undefined

/** What is told of courses, by their ids, and which of them the asking person may open. */
export async function coursesOf(ctx: Context, liIds: string[]) {
  if (liIds.length === 0) return new Map<string, never>()
  const [rows, openable] = await Promise.all([
    lessonRows(ctx).where(anyOf('lesson.liId', liIds)).execute(),
    openableLessons(ctx, liIds)?.execute() ?? [],
  ])
  const open = new Set(openable.map(({ id }) => id))
  return new Map(
    rows
      .map(await asLessonRow(ctx))
      .map((row) => [row.liId, { ...pickFields(row, toldOfCourses), opens: open.has(row.liId) }]),
  )
}
