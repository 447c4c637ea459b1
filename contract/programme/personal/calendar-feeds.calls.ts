import { z } from 'zod'
import { call } from '../../core/call.ts'
import { done, id, nothing, option } from '../../core/fields.ts'

/** An address at which a calendar program fetches activities; the address itself is told once. */
export const calendarFeed = z.object({
  feedId: z.string(),
  createTime: z.string(),
  /** When a calendar program last asked, to the hour; null where none has. */
  lastTime: z.string().nullable(),
})
/** What making one answers: a path alone where the service does not know the address it is reached at. */
export const madeFeed = z.object({ address: z.string() })

/** Addresses of the courses that somebody on the staff may see. They answer by that person's rights of the moment. */
export const calendarFeedApi = {
  list: call('GET', '/lessonsInfo/calendarFeeds', {
    summary: '日历订阅列表',
    permit: 'lesson:list',
    input: nothing,
    output: z.object({
      /** `scName` is empty for a feed of everything the person may see. */
      feeds: z.array(calendarFeed.extend({ scId: z.string().nullable(), scName: z.string() })),
      colleges: z.array(option),
    }),
  }),
  /** Makes the address of a college, or of all; one that there was already ends. */
  make: call('POST', '/lessonsInfo/makeCalendarFeed', {
    summary: '生成日历订阅地址',
    permit: 'lesson:list',
    input: z.strictObject({ scId: id('学院').optional() }),
    output: madeFeed,
  }),
  revoke: call('POST', '/lessonsInfo/revokeCalendarFeed', {
    summary: '停用日历订阅地址',
    permit: 'lesson:list',
    input: z.strictObject({ feedId: id('订阅') }),
    output: done,
  }),
}
