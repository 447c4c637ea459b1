import { sql } from 'kysely'
import type { Context } from './context.ts'

/**
 * Lets one transaction of a school at a time do `what`; others wait until it has ended. For small configuration trees and
 * ranges whose rules look at many rows together, so that no constraint of the database can hold them.
 */
export async function takeTurn({ db, actor }: Context, what: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`${what}:${actor.schoolId}`}::text, 0))`.execute(db)
}
