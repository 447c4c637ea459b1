import { sql, type Kysely } from 'kysely'
import { concurrentIndex } from '../core/database/concurrent-index.ts'

export const isStepwise = true

/** By what a service is asked later whether a message that it has taken has arrived (decision 092). */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table "outboxDelivery" add column if not exists "laterId" text`.execute(db)
  await sql`
    comment on column "outboxDelivery"."laterId" is 'by which the service is asked whether it has arrived; null once that is known'`.execute(
    db,
  )
  await concurrentIndex(db, {
    name: 'outboxDelivery_later',
    on: '"outboxDelivery" ("schoolId", "odId", "endTime") where "laterId" is not null',
  })
}
