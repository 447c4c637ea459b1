import { z } from 'zod'
import { call } from '../core/call.ts'
import { codesOf } from '../core/codes/code-list.ts'
import { applyStatus } from '../core/codes/programme.ts'
import { day, done, nothing } from '../core/fields.ts'
import { calendarFeed, madeFeed } from '../programme/personal/calendar-feeds.calls.ts'

/** One session of an activity that the student takes part in or wants to. */
const calendarSession = z.object({
  liId: z.string(),
  liName: z.string(),
  lseNo: z.number(),
  startTime: z.string(),
  endTime: z.string(),
  placeText: z.string(),
  laStatus: z.enum(codesOf(applyStatus)),
  /** It will not take place. */
  isCancelled: z.boolean(),
  /** The name of another activity of theirs at the same time; null where there is none. */
  clash: z.string().nullable(),
})
export type CalendarSession = z.output<typeof calendarSession>

/** A student's own activities by day, and the address at which a calendar program fetches them. */
export const ownCalendarApi = {
  list: call('GET', '/student/calendar', {
    summary: '我的活动日历',
    permit: 'student:self',
    /** At most 62 days, both within. */
    input: z.object({ beginDate: day('开始日期'), endDate: day('结束日期') }),
    output: z.array(calendarSession),
  }),
  /** Null where there is none. */
  feed: call('GET', '/student/calendarFeed', {
    summary: '我的日历订阅',
    permit: 'student:self',
    input: nothing,
    output: calendarFeed.omit({ feedId: true }).nullable(),
  }),
  /** One that there was already ends. */
  makeFeed: call('POST', '/student/makeCalendarFeed', {
    summary: '生成我的日历订阅地址',
    permit: 'student:self',
    input: z.strictObject({}),
    output: madeFeed,
  }),
  revokeFeed: call('POST', '/student/revokeCalendarFeed', {
    summary: '停用我的日历订阅地址',
    permit: 'student:self',
    input: z.strictObject({}),
    output: done,
  }),
}
