import { sql } from 'kysely'
import { pino } from 'pino'
import { expect, onTestFinished, test } from 'vitest'
import { useOwnDatabase, testDatabase } from '../../testing/database.ts'
import { badNetwork } from '../../testing/bad-network.ts'
import { systemClock } from '../base/clock.ts'
import { asFailure } from '../http/http-errors.ts'
import { telemetry } from '../base/telemetry.ts'
import { startJobs } from '../jobs/job-runner.ts'
import { enqueue } from '../jobs/jobs.ts'
import { liftStatementLimit, openDatabase } from './pool.ts'
import { openSignals } from './signals.ts'

/** A connection that falls silent neither ends nor fails; each of these waited for ever before. */

await useOwnDatabase()
const { connection } = await testDatabase()
const patience = { silentMs: 300, lostMs: 6000, unlimitedMs: 6000, restMs: 50, answerMs: 300 }
const rest = () => new Promise((resolve) => setTimeout(resolve, 2 * patience.restMs))

async function behindProxy(max: number) {
  const proxy = await badNetwork(connection)
  return { proxy, ...openDatabase(proxy.connection, { max, patience }) }
}
/** Resolves when so many statements with this remark are at work. */
async function areAtWork(remark: string, count: number): Promise<void> {
  const { db, close } = openDatabase(connection, { max: 1 })
  const atWork = sql<{ n: number }>`
    select count(*)::int as n
    from pg_stat_activity
    where state = 'active' and pid <> pg_backend_pid() and query like ${`%/* ${remark} */%`}`
  await expect.poll(async () => (await atWork.execute(db)).rows[0]!.n, { timeout: 10_000 }).toBe(count)
  await close()
}
const backend = sql<{ pid: number }>`select pg_backend_pid() as pid from pg_sleep(0.05)`

test('connections that have fallen silent in the pool are found by asking, and replaced', async () => {
  const { proxy, db, close } = await behindProxy(4)
  const pids = async () =>
    Promise.all(Array.from({ length: 4 }, () => backend.execute(db))).then((all) => all.map(({ rows }) => rows[0]!.pid))
  const before = await pids()
  expect(new Set(before).size).toBe(4)
  let cut = 0
  onTestFinished(telemetry.connectionCut.subscribe(() => void cut++))
  proxy.fallSilent()
  await rest()
  const after = await pids()
  expect(after.filter((pid) => before.includes(pid))).toEqual([])
  expect(cut).toBe(4)
  await close()
})

test('who waits on a connection that falls silent is told to come again, a transaction as well', async () => {
  const { proxy, db, close } = await behindProxy(2)
  // nobody waits during this silence, and the next one is found all the same
  await Promise.all([backend.execute(db), backend.execute(db)])
  await new Promise((resolve) => setTimeout(resolve, 2 * patience.silentMs))
  const slow = sql`select pg_sleep(2) /* silenced */`
  const single = slow.execute(db)
  const whole = db.transaction().execute(async (tx) => {
    await sql`select 1`.execute(tx)
    await slow.execute(tx)
  })
  const waiting = Promise.allSettled([single, whole])
  await areAtWork('silenced', 2)
  proxy.fallSilent()
  for (const outcome of await waiting) {
    expect(outcome.status).toBe('rejected')
    const failure = asFailure((outcome as PromiseRejectedResult).reason)
    expect([failure.reason, failure.status, failure.retryAfter]).toEqual(['unavailable', 503, 5])
  }
  expect((await sql`select 1 as one`.execute(db)).rows).toEqual([{ one: 1 }])
  await close()
})

test('what a transaction holds whose connection has fallen silent is free again soon', async () => {
  const { proxy, db, close } = await behindProxy(1)
  const direct = openDatabase(connection, { max: 1 })
  const lock = sql`select pg_advisory_xact_lock(7, 7)`
  let goOn!: () => void
  const silence = new Promise<void>((resolve) => (goOn = resolve))
  let isHeld = false
  const lost = db.transaction().execute(async (tx) => {
    await lock.execute(tx)
    isHeld = true
    await silence
    await sql`select 1`.execute(tx)
  })
  await expect.poll(() => isHeld).toBe(true)
  proxy.fallSilent()
  goOn()
  await expect(lost).rejects.toMatchObject({ code: '08006' })
  // the session's own limits would end it after a minute, and those who wait give up long before
  await direct.db.transaction().execute((tx) => lock.execute(tx))
  await direct.close()
  await close()
})

test('a statement at which the server is still at work is waited for, however long', async () => {
  const { db, close } = await behindProxy(1)
  const { rows } = await sql`select 1 as one from pg_sleep(1.2)`.execute(db)
  expect(rows).toEqual([{ one: 1 }])
  await close()
})

test('a large answer that gets no further is given up, though its process is still busy with it', async () => {
  const { proxy, db, close } = await behindProxy(1)
  const large = sql`select pg_sleep(1), repeat('x', 50000000) /* large */`.execute(db)
  await areAtWork('large', 1)
  proxy.fallSilent()
  await expect(large).rejects.toMatchObject({ code: '08006' })
  await areAtWork('large', 0)
  await close()
})

test('where the server cannot be asked, it is waited for as long as a statement may take', async () => {
  const proxy = await badNetwork(connection)
  const own = openDatabase(proxy.connection, { max: 1, patience: { ...patience, restMs: 5000 } })
  await sql`select 1`.execute(own.db)
  proxy.close()
  const { rows } = await sql`select 1 as one from pg_sleep(1)`.execute(own.db)
  expect(rows).toEqual([{ one: 1 }])
  const lost = expect(sql`select pg_sleep(2) /* unasked */`.execute(own.db)).rejects.toMatchObject({ code: '08006' })
  await areAtWork('unasked', 1)
  proxy.fallSilent()
  await lost
  await own.close()
})

test('behind a pooler who waits on a silence waits as long as a statement may take, and no longer', async () => {
  const proxy = await badNetwork(connection, { isPooler: true })
  const { db, close } = openDatabase(proxy.connection, {
    max: 2,
    patience: { ...patience, lostMs: 1500, unlimitedMs: 600_000 },
  })
  // what may take as long as it needs is waited for longer
  const long = await db.transaction().execute(async (tx) => {
    await liftStatementLimit(tx)
    return sql`select 1 as one from pg_sleep(3)`.execute(tx)
  })
  expect(long.rows).toEqual([{ one: 1 }])
  const lost = sql`select pg_sleep(2) /* pooled */`.execute(db)
  const within = db.transaction().execute((tx) => sql`select pg_sleep(2) /* pooled */`.execute(tx))
  const waiting = Promise.allSettled([lost, within])
  await areAtWork('pooled', 2)
  proxy.fallSilent()
  for (const outcome of await waiting) expect(outcome).toMatchObject({ reason: { code: '08006' } })
  await close()
})

test('who listens hears again, and is told to look for what was missed', async () => {
  const { db, close } = openDatabase(connection, { max: 1 })
  const proxy = await badNetwork(connection)
  const signals = openSignals(proxy.connection, pino({ level: 'silent' }), 50)
  const heard: string[] = []
  signals.on('message', (payload) => heard.push(payload))
  const call = async (payload: string) => {
    await sql`select pg_notify('message', ${payload})`.execute(db)
    return heard.includes(payload)
  }
  await expect.poll(() => call('one'), { timeout: 10_000 }).toBe(true)
  proxy.fallSilent()
  heard.length = 0
  await expect.poll(() => call('two'), { timeout: 20_000 }).toBe(true)
  // what had come before the silence may be read after it
  expect(heard.find((payload) => payload !== 'one')).toBe('')
  await signals.close()
  await close()
})

test('jobs are taken up again', async () => {
  const { proxy, db, close } = await behindProxy(4)
  const done: string[] = []
  const runner = await startJobs({
    db,
    clock: systemClock,
    log: pino({ level: 'silent' }),
    handlers: { 'silence:try': { run: (job) => Promise.resolve(void done.push(job.jobId)) } },
    pollMs: 100,
    // a claim whose answer the silence swallowed is taken over, which would take longer than this test waits
    beatMs: 500,
    deadMs: 3000,
  })
  const direct = openDatabase(connection, { max: 1 })
  const order = () => enqueue({ db: direct.db, clock: systemClock }, { schoolId: '', kind: 'silence:try' })
  const first = await order()
  await expect.poll(() => done, { timeout: 10_000 }).toContain(first)
  proxy.fallSilent()
  const second = await order()
  await expect.poll(() => done, { timeout: 20_000 }).toContain(second)
  await runner.stop()
  await direct.close()
  await close()
})
