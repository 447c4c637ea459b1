import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { Failure } from '../../../contract/core/failure.ts'
import { parseConfig } from '../../core/base/config.ts'
import { openSignals } from '../../core/database/signals.ts'
import { sharingOf } from '../../core/http/limit-sharing.ts'
import type { PublicContext } from '../../core/request/context.ts'
import { testApp } from '../../testing/app.ts'
import { testDatabase, useOwnDatabase } from '../../testing/database.ts'
import { checkRate, checksPerMinute } from './verify.service.ts'

await useOwnDatabase()

test('who tries serials on several processes has no more tries than on one', async () => {
  const { ctx } = await testApp()
  const { db, connection } = await testDatabase()
  const origin = { requestId: 'one', ip: '203.0.113.7', agent: '' }
  const processes = Array.from({ length: 2 }, (): PublicContext => {
    const signals = openSignals(connection, ctx.log)
    return { ...ctx, signals, origin, config: parseConfig({ RATE_LIMITS: 'shared' }) }
  })
  for (const each of processes) sharingOf(each)
  const listening = async () =>
    (
      await sql<{ count: number }>`
        select count(*)::int "count" from pg_stat_activity
        where datname = current_database() and query = 'listen allowance'`.execute(db)
    ).rows[0]!.count
  await expect.poll(listening).toBeGreaterThanOrEqual(2)
  let through = 0
  await expect
    .poll(
      () => {
        const refused = processes.filter((each) => {
          try {
            checkRate(each)
            through++
            return false
          } catch (error) {
            expect(error).toBeInstanceOf(Failure)
            return true
          }
        })
        return refused.length
      },
      { interval: 60, timeout: 20_000 },
    )
    .toBe(2)
  expect(through).toBeGreaterThanOrEqual(checksPerMinute)
  // what was on its way when the last one was let through, and what a minute gives back meanwhile
  expect(through).toBeLessThan(checksPerMinute * 1.6)
  for (const each of processes) {
    sharingOf(each)?.close()
    await each.signals.close()
  }
})
