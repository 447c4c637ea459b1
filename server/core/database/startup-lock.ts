import type pg from 'pg'

/** Numbers of the advisory locks that whole programs take while they start. */
export const startupLocks = { firstSchools: 5_202_612 } as const

/** Runs `work` while no other process on the same database runs work under the same number. */
export async function withStartupLock<R>(pool: pg.Pool, number: number, work: () => Promise<R>): Promise<R> {
  const client = await pool.connect()
  try {
    await client.query('set statement_timeout = 0')
    await client.query('select pg_advisory_lock($1)', [number])
    return await work()
  } finally {
    // ending the connection gives the lock back, come what may
    client.release(true)
  }
}
