import { existsSync, readFileSync } from 'node:fs'
import type pg from 'pg'

/** Milliseconds of processor time so far; NaN where the machine does not tell. */
export type Meter = () => number

/**
 * How long processes of PostgreSQL on this machine have been on a processor, as Linux tells it: on a machine that
 * others keep busy it tells what a statement costs, where its duration tells of them. What has ended keeps what it had.
 */
export function meterOf(pids: readonly number[]): Meter {
  if (!existsSync('/proc/self/schedstat')) return () => NaN
  const known = new Map<number, number>()
  return () => {
    for (const pid of pids) {
      const file = `/proc/${pid}/schedstat`
      if (existsSync(file)) known.set(pid, Number(readFileSync(file, 'utf8').split(' ')[0]) / 1e6)
    }
    return [...known.values()].reduce((sum, one) => sum + one, 0)
  }
}

/** Of the processes that serve connections to this database now. */
export async function databaseMeter(pool: Pick<pg.Pool, 'query'>): Promise<Meter> {
  const { rows } = await pool.query<{ pid: number }>(
    `select "pid" from pg_stat_activity where "datname" = current_database() and "backend_type" = 'client backend'`,
  )
  return meterOf(rows.map(({ pid }) => pid))
}

/** Of one connection alone. */
export async function connectionMeter(client: Pick<pg.ClientBase, 'query'>): Promise<Meter> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() "pid"')
  return meterOf(rows.map(({ pid }) => pid))
}
