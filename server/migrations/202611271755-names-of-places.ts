import type { Kysely } from 'kysely'
import { concurrentIndex } from '../core/database/concurrent-index.ts'

export const isStepwise = true

/** A new place is compared by name with every other of its school, whatever blanks are in it, while others wait. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await concurrentIndex(db, {
    name: 'place_bareName',
    on: `"place" ("schoolId", regexp_replace("plName", '\\s', '', 'g'))`,
  })
}
