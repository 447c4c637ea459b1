import { studentSupApi } from '../../contract/supplements/student-sups.calls.ts'
import { routes } from '../core/routes.ts'
import { supplementsOfStudent } from './student-sups.queries.ts'

export const supplementRoutes = routes(studentSupApi, { list: supplementsOfStudent })
