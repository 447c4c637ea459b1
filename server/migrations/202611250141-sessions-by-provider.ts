import type { Kysely } from 'kysely'
import { concurrentIndex } from '../core/database/concurrent-index.ts'

export const isStepwise = true

/** Sessions are found by the ticket of the provider that ends them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await concurrentIndex(db, {
    name: 'session_provider',
    on: '"session" ("schoolId", "providerId", "ticketHash") where "providerId" is not null',
  })
}
