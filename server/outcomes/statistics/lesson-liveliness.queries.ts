import { sql } from 'kysely'
import type { Checked, Output } from '../../../contract/core/call.ts'
import type { lessonStatApi } from '../../../contract/outcomes/statistics/lesson-statistics.calls.ts'
import { together } from '../../core/base/together.ts'
import type { Context } from '../../core/request/context.ts'
import { schoolSettings } from '../../school/school/settings.service.ts'
import { cachedAnswer } from './answer-cache.ts'
import { byLiveliness, lessonWeights, type Measured } from './liveliness.ts'
import { collegeNames } from './places.ts'
import type { LessonRow } from './lesson-rows.ts'
import { groupsOfLessons, hasBegun, publishedLessons, sumOf } from './published.ts'

/** What the liveliness of courses is calculated from. @param count how much of a course counts as one */
export const measured = (rows: readonly LessonRow[], count: (row: LessonRow) => number): Measured => ({
  count: sumOf(rows, count),
  signed: sumOf(rows, ({ signed }) => signed),
  passed: sumOf(rows, ({ passed }) => passed),
  stars: sumOf(rows, (row) => row.starSum),
  starTimes: sumOf(rows, (row) => row.starTimes),
})

/** The liveliest courses by the school's weights: their sessions, people, share of those who came, and stars. */
export const liveliestLessons = (
  ctx: Context,
  input: Checked<typeof lessonStatApi.activityScore>,
): Promise<Output<typeof lessonStatApi.activityScore>> =>
  cachedAnswer(ctx, 'liveliest', { ...input, opens: ctx.actor.permits.has('lesson:list') }, async () => {
    const weights = lessonWeights(await schoolSettings(ctx, ctx.actor.schoolId))
    const [rows, colleges] = await together(publishedLessons(ctx, input), collegeNames(ctx))
    const held = rows
      .filter((row) => hasBegun(row, ctx.clock.now()))
      .map((row) => ({ id: row.id, ...measured([row], ({ sessions }) => sessions) }))
    const first = byLiveliness(held, weights, ({ id }) => id, 50)
    const named = await ctx.db
      .selectFrom('lesson')
      .select(['liId', 'liName', 'liCollegeId'])
      .where('schoolId', '=', ctx.actor.schoolId)
      .where(sql<boolean>`"liId" = any(${first.map(({ id }) => id)}::uuid[])`)
      .execute()
    const known = new Map(named.map((row) => [row.liId, row]))
    return first.map(({ id, rank, score, parts }) => {
      const { liName, liCollegeId } = known.get(id)!
      return {
        rank,
        liId: id,
        liName,
        collegeName: liCollegeId === null ? '校级部门' : (colleges.get(liCollegeId) ?? ''),
        opens: ctx.actor.permits.has('lesson:list'),
        score,
        parts,
        weights,
      }
    })
  })

/**
 * How lively the courses of each college are by the same weights, a course counting as one; for a college without
 * courses that began, nothing.
 */
export async function livelyColleges(ctx: Context, rows: readonly LessonRow[]) {
  const weights = lessonWeights(await schoolSettings(ctx, ctx.actor.schoolId))
  const held = rows.filter((row) => hasBegun(row, ctx.clock.now()))
  const colleges = [...groupsOfLessons(held, ({ liCollegeId }) => liCollegeId ?? '')]
  const scored = new Map(
    byLiveliness(
      colleges.map(([id, own]) => ({ id, ...measured(own, () => 1) })),
      weights,
      ({ id }) => id,
    ).map((row) => [row.id, row]),
  )
  return (id: string) => {
    const { score, parts } = scored.get(id) ?? { score: 0, parts: { count: 0, people: 0, sign: 0, rating: 0 } }
    return { score, parts, weights }
  }
}
