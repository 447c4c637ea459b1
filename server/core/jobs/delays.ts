import { sql } from 'kysely'
import { jobStatus } from '../../../contract/core/codes/platform.ts'
import type { Db } from '../database/pool.ts'
import { ofWorkingSchool } from '../database/tenant.ts'
import { isFailing } from './jobs.ts'

interface Delays {
  /** Seconds that the oldest due job has waited to be begun. */
  late: number
  /** Recurring jobs that broke off at each of their latest tries. */
  failing: number
  /** Seconds by which the database's clock differs from this one. */
  skew: number
  /** Whether it takes no writes, as a standby or where the server or the database has been set to reading. */
  isReadOnly: boolean
}

/** What keeps work waiting, as the database knows it. */
export async function delaysOf(db: Db): Promise<Delays> {
  const { rows } = await sql<Omit<Delays, 'skew'> & { now: number }>`
    select extract(epoch from clock_timestamp())::float8 as "now",
      pg_is_in_recovery() or current_setting('transaction_read_only')::boolean as "isReadOnly",
      (
        select coalesce(greatest(0, extract(epoch from now() - min("runAt"))), 0)::float8
        from job
        where "jobStatus" = ${sql.lit(jobStatus.waiting)} and "runAt" <= now() and ${ofWorkingSchool('job')}
      ) as "late",
      (select count(*)::int from job where ${isFailing}) as "failing"`.execute(db)
  const { now, ...others } = rows[0]!
  return { ...others, skew: Math.abs(Date.now() / 1000 - now) }
}
