import { sql } from 'kysely'
import type { Checked, Output } from '../../../../contract/core/call.ts'
import { yesNo } from '../../../../contract/core/codes/platform.ts'
import { signStatus } from '../../../../contract/core/codes/programme.ts'
import type { noShowApi } from '../../../../contract/programme/lessons/no-shows.calls.ts'
import { anyOf } from '../../../core/database/any-of.ts'
import type { Context } from '../../../core/request/context.ts'
import { from, withinSchool } from '../../../core/database/tenant.ts'
import { asPage, countOf, offsetOf } from '../../../core/database/paging.ts'
import { lossesOfStudent } from '../../../school/people/credibility-losses.service.ts'
import { courseNames } from './course-names.service.ts'
import { lessonRows } from './lesson-list.queries.ts'

/**
 * The courses that a student was absent from, or that took points from them, newest first; for those who may see the
 * student.
 */
export async function noShows(
  ctx: Context,
  input: Checked<typeof noShowApi.list>,
): Promise<Output<typeof noShowApi.list>> {
  const { losses, mayRestore } = await lossesOfStudent(ctx, input.suId)
  const query = from(ctx, 'registration')
    .innerJoin('lesson', withinSchool('lesson.liId', 'registration.liId'))
    .where('registration.suId', '=', input.suId)
    .where('lesson.delFlag', '=', sql.lit(yesNo.no))
    .where((or) => or.or([or('laSignStatus', '=', signStatus.absent), anyOf('registration.liId', [...losses.keys()])]))
  const [rows, total] = await Promise.all([
    query
      .select(['registration.liId', 'laStatus', 'laSignStatus', sql<string>`"lesson"."startTime"`.as('startTime')])
      .orderBy('lesson.startTime', 'desc')
      .orderBy('laId')
      .limit(input.pageSize)
      .offset(offsetOf(input))
      .execute(),
    countOf(query),
  ])
  const liIds = rows.map(({ liId }) => liId)
  const [courses, known] = await Promise.all([
    liIds.length === 0 ? [] : lessonRows(ctx).where(anyOf('lesson.liId', liIds)).execute(),
    courseNames(ctx, liIds),
  ])
  const byId = new Map(courses.map((course) => [course.liId, course]))
  const records = rows.flatMap(({ liId, laStatus, laSignStatus, startTime }) => {
    const course = byId.get(liId)
    const loss = losses.get(liId)
    if (!course) return []
    return {
      liId,
      liName: course.liName,
      lsName: course.lsName,
      liLevel: course.liLevel,
      liLevelName: course.liLevelName,
      liStatus: course.liStatus,
      startTime,
      laStatus,
      laSignStatus,
      credibilityChange: loss?.change ?? null,
      restored: loss !== undefined && loss.open.length === 0,
      reason: loss?.reason ?? '',
      cgIds: loss?.open ?? [],
      opens: known.get(liId)?.opens ?? false,
      can: loss && loss.open.length > 0 && mayRestore ? ['restore' as const] : [],
    }
  })
  return asPage(records, total, input)
}
