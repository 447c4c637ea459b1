import { studentApi } from '../../contract/people/students.calls.ts'
import { teacherApi } from '../../contract/people/teachers.calls.ts'
import { routes, type Route } from '../core/routes.ts'
import { exportStudents, exportTeachers } from './list-exports.ts'
import { removeStudents, saveStudent } from './student-form.service.ts'
import { listStudents, studentDetail } from './students.queries.ts'
import { removeTeachers, saveTeacher } from './teacher-form.service.ts'
import { listTeachers, searchPeople, teacherDetail } from './teachers.queries.ts'

export const peopleRoutes: Route[] = [
  ...routes(studentApi, { list: listStudents, exportList: exportStudents, detail: studentDetail, save: saveStudent, remove: removeStudents }),
  ...routes(teacherApi, { list: listTeachers, exportList: exportTeachers, detail: teacherDetail, save: saveTeacher, remove: removeTeachers, search: searchPeople }),
]
