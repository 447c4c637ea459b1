import { accountAccessApi } from '../../../contract/school/session/account-access.calls.ts'
import { routes } from '../../core/request/routes.ts'
import {
  resetStudentFactor,
  resetTeacherFactor,
  signOutEverybody,
  signOutStudent,
  signOutTeacher,
  studentAccess,
  teacherAccess,
  unlockStudent,
  unlockTeacher,
} from './account-access.service.ts'

export const accountAccessRoutes = routes(accountAccessApi, {
  student: studentAccess,
  teacher: teacherAccess,
  signOutStudent,
  signOutTeacher,
  unlockStudent,
  unlockTeacher,
  resetStudentFactor,
  resetTeacherFactor,
  signOutEverybody,
})
