import { addDays, dayEnd, dayOf, dayStart } from '../../core/base/clock.ts'

/** A stretch of time, both edges counting, as wall-clock text. */
export interface Span {
  startTime: string
  endTime: string
}
/** A period that another one is compared with. */
export interface Compared extends Span {
  /** Not all of it: as many days from its beginning as have passed of the period asked for, which is still running. */
  part: boolean
}
interface TermDays {
  tmStart: string
  tmEnd: string
}

const spanOf = (from: string, to: string): Span => ({ startTime: dayStart(from), endTime: dayEnd(to) })
const daysBetween = (from: string, to: string): number =>
  Math.round((Date.parse(dayOf(to)) - Date.parse(dayOf(from))) / 86_400_000)
const lastOfMonth = (day: string): string => addDays(`${nextMonth(day)}-01`, -1)
const nextMonth = (day: string): string =>
  Number(day.slice(5, 7)) === 12
    ? `${Number(day.slice(0, 4)) + 1}-01`
    : `${day.slice(0, 5)}${String(Number(day.slice(5, 7)) + 1).padStart(2, '0')}`
const sameDayBefore = (day: string, years: number): string =>
  `${Number(day.slice(0, 4)) - years}${day.slice(4).replace('-02-29', '-02-28')}`

/** The week from Monday to Sunday, or the month, in which a day lies. */
export function spanAround(kind: 'week' | 'month', day: string): Span {
  if (kind === 'month') return spanOf(`${day.slice(0, 7)}-01`, lastOfMonth(day))
  const monday = addDays(day, -((new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7))
  return spanOf(monday, addDays(monday, 6))
}

/**
 * The period before and the same one of the year before, for one that is over or has begun; of one that is still
 * running only as many days of each as have passed of it, today counting.
 */
export function comparedSpans(
  span: Span,
  terms: readonly TermDays[],
  today: string,
): { previous: Compared; lastYear: Compared } | null {
  const passed = daysBetween(span.startTime, today)
  if (passed < 0) return null
  const isRunning = dayOf(span.endTime) > dayOf(today)
  const of = ({ startTime, endTime }: Span): Compared => {
    const cut = dayEnd(addDays(dayOf(startTime), passed))
    return { startTime, endTime: isRunning && cut < endTime ? cut : endTime, part: isRunning }
  }
  return { previous: of(previousSpan(span, terms)), lastYear: of(lastYearSpan(span, terms)) }
}

/** The period before (环比): the term before a term, the month before a month, else as many days just before. */
export function previousSpan({ startTime, endTime }: Span, terms: readonly TermDays[]): Span {
  const [from, to] = [dayOf(startTime), dayOf(endTime)]
  if (isTerm(from, to, terms)) {
    const before = terms.filter(({ tmEnd }) => tmEnd < from).toSorted((a, b) => (a.tmEnd < b.tmEnd ? 1 : -1))[0]
    if (before) return spanOf(before.tmStart, before.tmEnd)
  }
  const day = addDays(from, -1)
  if (from.endsWith('-01') && to === lastOfMonth(from)) return spanOf(`${day.slice(0, 7)}-01`, day)
  return spanOf(addDays(from, -1 - daysBetween(from, to)), day)
}

/** The same period of the year before (同比): of a term that which began about a year before it. */
export function lastYearSpan({ startTime, endTime }: Span, terms: readonly TermDays[]): Span {
  const [from, to] = [dayOf(startTime), dayOf(endTime)]
  const start = sameDayBefore(from, 1)
  const term = isTerm(from, to, terms)
    ? terms.find(({ tmStart }) => Math.abs(daysBetween(tmStart, start)) <= 60)
    : undefined
  if (term) return spanOf(term.tmStart, term.tmEnd)
  return spanOf(
    start,
    from.endsWith('-01') && to === lastOfMonth(to) ? lastOfMonth(sameDayBefore(to, 1)) : sameDayBefore(to, 1),
  )
}

const isTerm = (from: string, to: string, terms: readonly TermDays[]): boolean =>
  terms.some(({ tmStart, tmEnd }) => tmStart === from && tmEnd === to)

/** Days a trend shows one by one; longer ones are shown by month. */
const daysShown = 92
export const isByDay = ({ startTime, endTime }: Span): boolean => daysBetween(startTime, endTime) < daysShown

/**
 * The days or months of a span in their order, so that a trend has no gaps; none where it ends before it begins, as of
 * a period that lies ahead when it is cut off now.
 */
export function stepsOf(span: Span, byDay = isByDay(span)): string[] {
  const [from, to] = [dayOf(span.startTime), dayOf(span.endTime)]
  const steps: string[] = []
  if (to < from) return steps
  if (byDay) for (let day = from; day <= to; day = addDays(day, 1)) steps.push(day)
  else for (let month = from.slice(0, 7); month <= to.slice(0, 7); month = nextMonth(`${month}-01`)) steps.push(month)
  return steps
}
