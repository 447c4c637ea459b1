import type { Checked, Output } from '../../contract/core/call.ts'
import { invalidInput } from '../../contract/core/failure.ts'
import type { ownCalendarApi } from '../../contract/student/calendar.calls.ts'
import { addDays, dayEnd, dayStart } from '../core/base/clock.ts'
import type { Context } from '../core/request/context.ts'
import { closeFeed, openFeed, ownFeed } from '../programme/personal/calendar-feeds.service.ts'
import { isGone, ownSessions, stateOfRegistration } from '../programme/personal/calendar.queries.ts'

type Answer<K extends keyof typeof ownCalendarApi> = Output<(typeof ownCalendarApi)[K]>

/** Two months with their weeks. */
const maxDays = 62

/** What the student takes part in between two days, by its time; what they gave up or were refused is not in it. */
export async function ownCalendar(
  ctx: Context,
  { beginDate, endDate }: Checked<typeof ownCalendarApi.list>,
): Promise<Answer<'list'>> {
  if (endDate < beginDate) throw invalidInput([{ field: 'endDate', msg: '结束日期不能早于开始日期' }])
  if (endDate > addDays(beginDate, maxDays))
    throw invalidInput([{ field: 'endDate', msg: `一次最多查看 ${maxDays} 天` }])
  const rows = await ownSessions(ctx, dayStart(beginDate), dayEnd(endDate)).execute()
  return rows
    .filter(({ liStatus, laStatus }) => isGone(liStatus) || stateOfRegistration(laStatus) !== 'cancelled')
    .map(({ liId, liName, lseNo, startTime, endTime, placeText, laStatus, liStatus, clash }) => {
      const isCancelled = isGone(liStatus)
      return {
        liId,
        liName,
        lseNo,
        startTime,
        endTime,
        placeText,
        laStatus: laStatus as Answer<'list'>[number]['laStatus'],
        isCancelled,
        clash: isCancelled ? null : clash,
      }
    })
}

/** Whether there is an address of the student's calendar, and when it was last asked for. */
export const ownCalendarFeed = (ctx: Context): Promise<Answer<'feed'>> => ownFeed(ctx)

/** Makes an address of the student's calendar; an earlier one no longer works. */
export const makeOwnFeed = (ctx: Context) => openFeed(ctx, 'own', null)

/** Takes the address of the student's calendar back. */
export const revokeOwnFeed = (ctx: Context) => closeFeed(ctx, 'own')
