import { sql } from 'kysely'
import type { Db } from './pool.ts'

/** How far the archive of the embedded database's WAL is behind. */
export interface WalArchiveState {
  /** Seconds since a file was archived last, or since the database was started. */
  age: number
  /** Whether the last try failed. */
  isFailing: boolean
}

/**
 * Seconds without an archived file from which on it is said; one goes every three minutes while anything is written.
 */
const lateSeconds = 600

/** As PostgreSQL itself counts, so that every process sees the same; undefined where nothing is archived. */
export async function walArchiveState(db: Db): Promise<WalArchiveState | undefined> {
  const { rows } = await sql<WalArchiveState & { is: boolean }>`
    select current_setting('archive_mode') <> 'off' as "is",
      extract(epoch from now() - greatest(last_archived_time, pg_postmaster_start_time()))::float8 as "age",
      last_failed_time is not null
        and last_failed_time > coalesce(last_archived_time, '-infinity')
        and last_failed_time > pg_postmaster_start_time() as "isFailing"
    from pg_stat_archiver`.execute(db)
  const { is, age, isFailing } = rows[0]!
  return is ? { age, isFailing } : undefined
}

/** `ok`, or what is wrong with the archive. */
export const walArchiveVerdict = ({ age, isFailing }: WalArchiveState): 'ok' | 'failing' | 'late' =>
  isFailing ? 'failing' : age > lateSeconds ? 'late' : 'ok'
