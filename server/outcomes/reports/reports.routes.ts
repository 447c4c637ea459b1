import { reportApi } from '../../../contract/outcomes/reports/reports.calls.ts'
import { routes } from '../../core/request/routes.ts'
import { exportReport } from './reports.service.ts'

export const reportRoutes = routes(reportApi, { export: exportReport })
