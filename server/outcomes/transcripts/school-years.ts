import { yearVerdict } from '../../../contract/core/codes/outcomes.ts'
import { fromHundredths, toHundredths } from '../../../contract/core/fields.ts'
import type { SchoolSettings } from '../../../contract/school/school/settings.ts'
import type { SchoolYear } from '../../../contract/outcomes/transcripts/transcripts.schema.ts'
import { schoolYearOf } from '../../programme/credits/limits.service.ts'

type Rules = Pick<SchoolSettings, 'autumnStart' | 'yearPassHours' | 'yearExcellentHours'>

/**
 * What each school year was worth, the latest first: excellent, passed, short, or still running where the present one
 * has not passed yet (docs/rules.md R29). Years in which nothing was done are not told. Pure.
 * @param records when they began, wall-clock, and their hours as decimal text
 */
export function schoolYears(
  records: readonly { startTime: string; hours: string }[],
  { autumnStart, yearPassHours, yearExcellentHours }: Rules,
  now: string,
): SchoolYear[] {
  const hoursOf = new Map<string, number>()
  for (const { startTime, hours } of records) {
    const { from } = schoolYearOf(startTime, autumnStart)
    hoursOf.set(from, (hoursOf.get(from) ?? 0) + (toHundredths(hours) ?? 0))
  }
  const running = schoolYearOf(now, autumnStart).from
  return [...hoursOf]
    .toSorted(([a], [b]) => (a < b ? 1 : -1))
    .map(([from, hours]) => ({
      yearName: `${from.slice(0, 4)}—${Number(from.slice(0, 4)) + 1} 学年`,
      hours: fromHundredths(hours),
      gap: fromHundredths(Math.max(0, yearPassHours - hours)),
      verdict:
        hours >= yearExcellentHours
          ? yearVerdict.excellent
          : hours >= yearPassHours
            ? yearVerdict.passed
            : from === running
              ? yearVerdict.running
              : yearVerdict.failed,
    }))
}
