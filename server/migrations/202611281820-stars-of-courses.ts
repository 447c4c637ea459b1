import type { Kysely } from 'kysely'
import { concurrentIndex } from '../core/database/concurrent-index.ts'

export const isStepwise = true

/** The page of a course tells the mean of its stars: those who gave some, instead of every participant's row. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await concurrentIndex(db, {
    name: 'registration_stars',
    on: `"registration" ("schoolId", "liId") include ("laStars") where "laStars" is not null and "delFlag" = '0'`,
  })
}
