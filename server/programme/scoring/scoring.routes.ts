import { scoringApi } from '../../../contract/rules/evaluation/scoring.calls.ts'
import { routes } from '../../core/request/routes.ts'
import { tryOut } from './try-out.service.ts'
import { whatIf } from './what-if.service.ts'

export const scoringRoutes = routes(scoringApi, { tryOut, whatIf })
