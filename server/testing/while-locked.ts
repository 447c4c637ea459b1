import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { directDatabase, type Db } from '../core/database/pool.ts'

/**
 * Holds locks of the database while `during` runs, so that a test can arrange who comes before whom; they are given
 * back afterwards.
 * @param lock takes them, in a transaction of its own
 * @param during gets a way to wait until so many others wait for these locks, directly or behind one another
 */
export const whileLocked = (
  db: Db,
  lock: (held: Db) => Promise<unknown>,
  during: (untilWaiting: (count: number) => Promise<void>) => Promise<void>,
): Promise<void> =>
  db.transaction().execute(async (held) => {
    await lock(held)
    const {
      rows: [own],
    } = await sql<{ pid: number }>`select pg_backend_pid() "pid"`.execute(held)
    await during(async (count) => {
      while ((await behind(db, own!.pid)) < count) await sleep(20)
    })
  })

/**
 * How many wait for a connection's locks, or for somebody who does. Behind a pooler the lock of a session is held by a
 * connection that is idle while its work waits over another one: who waits for it is counted, too.
 */
async function behind(db: Db, pid: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    with recursive "waiting" as (
      select a."pid" from "pg_stat_activity" a where ${pid}::int = any(pg_blocking_pids(a."pid"))
      union
      select a."pid"
      from "pg_stat_activity" a
      join "waiting" w on w."pid" = any(pg_blocking_pids(a."pid"))
        or (${directDatabase(db) !== undefined} and exists (
          select
          from "pg_stat_activity" h
          where h."pid" = any(pg_blocking_pids(a."pid")) and h."state" = 'idle' and h."datname" = current_database())))
    select count(*)::int "count" from "waiting"`.execute(db)
  return rows[0]!.count
}
