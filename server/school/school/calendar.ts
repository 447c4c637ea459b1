import { holidayKind } from '../../../contract/core/codes/school.ts'
import { addDays, dayOf } from '../../core/base/clock.ts'

/** The school's days: working days and terms. Pure. */

/** A day that the calendar of weeks gets wrong: `0` a holiday on a weekday, `1` a weekend day that is worked. */
export interface SpecialDay {
  hdDate: string
  hdKind: string
}

/** Whether a day is worked: a weekday that is no holiday, or a weekend day that is worked. */
function worker(special: readonly SpecialDay[]): (day: string) => boolean {
  const kinds = new Map(special.map(({ hdDate, hdKind }) => [hdDate, hdKind]))
  return (day) => {
    const kind = kinds.get(day)
    return kind === undefined ? new Date(`${day}T00:00:00Z`).getUTCDay() % 6 !== 0 : kind === holidayKind.workday
  }
}

/** Working days from one day to another, both included. */
export function workingDays(from: string, to: string, special: readonly SpecialDay[]): number {
  const isWorked = worker(special)
  let count = 0
  for (let day = dayOf(from); day <= dayOf(to); day = addDays(day, 1)) if (isWorked(day)) count++
  return count
}

/** The n-th working day, counted from a day that counts itself; with `after` it does not. */
export function nthWorkingDay(from: string, n: number, special: readonly SpecialDay[], { after = false } = {}): string {
  const isWorked = worker(special)
  let day = after ? addDays(dayOf(from), 1) : dayOf(from)
  for (let left = n; ; day = addDays(day, 1)) if (isWorked(day) && --left <= 0) return day
}

/** When the halves of a school year begin, `MM-dd`. */
interface SemesterCut {
  springStart: string
  autumnStart: string
}

export interface Term {
  tmName: string
  tmStart: string
  tmEnd: string
}

/** The half year of the cut that a day belongs to, where the school has set no term for it. */
export function termByCut(day: string, { springStart, autumnStart }: SemesterCut): Term {
  const [year, rest] = [Number(day.slice(0, 4)), day.slice(5, 10)]
  if (rest >= springStart && rest < autumnStart)
    return {
      tmName: termName(year - 1, '二'),
      tmStart: `${year}-${springStart}`,
      tmEnd: addDays(`${year}-${autumnStart}`, -1),
    }
  const first = rest >= autumnStart ? year : year - 1
  return {
    tmName: termName(first, '一'),
    tmStart: `${first}-${autumnStart}`,
    tmEnd: addDays(`${first + 1}-${springStart}`, -1),
  }
}

/** The terms of school years, from the one that a day belongs to. */
export function termsFrom(day: string, years: number, cut: SemesterCut): Term[] {
  const { tmStart, tmName } = termByCut(day, cut)
  const autumn = tmName.endsWith('第一学期') ? tmStart : termByCut(addDays(tmStart, -1), cut).tmStart
  return Array.from({ length: years * 2 }, () => 0).reduce<Term[]>(
    (terms) => [...terms, termByCut(terms.length === 0 ? autumn : addDays(terms.at(-1)!.tmEnd, 1), cut)],
    [],
  )
}

const termName = (year: number, half: string): string => `${year}-${year + 1}学年第${half}学期`
