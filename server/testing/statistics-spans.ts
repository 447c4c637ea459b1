import type { RawSchool } from './statistics-raw.ts'

/** Periods as the oracle calculates them, day by day. */
export interface Span {
  startTime: string
  endTime: string
}

const noon = (day: string): Date => new Date(`${day.slice(0, 10)}T12:00:00Z`)
const asDay = (date: Date): string => date.toISOString().slice(0, 10)
/** The day so many days later. */
export const later = (day: string, days: number): string => asDay(new Date(noon(day).getTime() + days * 86_400_000))
/** Days from one to another, both counting; none where the first is later. */
export function daysOf(from: string, to: string): string[] {
  const days: string[] = []
  for (let day = from.slice(0, 10); day <= to.slice(0, 10); day = later(day, 1)) days.push(day)
  return days
}
export const monthsOf = (from: string, to: string): string[] => [
  ...new Set(daysOf(from, to).map((day) => day.slice(0, 7))),
]
const whole = (from: string, to: string): Span => ({ startTime: `${from} 00:00:00`, endTime: `${to} 23:59:59` })

/** What a trend tells one by one: days up to 92 of them, else months. */
export const stepsOf = (from: string, to: string, until: string): string[] =>
  isByDay(from, to) ? daysOf(from, until) : monthsOf(from, until)
export const isByDay = (from: string, to: string): boolean => daysOf(from, to).length <= 92

const isWholeMonth = (from: string, to: string): boolean =>
  from.endsWith('-01') && from.slice(0, 7) === to.slice(0, 7) && later(to, 1).endsWith('-01')
const yearBefore = (day: string): string => {
  const same = `${Number(day.slice(0, 4)) - 1}${day.slice(4)}`
  // the 29th of February was the 28th
  return asDay(noon(same)) === same ? same : `${same.slice(0, 8)}28`
}

/** The half years that schools have unless they set others (docs/rules.md R31): the one before. */
const halfBefore = (from: string): Span => {
  const year = Number(from.slice(0, 4))
  return from.slice(5) === '02-15'
    ? whole(`${year - 1}-08-16`, `${year}-02-14`)
    : whole(`${year}-02-15`, `${year}-08-15`)
}

/**
 * The period before (环比) and the same one of the year before (同比) of a period with both edges: the term before a term,
 * the month before a month, else as many days just before.
 */
export function spansBefore(
  period: Partial<Span>,
  terms: RawSchool['term'],
): { previous: Span; lastYear: Span; isTerm: boolean } | null {
  if (!period.startTime || !period.endTime) return null
  const [from, to] = [period.startTime.slice(0, 10), period.endTime.slice(0, 10)]
  const isTerm = terms.some(({ tmStart, tmEnd }) => tmStart === from && tmEnd === to)
  const lastYear = whole(
    yearBefore(from),
    from.endsWith('-01') && later(to, 1).endsWith('-01') ? later(yearBefore(later(to, 1)), -1) : yearBefore(to),
  )
  if (isTerm) return { previous: halfBefore(from), lastYear, isTerm }
  return {
    previous: isWholeMonth(from, to)
      ? whole(`${later(from, -1).slice(0, 7)}-01`, later(from, -1))
      : whole(later(from, -daysOf(from, to).length), later(from, -1)),
    lastYear,
    isTerm,
  }
}

/**
 * A period that another one is compared with; `part`: no more of it than as many days as have passed of the other,
 * which still runs.
 */
export interface Compared extends Span {
  part: boolean
}

/**
 * What a period is compared with today: those before, of one that still runs as many days as have passed of it, today
 * counting; nothing where it has not begun or has an open edge.
 */
export function comparedWith(
  period: Partial<Span>,
  terms: RawSchool['term'],
  now: string,
): { previous: Compared; lastYear: Compared } | null {
  const known = spansBefore(period, terms)
  const [from, to, today] = [period.startTime?.slice(0, 10) ?? '', period.endTime?.slice(0, 10) ?? '', now.slice(0, 10)]
  if (!known || from > today) return null
  const cut = ({ startTime, endTime }: Span): Compared => {
    const last = `${later(startTime, daysOf(from, today).length - 1)} 23:59:59`
    return { startTime, endTime: to > today && last < endTime ? last : endTime, part: to > today }
  }
  return { previous: cut(known.previous), lastYear: cut(known.lastYear) }
}

export const within = (moment: string, { startTime, endTime }: Partial<Span>): boolean =>
  (!startTime || moment >= startTime) && (!endTime || moment <= endTime)
