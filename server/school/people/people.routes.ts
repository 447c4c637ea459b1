import { piiApi } from '../../../contract/school/people/pii.calls.ts'
import { studentApi } from '../../../contract/school/people/students.calls.ts'
import { teacherApi } from '../../../contract/school/people/teachers.calls.ts'
import { routes, type Route } from '../../core/request/routes.ts'
import { switchStudents, switchTeachers } from './account-switch.service.ts'
import { keptStudent, keptTeacher } from './kept-forms.ts'
import { exportStudents, exportTeachers } from './list-exports.ts'
import { viewPhoto } from './photos.service.ts'
import { findBySensitive, unmask } from './pii.service.ts'
import { similarStudents, similarTeachers } from './similar.queries.ts'
import { studentChanges } from './student-changes.service.ts'
import { removeStudents, saveStudent } from './student-form.service.ts'
import { listStudents, studentDetail } from './students.queries.ts'
import { removeTeachers, saveTeacher } from './teacher-form.service.ts'
import { listTeachers, searchPeople, teacherDetail } from './teachers.queries.ts'

export const peopleRoutes: Route[] = [
  ...routes(
    studentApi,
    {
      list: listStudents,
      exportList: exportStudents,
      detail: studentDetail,
      changes: studentChanges,
      save: saveStudent,
      remove: removeStudents,
      switch: switchStudents,
      similar: similarStudents,
    },
    { save: keptStudent },
  ),
  ...routes(
    teacherApi,
    {
      list: listTeachers,
      exportList: exportTeachers,
      detail: teacherDetail,
      save: saveTeacher,
      remove: removeTeachers,
      switch: switchTeachers,
      similar: similarTeachers,
      search: searchPeople,
    },
    { save: keptTeacher },
  ),
  ...routes(piiApi, { unmask, find: findBySensitive, photo: viewPhoto }),
]
