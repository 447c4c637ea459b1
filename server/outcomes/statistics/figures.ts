import { sql } from 'kysely'
import { changeRate, round } from '../../../contract/outcomes/statistics/change.ts'
import type { Card } from '../../../contract/outcomes/statistics/statistics.schema.ts'
import type { Context } from '../../core/request/context.ts'
import { addDays, dayOf } from '../../core/base/clock.ts'
import { termByCut } from '../../school/school/calendar.ts'
import { schoolSettings } from '../../school/school/settings.service.ts'
import { comparedSpans, type Compared } from './periods.ts'

/** A mean or a share; null where there is nothing to divide by. */
export const ratio = (sum: number, by: number, factor = 1): number | null =>
  by === 0 ? null : round((sum * factor) / by)
export const percent = (part: number, whole: number): number | null => ratio(part, whole, 100)
/** Hundredths as the number that charts draw. */
export const units = (hundredths: number): number => round(hundredths / 100)

/** What a card is, and how its value is found from the figures of a span. */
export interface CardKind<F> {
  key: string
  name: string
  unit: string
  definition: string
  value: (figures: F) => number | null
  /** A figure of today that no period changes: nothing to compare it with. */
  standing?: boolean
}

/**
 * The figures of a span as cards, beside those of the span before and of the year before.
 * @param soFar what is compared with these, where the span holds things that lie ahead
 */
export const cardsOf = <F>(
  kinds: readonly CardKind<F>[],
  now: F,
  before: F | null,
  lastYear: F | null,
  soFar: F = now,
): Card[] =>
  kinds.map(({ key, name, unit, definition, value, standing }) => {
    const of = (figures: F | null) => (figures === null || standing ? null : value(figures))
    const [passed, prev, last] = [value(soFar), of(before), of(lastYear)]
    return {
      key,
      name,
      unit,
      definition,
      value: value(now),
      prev,
      changeRate: changeRate(passed, prev),
      lastYear: last,
      lastYearRate: changeRate(passed, last),
    }
  })

/** The figures of cards under their keys. */
export const flatOf = <K extends string>(keys: readonly K[], cards: readonly Card[]): Record<K, number | null> =>
  Object.fromEntries(keys.map((key) => [key, cards.find((card) => card.key === key)!.value])) as Record<
    K,
    number | null
  >

/** The spans a period is compared with; none for one with an open edge or one that has not begun. */
export async function comparisons(
  ctx: Context,
  { startTime, endTime }: { startTime?: string | undefined; endTime?: string | undefined },
): Promise<{ previous: Compared | null; lastYear: Compared | null }> {
  if (!startTime || !endTime) return { previous: null, lastYear: null }
  const own = await ctx.db
    .selectFrom('term')
    .select(['tmStart', 'tmEnd'])
    .where('schoolId', '=', ctx.actor.schoolId)
    .orderBy('tmStart')
    .execute()
  const cut = await schoolSettings(ctx, ctx.actor.schoolId)
  const inCut = [startTime, addDays(dayOf(startTime), -1), addDays(dayOf(startTime), -365)]
    .map((day) => termByCut(dayOf(day), cut))
    .filter((term) => !own.some(({ tmStart, tmEnd }) => tmStart <= term.tmEnd && term.tmStart <= tmEnd))
  const terms = [...own, ...inCut]
  return comparedSpans({ startTime, endTime }, terms, ctx.clock.now()) ?? { previous: null, lastYear: null }
}

/** The edges of a period as parameters of a condition on a moment. */
export const during = (
  column: string,
  { startTime, endTime }: { startTime?: string | undefined; endTime?: string | undefined },
) => {
  const parts = [
    ...(startTime ? [sql`${sql.ref(column)} >= ${startTime}::timestamptz`] : []),
    ...(endTime ? [sql`${sql.ref(column)} <= ${endTime}::timestamptz`] : []),
  ]
  return parts.length === 0 ? sql<boolean>`true` : sql<boolean>`(${sql.join(parts, sql` and `)})`
}
