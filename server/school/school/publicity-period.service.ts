import { Failure, invalidInput } from '../../../contract/core/failure.ts'
import { dayEnd, dayOf, dayStart } from '../../core/base/clock.ts'
import type { PublicContext } from '../../core/request/context.ts'
import { workingDayFrom, workingDaysBetween } from './calendar.service.ts'
import { schoolSettings } from './settings.service.ts'

interface RequestedPeriod {
  from: string
  to: string
  /** Working days that were promised; the school's limits give way to it. */
  promised?: number
  /** The field of the first day, for the fault on it. */
  field: string
  /** A first day that may lie in the past, because the notice has begun on it. */
  begun?: string | null
}

/**
 * The period of a public notice: from the first day's 00:00:00, today at the earliest, to the last day's 23:59:59; as
 * many working days as were promised, and within what the school allows.
 */
export async function publicityPeriod(
  ctx: Pick<PublicContext, 'db' | 'clock'>,
  schoolId: string,
  { from, to, promised, field, begun = null }: RequestedPeriod,
): Promise<{ start: string; end: string }> {
  const [first, last] = [dayOf(from), dayOf(to)]
  if (first < dayOf(ctx.clock.now()) && !(begun !== null && first === dayOf(begun)))
    throw invalidInput([{ field, msg: '公示开始日期不能早于今天' }])
  const [{ publictyMin, publictyMax }, days] = await Promise.all([
    schoolSettings(ctx, schoolId),
    workingDaysBetween(ctx, schoolId, first, last),
  ])
  const [minDays, maxDays] = [
    Math.max(publictyMin, promised ?? publictyMin),
    Math.max(publictyMax, promised ?? publictyMax),
  ]
  if (days < minDays) throw new Failure('publicity-too-short', { n: minDays })
  if (days > maxDays) throw new Failure('publicity-too-long', { n: maxDays })
  return { start: dayStart(first), end: dayEnd(last) }
}

/**
 * The last day of a public notice that begins on a day, where nobody says when it ends: after the working days
 * promised, and those that the school asks for at least.
 */
export async function lastNoticeDay(
  ctx: Pick<PublicContext, 'db'>,
  schoolId: string,
  { from, promised = 0 }: { from: string; promised?: number },
): Promise<string> {
  const { publictyMin } = await schoolSettings(ctx, schoolId)
  return workingDayFrom(ctx, schoolId, dayOf(from), Math.max(promised, publictyMin))
}
