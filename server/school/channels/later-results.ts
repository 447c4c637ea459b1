import { sql } from 'kysely'
import { deliveryStatus, enableStatus } from '../../../contract/core/codes/platform.ts'
import type { ChannelSettings } from '../../../contract/school/channels/channel-form.ts'
import { addSeconds } from '../../core/base/clock.ts'
import { from, ofWorkingSchool } from '../../core/database/tenant.ts'
import type { JobHandlers } from '../../core/jobs/job-runner.ts'
import type { Context } from '../../core/request/context.ts'
import { systemContext, type JobServices } from '../../core/request/system.ts'
import { appChannel, dingtalk, laterResult } from './app-messages.ts'

/** Seconds after which it is worth to ask, and for which 钉钉 keeps what it knows. */
const [askAfter, keptFor] = [60, 86_400]
/** Deliveries of a channel that are asked about in one run. */
const most = 200

/**
 * Asks 钉钉, which takes a message before it knows whether it will arrive, what became of those it has taken. What did
 * not arrive ends as not delivered, with the reason.
 */
export const laterResultJobs = (services: JobServices): JobHandlers => ({
  'messages:results': { every: 60, run: () => askForResults(services) },
})

async function askForResults(services: JobServices): Promise<void> {
  const now = services.clock.now()
  await services.db
    .updateTable('outboxDelivery')
    .set({ laterId: null })
    .where('laterId', 'is not', null)
    .where('endTime', '<', addSeconds(now, -keptFor))
    .execute()
  const { rows } = await sql<{ schoolId: string; odId: string }>`
    select o."schoolId", o."odId"
    from "outboxDestination" o
    where o."enable" = ${enableStatus.enabled} and ${ofWorkingSchool('o')}
      and exists (
        select from "outboxDelivery" d
        where d."schoolId" = o."schoolId" and d."odId" = o."odId" and d."laterId" is not null
          and d."endTime" <= ${addSeconds(now, -askAfter)}
      )
    order by 1, 2`.execute(services.db)
  for (const { schoolId, odId } of rows) await askAbout(systemContext(services, schoolId), odId)
}

async function askAbout(ctx: Context, odId: string): Promise<void> {
  const { schoolId } = ctx.actor
  const destination = await from(ctx, 'outboxDestination')
    .select(['odId', 'version', 'settings', 'sealedSecret'])
    .where('odId', '=', odId)
    .executeTakeFirst()
  if (!destination) return
  const channel = appChannel(ctx, { ...destination, settings: destination.settings as ChannelSettings })
  const taken = await from(ctx, 'outboxDelivery')
    .select(['dlId', 'laterId'])
    .where('odId', '=', odId)
    .where('laterId', 'is not', null)
    .where('endTime', '<=', addSeconds(ctx.clock.now(), -askAfter))
    .orderBy('endTime', 'desc')
    .limit(most)
    .execute()
  for (const { dlId, laterId } of taken) {
    const result = await laterResult(dingtalk, channel, laterId!)
    // it is away or refuses: the next run asks again, and whoever sends learns of it
    if (result === 'unanswered') return
    if (result === 'open') continue
    await ctx.db
      .updateTable('outboxDelivery')
      .set({ laterId: null, ...(result !== 'arrived' && { dlStatus: deliveryStatus.dead, answerText: result.fault }) })
      .where('schoolId', '=', schoolId)
      .where('dlId', '=', dlId)
      .where('laterId', '=', laterId)
      .where('dlStatus', '=', deliveryStatus.delivered)
      .execute()
  }
}
