import { addDays } from '../core/clock.ts'

/** A day that the calendar of weeks gets wrong: `0` a holiday on a weekday, `1` a weekend day that is worked. */
export interface SpecialDay {
  hdDate: string
  hdKind: string
}

/** Working days from one day to another, both included: weekdays that are no holiday, and weekend days that are worked. */
export function workingDays(from: string, to: string, special: readonly SpecialDay[]): number {
  const kinds = new Map(special.map(({ hdDate, hdKind }) => [hdDate, hdKind]))
  let count = 0
  for (let day = from.slice(0, 10); day <= to.slice(0, 10); day = addDays(day, 1)) {
    const kind = kinds.get(day)
    const weekday = new Date(`${day}T00:00:00Z`).getUTCDay() % 6 !== 0
    if (kind === undefined ? weekday : kind === '1') count++
  }
  return count
}
