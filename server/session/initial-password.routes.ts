import { passwordApi } from '../../contract/people/passwords.calls.ts'
import { routes } from '../core/routes.ts'
import { resetStudent, resetTeacher } from './initial-password.service.ts'

export const passwordRoutes = routes(passwordApi, { resetByLink: resetStudent, reset: resetStudent, resetTeacher })
