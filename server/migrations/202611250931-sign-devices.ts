import type { Kysely } from 'kysely'
import { concurrentIndex } from '../core/database/concurrent-index.ts'

export const isStepwise = true

/** Who signed in on the same device is asked at every sign-in, while hundreds sign in. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await concurrentIndex(db, {
    name: 'session_sign_device',
    on: `"sessionSign" ("schoolId", "deviceHash") where "deviceHash" is not null`,
  })
}
