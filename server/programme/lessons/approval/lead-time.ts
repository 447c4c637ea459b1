import { Failure } from '../../../../contract/core/failure.ts'
import { addDays, dayOf } from '../../../core/base/clock.ts'
import type { Context } from '../../../core/request/context.ts'
import { workingDayFrom, workingDaysBetween } from '../../../school/school/calendar.service.ts'
import { schoolSettings } from '../../../school/school/settings.service.ts'

/**
 * Working days between a submission and the start of the activity: the day of the submission counts, that of the start
 * does not.
 */
export async function leadOf(ctx: Context, submitted: string, startTime: string): Promise<number> {
  return dayOf(startTime) <= dayOf(submitted)
    ? 0
    : workingDaysBetween(ctx, ctx.actor.schoolId, submitted, addDays(dayOf(startTime), -1))
}

/**
 * Refuses to submit a course that begins too soon, where the school wants that; otherwise the reviewers are told.
 * @throws Failure `lead-too-short` with the first day that would do
 */
export async function assertLeadTime(ctx: Context, startTime: string): Promise<void> {
  const { leadDays, leadRefuse } = await schoolSettings(ctx, ctx.actor.schoolId)
  const now = ctx.clock.now()
  if (!leadRefuse || (await leadOf(ctx, now, startTime)) >= leadDays) return
  throw new Failure('lead-too-short', {
    n: leadDays,
    day: addDays(await workingDayFrom(ctx, ctx.actor.schoolId, now, leadDays), 1),
  })
}
