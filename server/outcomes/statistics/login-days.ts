import { sql } from 'kysely'
import { addDays, dayOf } from '../../core/base/clock.ts'
import type { Span } from './periods.ts'
import type { SignInColumns } from './sign-in-columns.ts'
import { dayText } from './sign-ins-asked.ts'

/** That a day lies within a span. */
export const daysIn = (column: string, { startTime, endTime }: Span) =>
  sql`${sql.ref(column)} between ${dayOf(startTime)}::date and ${dayOf(endTime)}::date`

/** The last days of a span that are not yet to come. */
export const lastDays = ({ endTime }: Span, days: number, now: string): Span => {
  const end = dayOf(endTime) < dayOf(now) ? dayOf(endTime) : dayOf(now)
  return { startTime: addDays(end, 1 - days), endTime: end }
}

/** The span asked for; an open edge ends with the first sign-in that is known, or today. */
export function spanFrom(
  { first }: SignInColumns,
  { startTime, endTime }: { startTime?: string | undefined; endTime?: string | undefined },
  now: string,
): Span {
  const end = endTime ?? now
  if (startTime) return { startTime, endTime: end }
  const known = first === null ? dayOf(end) : dayText(first)
  return { startTime: known < dayOf(end) ? known : dayOf(end), endTime: end }
}
