import { homeApi } from '../../../contract/programme/home/home.calls.ts'
import { routes, type Route } from '../../core/request/routes.ts'
import {
  auditCount,
  homeAgenda,
  homeLessons,
  homeNotices,
  homePublicty,
  lessonsCount,
  todoCards,
  type HomeProviders,
} from './home.service.ts'

/** The calls of the first screen. What news, circles and warnings add comes from outside, as plain functions. */
export const homeRoutes = (providers: HomeProviders): Route[] =>
  routes(homeApi, {
    auditCount: auditCount(providers),
    lessonsCount,
    todos: todoCards(providers),
    lessons: homeLessons,
    notices: homeNotices(providers),
    agenda: homeAgenda,
    publicty: homePublicty,
    warnings: providers.warnings,
  })
