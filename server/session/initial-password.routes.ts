import { passwordApi } from '../../contract/people/passwords.calls.ts'
import { routes } from '../core/routes.ts'
import type { Tell } from '../core/tell.ts'
import { resetStudent, resetTeacher } from './initial-password.service.ts'
import { resetStudents } from './initial-passwords-batch.service.ts'

/** Passwords given by others; whoever gets one is told that it happened, never what it is. */
export const passwordRoutes = (tell: Tell) =>
  routes(passwordApi, {
    resetByLink: resetStudent(tell),
    reset: resetStudent(tell),
    resetMany: resetStudents(tell),
    resetTeacher: resetTeacher(tell),
  })
