import { credibilityApi } from '../../contract/people/credibility.calls.ts'
import { routes } from '../core/routes.ts'
import { restoreByLesson, restoreCredibility } from './credibility-restore.service.ts'
import { credibilityLog, credibilityStanding, lossesOfLesson } from './credibility.queries.ts'
import { liftBlacklist, updateCredibility, type CredibilityTies } from './credibility.service.ts'

/** The acts on credibility, with what the floors above lend to them. */
export const credibilityRoutes = (ties: CredibilityTies) =>
  routes(credibilityApi, {
    update: updateCredibility(ties),
    log: credibilityLog(ties),
    standing: credibilityStanding,
    restore: restoreCredibility(ties),
    lessonLosses: lossesOfLesson(ties),
    restoreByLesson: restoreByLesson(ties),
    lift: liftBlacklist(ties),
  })
