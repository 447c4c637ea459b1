import { ownCircleApi } from '../../contract/student/circles.calls.ts'
import { routes } from '../core/request/routes.ts'
import { withdraw } from '../programme/circles/applications.service.ts'
import { exitCircle } from '../programme/circles/members.service.ts'
import { openCircles } from '../programme/circles/open-circles.queries.ts'
import { joinCircle } from './circles.service.ts'

/** Circles, and the place of the student who asks in them. */
export const ownCircleRoutes = routes(ownCircleApi, {
  list: openCircles,
  join: joinCircle,
  withdraw,
  leave: exitCircle,
})
