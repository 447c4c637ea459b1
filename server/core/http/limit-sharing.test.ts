import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { Failure } from '../../../contract/core/failure.ts'
import { testDatabase, useOwnDatabase } from '../../testing/database.ts'
import { openSignals } from '../database/signals.ts'
import { shareLimits } from './limit-sharing.ts'
import { createRateLimiter } from './rate-limiter.ts'

await useOwnDatabase()

const log = pino({ level: 'silent' })
const limit = 600

/** What one process has: a way to hear of its own, and a limiter. */
async function asProcess() {
  const { db, connection } = await testDatabase()
  const signals = openSignals(connection, log)
  const sharing = shareLimits({ db, signals, log })
  const check = createRateLimiter(limit, 60, { sharing, name: 'person' })
  const isLetThrough = (key: string): boolean => {
    try {
      check(key)
      return true
    } catch (error) {
      expect(error).toBeInstanceOf(Failure)
      return false
    }
  }
  return { isLetThrough, close: async () => (sharing.close(), signals.close()) }
}

test('three processes let through together what one of them would, but for a tenth', async () => {
  const { db } = await testDatabase()
  const processes = await Promise.all(Array.from({ length: 3 }, asProcess))
  // until they know of each other: what one of them lets through reaches the two others
  await expect
    .poll(
      async () =>
        (
          await sql<{ count: number }>`
          select count(*)::int "count" from pg_stat_activity
          where datname = current_database() and query = 'listen allowance'`.execute(db)
        ).rows[0]!.count,
    )
    .toBe(3)
  await sleep(200)
  const counts = await Promise.all(
    processes.map(async ({ isLetThrough }) => {
      let through = 0
      for (let refused = 0; refused < 20; await sleep(1)) {
        if (isLetThrough('one person')) through++
        else refused++
      }
      return through
    }),
  )
  const all = counts.reduce((sum, count) => sum + count)
  expect(all).toBeGreaterThanOrEqual(limit)
  expect(all).toBeLessThanOrEqual(limit * 1.1)
  expect(processes.map(({ isLetThrough }) => isLetThrough('somebody else'))).toEqual([true, true, true])
  await Promise.all(processes.map((one) => one.close()))
})

test('a process that is alone tells nobody what it lets through', async () => {
  const alone = await asProcess()
  const { connection } = await testDatabase()
  const heard: string[] = []
  const listener = openSignals(connection, log)
  listener.on('allowance', (payload) => heard.push(payload))
  await expect.poll(() => heard, { timeout: 5000 }).toContain('')
  for (let at = 0; at < limit; at++) expect(alone.isLetThrough('one person')).toBe(true)
  expect(alone.isLetThrough('one person')).toBe(false)
  await sleep(1500)
  expect(heard.filter((payload) => payload.includes('one person'))).toEqual([])
  await Promise.all([alone.close(), listener.close()])
})
