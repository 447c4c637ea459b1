import { circleLessonApi } from '../../../contract/lessons/circle-lessons.calls.ts'
import { personLessonApi } from '../../../contract/lessons/person-lessons.calls.ts'
import { routes } from '../../core/routes.ts'
import { lessonsOfCircle } from './circle-lessons.queries.ts'
import { lessonsOfStudent, lessonsOfTeacher } from './person-lessons.queries.ts'
import { teacherSheet } from './teacher-sheet.queries.ts'
import { studentPath } from '../credit/trace.service.ts'

export const personLessonRoutes = [
  ...routes(personLessonApi, {
    ofStudent: lessonsOfStudent,
    path: studentPath,
    ofTeacher: lessonsOfTeacher,
    teacherSheet,
  }),
  ...routes(circleLessonApi, { ofCircle: lessonsOfCircle }),
]
