import { personalApi } from '../../../contract/programme/personal/personal.calls.ts'
import { routes } from '../../core/request/routes.ts'
import { myData } from './personal.service.ts'

export const personalRoutes = routes(personalApi, { myData })
