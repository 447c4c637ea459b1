import { reportApi } from '../../contract/reports/reports.calls.ts'
import { routes } from '../core/routes.ts'
import { exportReport } from './reports.service.ts'

export const reportRoutes = routes(reportApi, { export: exportReport })
