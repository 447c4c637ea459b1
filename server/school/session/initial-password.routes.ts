import { passwordApi } from '../../../contract/school/people/passwords.calls.ts'
import { routes } from '../../core/request/routes.ts'
import type { Notify } from '../../core/request/notify.ts'
import { resetStudent, resetTeacher } from './initial-password.service.ts'
import { resetStudents } from './initial-passwords-batch.service.ts'

/** Passwords given by others; whoever gets one is told that it happened, never what it is. */
export const passwordRoutes = (notify: Notify) =>
  routes(passwordApi, {
    resetByLink: resetStudent(notify),
    reset: resetStudent(notify),
    resetMany: resetStudents(notify),
    resetTeacher: resetTeacher(notify),
  })
