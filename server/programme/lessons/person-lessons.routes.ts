import { circleLessonApi } from '../../../contract/programme/lessons/circle-lessons.calls.ts'
import { personLessonApi } from '../../../contract/programme/lessons/person-lessons.calls.ts'
import { routes } from '../../core/request/routes.ts'
import { lessonsOfCircle } from './lists/circle-lessons.queries.ts'
import { lessonsOfStudent, lessonsOfTeacher } from './lists/person-lessons.queries.ts'
import { teacherSheet } from './lists/teacher-sheet.queries.ts'
import { studentCreditTrace } from './credit/trace.service.ts'

export const personLessonRoutes = [
  ...routes(personLessonApi, {
    ofStudent: lessonsOfStudent,
    path: studentCreditTrace,
    ofTeacher: lessonsOfTeacher,
    teacherSheet,
  }),
  ...routes(circleLessonApi, { ofCircle: lessonsOfCircle }),
]
