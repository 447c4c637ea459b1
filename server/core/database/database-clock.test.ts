import fastify from 'fastify'
import { sql } from 'kysely'
import { pino } from 'pino'
import { afterEach, expect, test, vi } from 'vitest'
import { testApp } from '../../testing/app.ts'
import { testDatabase } from '../../testing/database.ts'
import { addDays, secondsBetween } from '../base/clock.ts'
import { mountHealth } from '../http/health.ts'
import { openDatabaseClock } from './database-clock.ts'

afterEach(() => void vi.useRealTimers())

const day = 86_400_000
/** Puts the machine's clock ahead, or back; timers and the time that passes stay as they are. */
const putMachine = (ahead: number) => vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + ahead })

async function opened() {
  const { db } = await testDatabase()
  const told: object[] = []
  const log = pino({ level: 'warn' }, { write: (line: string) => void told.push(JSON.parse(line) as object) })
  const clock = await openDatabaseClock(db, log)
  const away = async () => {
    const { rows } = await sql<{ now: string }>`select clock_timestamp() as "now"`.execute(db)
    return Math.abs(secondsBetween(rows[0]!.now, clock.now()))
  }
  return { clock, told, away }
}

test.each([
  ['a day ahead', day],
  ['a day behind', -day],
])('a machine whose clock is %s goes by the database’s, and says so in its log', async (_, ahead) => {
  putMachine(ahead)
  const { clock, told, away } = await opened()
  expect(await away()).toBeLessThanOrEqual(2)
  expect(told).toMatchObject([{ seconds: expect.closeTo(ahead / 1000, -1) as number }])
  clock.close()
})

test('a machine that is right is not told of, and one whose clock is moved meanwhile changes nothing', async () => {
  const { clock, told, away } = await opened()
  expect(await away()).toBeLessThanOrEqual(2)
  expect([told, clock.aheadSeconds!()]).toEqual([[], 0])
  const before = clock.now()
  putMachine(day)
  expect(clock.now() < addDays(before, 1)).toBe(true)
  // it is looked at again, and told
  await expect.poll(() => told).toMatchObject([{ seconds: expect.closeTo(day / 1000, -1) as number }])
  expect(await away()).toBeLessThanOrEqual(2)
  vi.useRealTimers()
  expect(await away()).toBeLessThanOrEqual(2)
  clock.close()
})

test('a few seconds are told too, in the log and to whoever asks for readiness', async () => {
  putMachine(5000)
  const { clock, told, away } = await opened()
  expect(await away()).toBeLessThanOrEqual(2)
  expect(told).toMatchObject([{ seconds: expect.closeTo(5, 0) as number }])
  const app = fastify()
  const { services } = await testApp()
  mountHealth(app, { ...services, clock })
  expect((await app.inject('/readyz')).json()).toMatchObject({ status: 'ok', clock: expect.closeTo(5, 0) as number })
  await app.close()
  clock.close()
})
