import { sql, type RawBuilder } from 'kysely'
import type { Checked, Output } from '../../../contract/core/call.ts'
import type { lessonStatApi } from '../../../contract/outcomes/statistics/lesson-statistics.calls.ts'
import type { Context } from '../../core/request/context.ts'
import { schoolSettings } from '../../school/school/settings.service.ts'
import { cachedAnswer } from './answer-cache.ts'
import { byLiveliness, lessonWeights, type Measured } from './liveliness.ts'
import { collegeNames } from './places.ts'
import { begun, publishedLessons, starCount, starSum, type LessonFilter } from './published.ts'

/**
 * Sums over the courses that have begun, by what tells the groups apart.
 * @param count how much of a course counts as one
 */
const measured = (ctx: Context, input: LessonFilter, key: RawBuilder<unknown>, count: RawBuilder<unknown>) =>
  sql<Measured & { id: string }>`
    select ${key} "id", sum(${count})::int "count", sum(t."signed")::int "signed", sum(t."passed")::int "passed",
      sum(${starSum})::int "stars", sum(${starCount})::int "starTimes"
    from ${publishedLessons(ctx, input)} and ${begun(ctx.clock.now())}
    group by 1`
    .execute(ctx.db)
    .then(({ rows }) => rows)

/** The liveliest courses by the school's weights: their sessions, people, share of those who came, and stars. */
export const liveliestLessons = (
  ctx: Context,
  input: Checked<typeof lessonStatApi.activityScore>,
): Promise<Output<typeof lessonStatApi.activityScore>> =>
  cachedAnswer(ctx, 'liveliest', { ...input, opens: ctx.actor.permits.has('lesson:list') }, async () => {
    const weights = lessonWeights(await schoolSettings(ctx, ctx.actor.schoolId))
    const [rows, colleges] = await Promise.all([
      measured(ctx, input, sql`l."liId"`, sql`t."sessions"`),
      collegeNames(ctx),
    ])
    const first = byLiveliness(rows, weights, ({ id }) => id).slice(0, 50)
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
export async function livelyColleges(ctx: Context, input: LessonFilter) {
  const weights = lessonWeights(await schoolSettings(ctx, ctx.actor.schoolId))
  const scored = new Map(
    byLiveliness(
      await measured(ctx, input, sql`coalesce(l."liCollegeId"::text, '')`, sql`1`),
      weights,
      ({ id }) => id,
    ).map((row) => [row.id, row]),
  )
  return (id: string) => {
    const { score, parts } = scored.get(id) ?? { score: 0, parts: { count: 0, people: 0, sign: 0, rating: 0 } }
    return { score, parts, weights }
  }
}
