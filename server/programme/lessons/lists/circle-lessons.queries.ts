import { sql } from 'kysely'
import type { Checked } from '../../../../contract/core/call.ts'
import { lessonStatus } from '../../../../contract/core/codes/programme.ts'
import type { circleLessonApi } from '../../../../contract/programme/lessons/circle-lessons.calls.ts'
import { readCircle } from '../../circles/circles.service.ts'
import type { Context } from '../../../core/request/context.ts'
import { asPage, countOf, offsetOf, titleContains } from '../../../core/database/paging.ts'
import { from } from '../../../core/database/tenant.ts'
import { listOrder } from '../../../core/database/sorting.ts'
import { coursesOf } from './person-lessons.queries.ts'

/**
 * The courses a circle holds or held, newest first, from the approval of their publication on: drafts are nobody
 * else's.
 */
export async function lessonsOfCircle(ctx: Context, input: Checked<typeof circleLessonApi.ofCircle>) {
  await readCircle(ctx, input.ciId)
  let query = from(ctx, 'lesson')
    .where('lesson.liCircleId', '=', input.ciId)
    .where(
      sql<boolean>`"lesson"."liStatus" not in (
          ${sql.lit(lessonStatus.draft)}, ${sql.lit(lessonStatus.publishInReview)},
          ${sql.lit(lessonStatus.publishRefused)}
        )`,
    )
  if (input.liName) query = query.where(titleContains('lesson.liName', input.liName))
  const [rows, total] = await Promise.all([
    query
      .select('lesson.liId')
      .orderBy(listOrder(input, { startTime: 'lesson.startTime', liName: 'lesson.liName' }, input.order ?? 'desc'))
      .orderBy('lesson.liId')
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
    rows.flatMap(({ liId }) => courses.get(liId) ?? []),
    total,
    input,
  )
}
