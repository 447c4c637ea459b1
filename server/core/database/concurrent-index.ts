import { setTimeout as sleep } from 'node:timers/promises'
import { sql, type Kysely } from 'kysely'
import { refuseTransaction } from './stepwise.ts'

interface ConcurrentIndex {
  name: string
  /** What follows `on`, as SQL: the table, the columns, and perhaps a condition. */
  on: string
  isUnique?: boolean
  /** Milliseconds for which transactions that began earlier are waited for, before the migration stands back. */
  waitMs?: number
}

/**
 * Builds an index while everybody goes on writing; only in a stepwise migration. What an attempt before left unfinished
 * is dropped, one that still builds it is waited for, and an index that is there stays as it is.
 * @throws when the wait for other transactions is over (tried again by the migration) or rows contradict a unique index
 */
export async function concurrentIndex(
  db: Kysely<unknown>,
  { name, on, isUnique = false, waitMs = 60_000 }: ConcurrentIndex,
): Promise<void> {
  refuseTransaction(db)
  const before = (await sql<{ value: string }>`select current_setting('lock_timeout') "value"`.execute(db)).rows[0]
  // waiting here keeps nobody from writing, so it may take longer than for a lock that others queue behind
  await sql`select set_config('lock_timeout', ${`${waitMs}ms`}, false)`.execute(db)
  try {
    let state = await stateOf(db, name)
    // the server goes on building for a process that was killed
    while (state?.isBuilding) {
      await sleep(200)
      state = await stateOf(db, name)
    }
    if (state?.isValid) return
    if (state) await sql`drop index concurrently if exists ${sql.id(name)}`.execute(db)
    const kind = sql.raw(isUnique ? 'unique index' : 'index')
    await sql`create ${kind} concurrently ${sql.id(name)} on ${sql.raw(on)}`.execute(db)
  } finally {
    // of a connection that is gone, nothing has to be put back
    await sql`select set_config('lock_timeout', ${before?.value ?? '0'}, false)`.execute(db).catch(() => {})
  }
}

async function stateOf(db: Kysely<unknown>, name: string) {
  const { rows } = await sql<{ isValid: boolean; isBuilding: boolean }>`
    select i.indisvalid "isValid",
      exists (select from pg_stat_progress_create_index p where p.index_relid = i.indexrelid) "isBuilding"
    from pg_index i
    where i.indexrelid = to_regclass(${`"${name}"`})`.execute(db)
  return rows[0]
}
