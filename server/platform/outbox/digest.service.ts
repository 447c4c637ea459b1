import { sql } from 'kysely'
import { deliveryStatus, enableStatus, messageKind } from '../../../contract/core/codes/platform.ts'
import { addDays } from '../../core/base/clock.ts'
import { newId } from '../../core/base/ids.ts'
import { ofWorkingSchool } from '../../core/database/tenant.ts'
import { systemContext, type JobServices } from '../../core/request/system.ts'
import { inTransaction } from '../../core/request/transaction.ts'

/** People whose messages are gathered in one transaction. */
const batch = 1000

/**
 * Makes one delivery of what has been gathered for each person, once a day at the time of the channel, or as soon as
 * the program runs again where it stood still then. What comes after that time waits for the next day.
 */
export async function gatherDigests(services: JobServices): Promise<void> {
  const now = services.clock.now()
  const [today, time] = [now.slice(0, 10), now.slice(11, 16)]
  const yesterday = addDays(today, -1)
  const { rows } = await sql<{ schoolId: string; odId: string; at: string }>`
    select o."schoolId", o."odId", coalesce(nullif(o."digestAt", ''), '18:00') "at"
    from "outboxDestination" o
    where o."enable" = ${enableStatus.enabled} and o."messageKinds" <> '{}'
      and ${ofWorkingSchool('o')}
      and exists (
        select from "outboxDelivery" d
        where d."schoolId" = o."schoolId" and d."odId" = o."odId"
          and d."dlStatus" = ${sql.lit(deliveryStatus.gathering)}
          and d."queueTime" < (
            case when coalesce(nullif(o."digestAt", ''), '18:00') <= ${time} then ${today} else ${yesterday} end
              || ' ' || coalesce(nullif(o."digestAt", ''), '18:00')
          )::timestamptz
      )
    order by 1, 2`.execute(services.db)
  for (const { schoolId, odId, at } of rows) {
    const until = `${at <= time ? today : yesterday} ${at}:00`
    while ((await gather(services, schoolId, odId, until)) === batch);
  }
}

/** Gathers for some people; answers for how many. */
async function gather(services: JobServices, schoolId: string, odId: string, until: string): Promise<number> {
  const ctx = systemContext(services, schoolId)
  return inTransaction(ctx, async ({ db, clock }) => {
    const { rows } = await sql<{ suId: string }>`
      select distinct "suId" from "outboxDelivery"
      where "schoolId" = ${schoolId} and "odId" = ${odId}::uuid
        and "dlStatus" = ${sql.lit(deliveryStatus.gathering)} and "queueTime" < ${until}
      order by 1
      limit ${batch}`.execute(db)
    if (rows.length === 0) return 0
    const now = clock.now()
    const digests = rows.map(({ suId }) => ({ suId, dlId: newId() }))
    await db
      .insertInto('outboxDelivery')
      .values(
        digests.map(({ suId, dlId }) => ({
          schoolId,
          dlId,
          odId,
          suId,
          eventId: dlId,
          eventKind: messageKind.digest,
          eventData: '{}',
          createTime: now,
          queueTime: now,
        })),
      )
      .execute()
    await sql`
      update "outboxDelivery" d
      set "dlStatus" = ${deliveryStatus.gathered}, "digestId" = g."dlId", "endTime" = ${now}
      from unnest(${digests.map(({ suId }) => suId)}::uuid[], ${digests.map(({ dlId }) => dlId)}::uuid[])
        as g("suId", "dlId")
      where d."schoolId" = ${schoolId} and d."odId" = ${odId}::uuid and d."suId" = g."suId"
        and d."dlStatus" = ${sql.lit(deliveryStatus.gathering)} and d."queueTime" < ${until}`.execute(db)
    return rows.length
  })
}
