import pg from 'pg'
import type { Connection } from './connection.ts'

/** Numbers of the advisory locks that whole programs take while they start. */
export const startupLocks = { firstSchools: 5_202_612 } as const

/**
 * Runs `work` while no other process on the same database runs work under the same number.
 * @param connection one without a pooler between, over which the lock is held
 */
export async function withStartupLock<R>(connection: Connection, number: number, work: () => Promise<R>): Promise<R> {
  const client = new pg.Client({ ...connection, connectionTimeoutMillis: 10_000, keepAlive: true })
  client.on('error', () => {})
  await client.connect()
  try {
    await client.query('set statement_timeout = 0')
    await client.query('select pg_advisory_lock($1)', [number])
    return await work()
  } finally {
    // ending the connection gives the lock back, come what may
    await client.end().catch(() => {})
  }
}
