import { credibilityApi } from '../../../contract/school/people/credibility.calls.ts'
import { routes } from '../../core/request/routes.ts'
import { restoreByLesson, restoreCredibility } from './credibility-restore.service.ts'
import { credibilityLog, credibilityStatus, lossesOfLesson } from './credibility.queries.ts'
import { liftBlacklist, updateCredibility, type CredibilityProviders } from './credibility.service.ts'

/** The actions on credibility, with what the floors above lend to them. */
export const credibilityRoutes = (providers: CredibilityProviders) =>
  routes(credibilityApi, {
    update: updateCredibility(providers),
    log: credibilityLog(providers),
    standing: credibilityStatus,
    restore: restoreCredibility,
    lessonLosses: lossesOfLesson(providers),
    restoreByLesson: restoreByLesson(providers),
    lift: liftBlacklist,
  })
