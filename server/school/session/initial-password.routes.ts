import { passwordApi } from '../../../contract/school/people/passwords.calls.ts'
import { routes } from '../../core/request/routes.ts'
import { resetStudent, resetTeacher } from './initial-password.service.ts'
import { resetStudents } from './initial-passwords-batch.service.ts'

/** Passwords given by others; whoever gets one is told that it happened, never what it is. */
export const passwordRoutes = routes(passwordApi, {
  resetByLink: resetStudent,
  reset: resetStudent,
  resetMany: resetStudents,
  resetTeacher: resetTeacher,
})
