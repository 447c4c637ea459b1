import { ownCalendarApi } from '../../contract/student/calendar.calls.ts'
import { routes } from '../core/request/routes.ts'
import { makeOwnFeed, ownCalendar, ownCalendarFeed, revokeOwnFeed } from './calendar.service.ts'

/** The calendar of the student who asks. */
export const ownCalendarRoutes = routes(ownCalendarApi, {
  list: ownCalendar,
  feed: ownCalendarFeed,
  makeFeed: makeOwnFeed,
  revokeFeed: revokeOwnFeed,
})
