import { sql } from 'kysely'
import { deliveryStatus, enableStatus, jobStatus } from '../../../contract/core/codes/platform.ts'
import { addSeconds } from '../../core/base/clock.ts'
import { ofWorkingSchool } from '../../core/database/tenant.ts'
import type { Job, JobHandlers } from '../../core/jobs/job-runner.ts'
import { enqueue } from '../../core/jobs/jobs.ts'
import { systemContext, type JobServices } from '../../core/request/system.ts'
import { gatherDigests } from './digest.service.ts'
import {
  attempt,
  endUnknown,
  isQuiet,
  settleAttempt,
  takeNext,
  type Senders,
  type TellDestination,
} from './deliver.service.ts'

/** Seconds that one run works for a destination before others get their turn. */
const turnSeconds = 30
/** Days for which deliveries are kept that have ended, or that wait for a destination that is switched off. */
const keptDays = 30

const sendJob = 'outbox:send'

/**
 * Delivers what lies in the outbox: one job finds the destinations for which something is due, and one job a
 * destination sends, one delivery after the other. The key of the job sees to it that no destination has two at a time,
 * in whichever process; a slow or failing one holds up nobody else.
 */
export const outboxJobs = (services: JobServices, tell: TellDestination, senders: Senders): JobHandlers => ({
  'outbox:look': { every: 5, run: () => enqueueDue(services) },
  'outbox:digest': { every: 60, run: () => gatherDigests(services) },
  'outbox:tidy': { every: 3600, run: () => removeOldDeliveries(services) },
  // others of the program's jobs find room beside receivers that do not answer
  [sendJob]: { atOnce: 2, run: (job) => sendDue(services, job, tell, senders) },
})

async function enqueueDue(services: JobServices): Promise<void> {
  const now = services.clock.now()
  const { rows } = await sql<{ schoolId: string; odId: string }>`
    select o."schoolId", o."odId"
    from "outboxDestination" o
    where o."enable" = ${enableStatus.enabled}
      and (o."pausedUntil" is null or o."pausedUntil" <= ${now})
      and ${ofWorkingSchool('o')}
      and exists (
        select from "outboxDelivery" d
        where d."schoolId" = o."schoolId" and d."odId" = o."odId"
          and d."dlStatus" in (${sql.lit(deliveryStatus.waiting)}, ${sql.lit(deliveryStatus.sending)})
          and (d."nextTime" is null or d."nextTime" <= ${now})
          and (d."isUrgent" or not ${isQuiet(now)})
      )
      and (o."schoolId", o."odId"::text) not in (
        select j."schoolId", j."jobKey"
        from "job" j
        where j."jobKind" = ${sendJob}
          and j."jobKey" is not null
          and j."jobStatus" in (${sql.lit(jobStatus.waiting)}, ${sql.lit(jobStatus.running)})
      )
    order by 1, 2`.execute(services.db)
  for (const { schoolId, odId } of rows) await enqueue(services, { schoolId, kind: sendJob, key: odId })
}

async function sendDue(services: JobServices, job: Job, tell: TellDestination, senders: Senders): Promise<void> {
  const ctx = systemContext(services, job.schoolId)
  await endUnknown(ctx, job.jobKey!)
  const end = performance.now() + turnSeconds * 1000
  let told = performance.now()
  while (performance.now() < end) {
    const sending = await takeNext(ctx, job.jobKey!)
    if (!sending) return
    const send = senders[sending.odChannel]
    const result = send ? await send(ctx, sending) : await attempt(ctx, sending, job.signal)
    await settleAttempt(ctx, sending, result, tell)
    // once a second is soon enough to be told to stop; each time would be one more wait for each message
    if (performance.now() - told < 1000) continue
    told = performance.now()
    await job.progress(0)
  }
}

async function removeOldDeliveries({ db, clock }: JobServices): Promise<void> {
  const oldest = addSeconds(clock.now(), -keptDays * 86_400)
  await db
    .deleteFrom('outboxDelivery')
    .where('dlStatus', 'not in', [deliveryStatus.waiting, deliveryStatus.sending, deliveryStatus.gathering])
    .where('endTime', '<', oldest)
    .execute()
  // what is gathered goes out within a day, unless its channel is off or has no kinds any more; the inbox has it all
  // the same
  const { waiting, gathering } = deliveryStatus
  await sql`
    delete from "outboxDelivery" d
    using "outboxDestination" o
    where o."schoolId" = d."schoolId"
      and o."odId" = d."odId"
      and d."dlStatus" in (${sql.lit(waiting)}, ${sql.lit(gathering)})
      and d."queueTime" < ${oldest}
      and (o."enable" = ${enableStatus.disabled} or d."dlStatus" = ${sql.lit(gathering)})`.execute(db)
}
