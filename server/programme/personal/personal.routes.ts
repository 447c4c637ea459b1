import { calendarFeedApi } from '../../../contract/programme/personal/calendar-feeds.calls.ts'
import { personalApi } from '../../../contract/programme/personal/personal.calls.ts'
import { routes } from '../../core/request/routes.ts'
import { closeFeed, listFeeds, makeFeed } from './calendar-feeds.service.ts'
import { myData } from './personal.service.ts'

export const personalRoutes = [
  ...routes(personalApi, { myData }),
  ...routes(calendarFeedApi, {
    list: listFeeds,
    make: makeFeed,
    revoke: (ctx, { feedId }) => closeFeed(ctx, 'courses', feedId),
  }),
]
