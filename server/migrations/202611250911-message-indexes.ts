import type { Kysely } from 'kysely'
import { concurrentIndex } from '../core/database/concurrent-index.ts'

export const isStepwise = true

/** One delivery of a message by each channel; what is urgent is found first, and what waits for its digest. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await concurrentIndex(db, {
    name: 'outboxDelivery_message',
    isUnique: true,
    on: '"outboxDelivery" ("schoolId", "odId", "iurId") where "iurId" is not null',
  })
  await concurrentIndex(db, {
    name: 'outboxDelivery_due',
    on: `"outboxDelivery" ("schoolId", "odId", "isUrgent" desc, "createTime", "eventId") where "dlStatus" in ('0', '1')`,
  })
  await concurrentIndex(db, {
    name: 'outboxDelivery_gathering',
    on: `"outboxDelivery" ("schoolId", "odId", "suId") where "dlStatus" = '6'`,
  })
  await concurrentIndex(db, {
    name: 'outboxDelivery_digest',
    on: '"outboxDelivery" ("schoolId", "digestId") where "digestId" is not null',
  })
}
