import { sql } from 'kysely'
import { jobStatus } from '../../../contract/core/codes/platform.ts'
import type { Db } from '../database/pool.ts'
import { ofWorkingSchool } from '../database/tenant.ts'

/**
 * Seconds that the oldest due job has waited to be begun, and by which the database's clock differs from this one;
 * whether the database takes no writes, as a standby or where the server or the database has been set to reading.
 */
export async function delaysOf(db: Db): Promise<{ late: number; skew: number; isReadOnly: boolean }> {
  const { rows } = await sql<{ late: number; now: number; isReadOnly: boolean }>`
    select extract(epoch from clock_timestamp())::float8 as "now",
      pg_is_in_recovery() or current_setting('transaction_read_only')::boolean as "isReadOnly",
      (
        select coalesce(greatest(0, extract(epoch from now() - min("runAt"))), 0)::float8
        from job
        where "jobStatus" = ${sql.lit(jobStatus.waiting)} and "runAt" <= now() and ${ofWorkingSchool('job')}
      ) as "late"`.execute(db)
  const { now, ...others } = rows[0]!
  return { ...others, skew: Math.abs(Date.now() / 1000 - now) }
}
