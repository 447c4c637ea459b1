import { applyStatus } from '../../../../contract/core/codes/programme.ts'
import { Failure } from '../../../../contract/core/failure.ts'
import type { SchoolSettings } from '../../../../contract/school/school/settings.ts'
import { addDays } from '../../../core/base/clock.ts'
import { presentStatuses } from '../model/registration-counts.ts'

interface Facts {
  endTime: string
  laStatus: string | null
  laSignStatus: string | null
}

/** Until when a course can be rated by those who were there, and their stars changed. */
export const starsUntil = ({ endTime }: Pick<Facts, 'endTime'>, { starDays }: Pick<SchoolSettings, 'starDays'>) =>
  addDays(endTime, starDays)

/** Why a participant cannot give a course stars now, or change them; undefined when they can. Pure. */
export function starsFault(facts: Facts, now: string, rules: Pick<SchoolSettings, 'starDays'>): Failure | undefined {
  const { endTime, laStatus, laSignStatus } = facts
  if (rules.starDays === 0) return new Failure('stars-off')
  if (laStatus !== applyStatus.accepted || laSignStatus === null || !presentStatuses.includes(laSignStatus))
    return new Failure('stars-absent')
  if (now < endTime) return new Failure('stars-early', { time: endTime.slice(0, 16) })
  const until = starsUntil(facts, rules)
  return now > until ? new Failure('stars-late', { time: until.slice(0, 16) }) : undefined
}
