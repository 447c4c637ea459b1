import { roundedTo } from '../../../contract/outcomes/province/province.calls.ts'
import type { Sums } from './screen.ts'

/** What one of an amount is, by the first word of its key: hours, credit and scores in hundredths, time in hours. */
const unitOf: Readonly<Record<string, number>> = {
  hours: 100,
  credit: 100,
  score: 100,
  scores: 100,
  label: 100,
  seconds: 3600,
}

/**
 * What a school is told by outside of it: how many people and times there are and what they have together, each to the
 * nearest multiple of {@link roundedTo}. Means, shares and totals are calculated from these, so that nothing that can
 * be added or subtracted afterwards is as exact as one person. Pure.
 * @param exact figures that count nobody, such as courses
 */
export const rounded = (sums: Sums, exact: readonly string[] = []): Sums =>
  Object.fromEntries(
    Object.entries(sums).map(([key, value]) => {
      const step = roundedTo * (unitOf[key.split(' ')[0]!] ?? 1)
      // `|| 0`: nothing has no sign
      return [key, exact.includes(key) ? value : Math.round(value / step) * step || 0]
    }),
  )
