import { auditApi } from '../../../contract/school/audit/audit.calls.ts'
import { routes, type Route } from '../../core/request/routes.ts'
import { exportTrail, listTrail, trailDetail } from './audit.service.ts'
import { listArchives, startVerification, verification } from './verification-job.service.ts'
import { recordTimeline, type RecordVisibility } from './timeline.service.ts'

/**
 * The calls of the audit trail. Who may see which record comes from outside, as a plain object: this domain knows none
 * of them.
 */
export const auditRoutes = (visibility: RecordVisibility): Route[] =>
  routes(auditApi, {
    list: listTrail,
    detail: trailDetail,
    exportList: exportTrail,
    verify: startVerification,
    verification,
    archives: listArchives,
    timeline: (ctx, input) => recordTimeline(ctx, visibility, input),
  })
