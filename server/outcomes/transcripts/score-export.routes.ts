import { scoreExportApi } from '../../../contract/outcomes/transcripts/score-export.calls.ts'
import { routes } from '../../core/request/routes.ts'
import { exportScores } from './score-export.service.ts'

export const scoreExportRoutes = routes(scoreExportApi, { export: exportScores })
