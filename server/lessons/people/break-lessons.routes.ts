import { breakLessonApi } from '../../../contract/lessons/break-lessons.calls.ts'
import { routes } from '../../core/routes.ts'
import { breakLessons } from './break-lessons.queries.ts'

export const breakLessonRoutes = routes(breakLessonApi, { list: breakLessons })
