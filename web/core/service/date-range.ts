import dayjs, { type Dayjs } from 'dayjs'
import { presentTerm } from './term.ts'

/** Two days, `yyyy-MM-dd`; either may still be missing while the person chooses. */
export type DayRange = readonly [string | undefined, string | undefined]

/**
 * What a range sends: both edges as wall-clock text, from 00:00:00 to 23:59:59, or nothing unless both days are there.
 */
export function rangeEdges([start, end]: DayRange): [string, string] | undefined {
  return start && end ? [`${start.slice(0, 10)} 00:00:00`, `${end.slice(0, 10)} 23:59:59`] : undefined
}

/** The same in the form that the calls of circles use; the Z says nothing there (docs/rules.md R54). */
export const isoEdges = (range: DayRange): [string, string] | undefined => {
  const edges = rangeEdges(range)
  return edges && (edges.map((edge) => `${edge.replace(' ', 'T')}.000Z`) as [string, string])
}

/** The usual stretches of time, offered beside every range. A term is the school's own. */
export function rangeShortcuts(today: Dayjs = dayjs()): { label: string; value: [Dayjs, Dayjs] }[] {
  const term = presentTerm()
  const monday = today.subtract((today.day() + 6) % 7, 'day')
  return [
    { label: '今天', value: [today, today] },
    { label: '本周', value: [monday, monday.add(6, 'day')] },
    { label: '本月', value: [today.startOf('month'), today.endOf('month')] },
    { label: '上月', value: [today.subtract(1, 'month').startOf('month'), today.subtract(1, 'month').endOf('month')] },
    { label: '近 30 天', value: [today.subtract(29, 'day'), today] },
    ...(term
      ? [
          { label: '本学期', value: [dayjs(term.tmStart), dayjs(term.tmEnd)] as [Dayjs, Dayjs] },
          ...schoolYears(dayjs(term.tmStart), dayjs(term.tmEnd)),
        ]
      : []),
    { label: '本年', value: [today.startOf('year'), today.endOf('year')] },
  ]
}

/**
 * The school year of a term and the one before it. The first term of a year begins after the summer, the second ends
 * with it.
 */
function schoolYears(start: Dayjs, end: Dayjs): { label: string; value: [Dayjs, Dayjs] }[] {
  const first = start.month() >= 6 ? start : end.add(1, 'day').subtract(1, 'year')
  return [
    { label: '本学年', value: [first, first.add(1, 'year').subtract(1, 'day')] },
    { label: '上学年', value: [first.subtract(1, 'year'), first.subtract(1, 'day')] },
  ]
}

export const dayFormat = 'YYYY-MM-DD'
export const minuteFormat = 'YYYY-MM-DD HH:mm'
export const secondFormat = 'YYYY-MM-DD HH:mm:ss'

/** Wall-clock text as the date pickers want it; text that is no date gives null. */
export function toPicker(text: string | undefined | null): Dayjs | null {
  if (!text) return null
  const parsed = dayjs(text.replace(' ', 'T').replace(/\.000Z$/, ''))
  return parsed.isValid() ? parsed : null
}
