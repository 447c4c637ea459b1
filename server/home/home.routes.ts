import { homeApi } from '../../contract/home/home.calls.ts'
import { routes, type Route } from '../core/routes.ts'
import {
  auditCount,
  homeAgenda,
  homeLessons,
  homeNotices,
  homePublicty,
  lessonsCount,
  todoCards,
  type HomeTies,
} from './home.service.ts'

/** The calls of the first screen. What news, circles and warnings add comes from outside, as plain functions. */
export const homeRoutes = (ties: HomeTies): Route[] =>
  routes(homeApi, {
    auditCount: auditCount(ties),
    lessonsCount,
    todos: todoCards(ties),
    lessons: homeLessons,
    notices: homeNotices(ties),
    agenda: homeAgenda,
    publicty: homePublicty,
    warnings: ties.warnings,
  })
