import { scoreExportApi } from '../../contract/transcripts/score-export.calls.ts'
import { routes } from '../core/routes.ts'
import { exportScores } from './score-export.service.ts'

export const scoreExportRoutes = routes(scoreExportApi, { export: exportScores })
