import { personalApi } from '../../contract/personal/personal.calls.ts'
import { routes } from '../core/routes.ts'
import { myData } from './personal.service.ts'

export const personalRoutes = routes(personalApi, { myData })
