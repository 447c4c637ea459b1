import { enforceApprovalDeadlines } from '../programme/approvals/approval-deadlines.service.ts'
import { archiveTrails } from '../school/audit/archiving.service.ts'
import { sealTrails } from '../school/audit/sealing.service.ts'
import { verifyTrail } from '../school/audit/verification.service.ts'
import { analyzeGrownTables } from '../core/database/analyze.ts'
import type { AppServices } from '../core/http/http.ts'
import type { JobHandlers } from '../core/jobs/job-runner.ts'
import { forgetRequestKeys } from '../core/request/idempotency.ts'
import { countQuotas } from '../core/request/quotas.ts'
import { removeOldJobs } from '../core/jobs/jobs.ts'
import { sweepOrphans } from '../platform/files/file-use.service.ts'
import { importJobs } from '../platform/imports/import-jobs.ts'
import { outboxJobs } from '../platform/outbox/outbox-jobs.ts'
import { archiveLessons } from '../programme/lessons/archive.service.ts'
import { completeLessons } from '../programme/lessons/credit/completion.service.ts'
import { publishDue } from '../programme/lessons/publish-due.service.ts'
import { enforceDisputeDeadlines } from '../programme/disputes/dispute-deadlines.service.ts'
import { forgetSignPlaces } from '../programme/lessons/signing/sign-hints.service.ts'
import { checkTurnout } from '../programme/lessons/registration/turnout.service.ts'
import { pickParticipants } from '../programme/lessons/registration/pick.service.ts'
import { removeExpiredByNight } from '../school/retention/retention.service.ts'
import { endMemberships } from '../school/roles/membership-end.service.ts'
import { checkInItsTurn, checkJob, startNightlyChecks } from '../outcomes/statistics/check.service.ts'
import { refreshStatistics } from '../outcomes/statistics/refresh.service.ts'
import { messageSenders } from '../school/channels/message-senders.ts'
import { laterResultJobs } from '../school/channels/later-results.ts'
import { tellDestination } from '../school/integration/administrators.service.ts'
import { warnOfCertificates } from '../school/identity/certificate-warnings.service.ts'
import { watchJob, watchRuntime } from '../school/runtime/alarms.service.ts'
import { cleanUpSessions } from '../school/session/cleanup.service.ts'
import { codeMailHandler, codeMailJob } from '../school/session/delivery.ts'
import { actorFor } from '../school/session/tokens.ts'
import { completeSupplements } from '../programme/supplements/completion.service.ts'
import { sumUpSupplementCounts } from '../programme/supplements/supplement-counts.queries.ts'
import { thresholdJobs } from '../outcomes/thresholds/threshold-jobs.ts'
import { eraseByNight } from '../outcomes/graduation/erasure.service.ts'
import { studentChangeJobs } from '../school/people/student-changes.service.ts'
import { sourceJobs } from '../school/sources/source-jobs.ts'
import { transcriptJobs } from '../outcomes/transcripts/batch-job.ts'
import { inBackground } from '../app.ts'
import { backgroundHandlers } from '../platform/background/background-jobs.ts'
import { backupJobs } from './backup/schedule.ts'
import { importers } from './importers.ts'
import { approvalOutcomes } from './approval-outcomes.ts'

/**
 * What the program does by itself or later, by kind of job.
 * @param program the file that it was started by, for what it does in a process of its own
 */
export const jobHandlers = (services: AppServices, program?: string): JobHandlers => ({
  // sooner than the database does by itself: lists of a school that was just filled are asked for at once
  'table:gauge': { every: 60, run: () => analyzeGrownTables(services) },
  'job:tidy': { every: 86_400, run: () => removeOldJobs(services) },
  'session:tidy': { every: 600, run: () => cleanUpSessions(services) },
  [codeMailJob]: codeMailHandler(services),
  'request-key:forget': { every: 3600, run: () => forgetRequestKeys(services) },
  'lesson:complete': { every: 60, run: () => completeLessons(services) },
  'supplement:complete': { every: 60, run: () => completeSupplements(services) },
  'supplement:count': { every: 60, run: () => sumUpSupplementCounts(services) },
  'lesson:publish': { every: 60, run: () => publishDue(services) },
  'lesson:turnout': { every: 60, run: () => checkTurnout(services) },
  'lesson:archive': { every: 86_400, run: () => archiveLessons(services) },
  'lesson:pick': { every: 60, run: () => pickParticipants(services) },
  'approval:tend': { every: 60, run: () => enforceApprovalDeadlines(services, approvalOutcomes) },
  'question:tend': { every: 600, run: () => enforceDisputeDeadlines(services) },
  'audit:seal': { every: 60, run: () => sealTrails(services) },
  'audit:archive': { every: 86_400, run: () => archiveTrails(services) },
  'audit:verify': {
    attempts: 2,
    run: (job) => verifyTrail(services, job.schoolId, (percent) => job.progress(percent)),
  },
  'quota:count': { every: 3600, run: () => countQuotas(services) },
  [watchJob]: { every: 60, run: () => watchRuntime(services) },
  'identity:certificates': { every: 86_400, run: () => warnOfCertificates(services) },
  'role:end': { every: 600, run: () => endMemberships(services) },
  'statistics:refresh': { every: 15, run: () => refreshStatistics(services) },
  'statistics:check': { every: 1800, run: () => startNightlyChecks(services) },
  // of the jobs of a process one, so that a hundred schools do not take the whole database by night
  [checkJob]: { attempts: 3, atOnce: 1, run: (job) => checkInItsTurn(services, job.schoolId) },
  'graduate:erase': { every: 1800, run: () => eraseByNight(services) },
  'retention:keep': { every: 1800, run: () => removeExpiredByNight(services, forgetSignPlaces) },
  'file:sweep': { every: 3600, run: () => sweepOrphans(services) },
  ...backupJobs(services, program),
  ...outboxJobs(services, tellDestination, messageSenders),
  ...laterResultJobs(services),
  ...importJobs(services, importers, actorFor),
  ...studentChangeJobs(services),
  ...sourceJobs(services, importers, actorFor),
  ...transcriptJobs(services, actorFor),
  ...thresholdJobs(services),
  ...backgroundHandlers(services, inBackground, actorFor),
})
