import { sql } from 'kysely'
import { addDays, dayOf } from '../../core/base/clock.ts'
import type { Context } from '../../core/request/context.ts'
import type { Span } from './periods.ts'

/** For each year of a span the bits of its days; the first bit is 1 January. */
export function yearMasks({ startTime, endTime }: Span): { years: number[]; masks: string[] } {
  const [from, to] = [dayOf(startTime), dayOf(endTime)]
  const years = Array.from(
    { length: Math.max(0, Number(to.slice(0, 4)) - Number(from.slice(0, 4)) + 1) },
    (_, at) => Number(from.slice(0, 4)) + at,
  )
  const dayOfYear = (day: string) => Math.round((Date.parse(day) - Date.parse(`${day.slice(0, 4)}-01-01`)) / 86_400_000)
  const masks = years.map((year) => {
    const first = year === Number(from.slice(0, 4)) ? dayOfYear(from) : 0
    const last = year === Number(to.slice(0, 4)) ? dayOfYear(to) : 365
    return '0'.repeat(first) + '1'.repeat(Math.max(0, last - first + 1)) + '0'.repeat(365 - last)
  })
  return { years, masks }
}

/** That a person signed in within a span, as a condition on `s`, their totals. */
export const cameIn = (span: Span) => {
  const { years, masks } = yearMasks(span)
  return sql`exists (
      select
      from unnest(${years}::int[], ${masks}::text[]) m("year", "mask")
      join "statLoginYear" y on y."schoolId" = s."schoolId"
        and y."logYear" = m."year"
        and y."suId" = s."suId"
        and bit_count(y."days" & m."mask"::bit(366)) > 0
    )`
}

/** That a day lies within a span. */
export const daysIn = (column: string, { startTime, endTime }: Span) =>
  sql`${sql.ref(column)} between ${dayOf(startTime)}::date and ${dayOf(endTime)}::date`

/** The last days of a span that are not yet to come. */
export const lastDays = ({ endTime }: Span, days: number, now: string): Span => {
  const end = dayOf(endTime) < dayOf(now) ? dayOf(endTime) : dayOf(now)
  return { startTime: addDays(end, 1 - days), endTime: end }
}

/** The day of the first sign-in that is known. */
export const firstDay = async ({ db, actor }: Pick<Context, 'db' | 'actor'>): Promise<string | null> =>
  (
    await sql<{
      first: string | null
    }>`select min("logDay") "first" from "statLogin" where "schoolId" = ${actor.schoolId}`.execute(db)
  ).rows[0]?.first ?? null

/** The span asked for; an open edge ends with the first sign-in, or today. */
export async function spanOf(
  { db, actor, clock }: Context,
  { startTime, endTime }: { startTime?: string | undefined; endTime?: string | undefined },
): Promise<Span> {
  const end = endTime ?? clock.now()
  if (startTime) return { startTime, endTime: end }
  const first = (await firstDay({ db, actor })) ?? dayOf(end)
  return { startTime: first < dayOf(end) ? first : dayOf(end), endTime: end }
}
