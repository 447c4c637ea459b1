import { sql } from 'kysely'
import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { jobStatus } from '../../../contract/core/codes/platform.ts'
import { asOwner, ownDatabase, type TestDatabase } from '../../testing/database.ts'
import { addSeconds, systemClock, type Clock } from '../base/clock.ts'
import { openDatabase, type Database } from '../database/pool.ts'
import { delaysOf } from './delays.ts'
import { startJobs, type Job, type JobHandlers, type JobRunner } from './job-runner.ts'
import { openSignals, type Signals } from '../database/signals.ts'
import { backOff, cancelJobs, claimJob, enqueue, JobLost, removeOldJobs, settle } from './jobs.ts'

const log = pino({ level: 'silent' })
let database: TestDatabase
let second: Database
let ahead = 0
const clock: Clock = { now: () => addSeconds(systemClock.now(), ahead) }
let runners: JobRunner[] = []
let signals: Signals[] = []

beforeAll(async () => {
  database = await ownDatabase()
  second = openDatabase(database.connection, { max: 4 })
  await asOwner(
    (db) => sql.raw('create table effect (job text); grant insert, select on effect to public').execute(db),
    database,
  )
})
afterAll(async () => {
  await second.close()
  await database.close()
})
beforeEach(async () => {
  ahead = 0
  await asOwner((db) => sql`truncate job, effect`.execute(db), database)
})
afterEach(async () => {
  await Promise.all(runners.map((runner) => runner.stop(100)))
  await Promise.all(signals.map((one) => one.close()))
  ;[runners, signals] = [[], []]
})

async function run(
  handlers: JobHandlers,
  { db }: Database = database,
  more: { listens?: boolean; deadMs?: number; beatMs?: number; instance?: string } = {},
): Promise<JobRunner> {
  const heard = more.listens ? openSignals(database.connection, log) : undefined
  if (heard) signals.push(heard)
  const runner = await startJobs({
    db,
    clock,
    log,
    handlers,
    signals: heard,
    pollMs: more.listens ? 60_000 : 50,
    beatMs: more.beatMs ?? 50,
    deadMs: more.deadMs ?? 30_000,
    concurrency: 4,
    instance: more.instance,
  })
  runners.push(runner)
  return runner
}
const ask = (kind: string, more: { key?: string; payload?: unknown; runAt?: string } = {}) =>
  enqueue({ db: database.db, clock }, { schoolId: 's', kind, ...more })
const state = (jobId: string) =>
  database.db
    .selectFrom('job')
    .select(['jobKind', 'jobStatus', 'progress', 'result', 'error', 'endTime', 'runner'])
    .where('schoolId', '=', 's')
    .where('jobId', '=', jobId)
    .executeTakeFirstOrThrow()
const until = (jobId: string, status: string) =>
  expect.poll(async () => (await state(jobId)).jobStatus, { timeout: 5000 }).toBe(status)

test('two runners on one database do each job exactly once', async () => {
  const handlers: JobHandlers = {
    note: {
      run: (job) =>
        database.db.transaction().execute(async (tx) => {
          await sql`insert into effect values (${(job.payload as { n: number }).n})`.execute(tx)
          await job.finish(tx, 'noted')
        }),
    },
  }
  const jobs = await Promise.all(Array.from({ length: 100 }, (_, n) => ask('note', { payload: { n } })))
  await Promise.all([run(handlers), run(handlers, second)])
  for (const jobId of jobs) await until(jobId, '2')
  const { rows } = await sql<{ job: string }>`select job from effect`.execute(database.db)
  expect(rows.map((row) => Number(row.job)).sort((a, b) => a - b)).toEqual(Array.from({ length: 100 }, (_, n) => n))
  expect(await state(jobs[0]!)).toMatchObject({ result: 'noted', progress: 100, error: '' })
})

test('a job whose runner died is taken over, and the dead one can no longer finish it', async () => {
  const jobId = await ask('orphan')
  const dead = (await claimJob(second.db, ['orphan'], clock.now(), 30))!
  const seen: number[] = []
  await run({ orphan: { run: async (job) => void seen.push(job.attempts) } }, database, {
    deadMs: 300,
    instance: 'second-machine:7',
  })
  await until(jobId, '2')
  expect(seen).toEqual([2])
  expect(await state(jobId)).toMatchObject({ runner: 'second-machine:7' })
  await expect(settle({ db: second.db, clock }, dead, { status: '2', result: null })).rejects.toThrow(JobLost)
})

test('a runner that lives keeps its job however long it takes', async () => {
  let runs = 0
  const handlers: JobHandlers = {
    long: {
      run: async () => {
        runs++
        await new Promise((done) => setTimeout(done, 1000))
      },
    },
  }
  const jobId = await ask('long')
  await Promise.all([run(handlers, database, { deadMs: 300 }), run(handlers, second, { deadMs: 300 })])
  await until(jobId, '2')
  expect(runs).toBe(1)
})

test('a job that kills its runner every time is given up', async () => {
  const jobId = await ask('deadly')
  for (let i = 0; i < 5; i++) await claimJob(database.db, ['deadly'], clock.now(), 0)
  const given: string[] = []
  await run(
    { deadly: { run: async () => expect.unreachable(), gaveUp: async (claim) => void given.push(claim.jobId) } },
    database,
    { deadMs: 100 },
  )
  await until(jobId, '3')
  expect(given).toEqual([jobId])
})

test('a kind may leave room for others', async () => {
  let [now, highest] = [0, 0]
  const long = async () => {
    highest = Math.max(highest, ++now)
    await new Promise((done) => setTimeout(done, 30))
    now--
  }
  const jobs = await Promise.all(Array.from({ length: 6 }, () => ask('long')))
  const short = await ask('short')
  await run({ long: { atOnce: 2, run: long }, short: { run: async () => {} } })
  for (const jobId of [...jobs, short]) await until(jobId, '2')
  expect(highest).toBe(2)
})

test('schools take turns, and none has every place of a runner', async () => {
  const { db } = database
  const of = (schoolId: string, count: number) =>
    Promise.all(Array.from({ length: count }, () => enqueue({ db, clock }, { schoolId, kind: 'fair' })))
  await of('noisy', 40)
  ahead = 1
  await of('quiet', 2)
  await of('', 1)
  ahead = 2
  const taken = []
  for (let at = 0; at < 6; at++) taken.push(await claimJob(db, ['fair'], clock.now(), 30))
  // whoever asked first, then whoever has nothing running, whatever waits before them
  expect(taken.slice(0, 3).map((one) => one!.schoolId)).toEqual(expect.arrayContaining(['noisy', 'quiet', '']))
  expect(taken.slice(3, 5).map((one) => one!.schoolId)).toEqual(expect.arrayContaining(['noisy', 'quiet']))
  expect(taken[5]!.schoolId).toBe('noisy')
  expect((await claimJob(db, ['fair'], clock.now(), 30, ['noisy']))?.schoolId).toBeUndefined()

  const begun: string[] = []
  let end = (): void => undefined
  const held = new Promise<void>((resolve) => (end = resolve))
  await run({ fair: { run: (job) => (begun.push(job.schoolId), held) } })
  await expect.poll(() => begun).toEqual(['noisy', 'noisy', 'noisy'])
  await of('quiet', 1)
  await expect.poll(() => begun).toEqual(['noisy', 'noisy', 'noisy', 'quiet'])
  end()
})

test('a job that ends in the very moment in which a look ends has the next one taken', async () => {
  const { db } = database
  const taken: string[] = []
  let end = (): void => undefined
  const handlers: JobHandlers = {
    // done within its own transaction, it ends without asking the database once more
    first: { run: async (job) => (await job.finish(db), new Promise<void>((resolve) => (end = resolve))) },
    next: { run: async (job) => void taken.push(job.jobId) },
  }
  const runner = await startJobs({ db, clock, log, handlers, concurrency: 1, pollMs: 60_000 })
  runners.push(runner)
  for (let turns = 0; turns < 6; turns++) {
    const first = await ask('first')
    runner.wake()
    await until(first, jobStatus.done)
    const next = await ask('next')
    end()
    for (let turn = 0; turn < turns; turn++) await Promise.resolve()
    runner.wake()
    await runner.idle()
    expect(taken, `${turns} turns later`).toContain(next)
  }
})

test('asking wakes a listening runner at once; work asked for in a transaction waits for its end', async () => {
  const started = new Map<string, number>()
  const runner = await run(
    { woken: { run: async (job) => void started.set(job.jobId, performance.now()) } },
    database,
    { listens: true },
  )
  await runner.idle()
  await expect
    .poll(
      async () =>
        (
          await sql<{
            n: number
          }>`
            select count(*)::int n
            from pg_stat_activity
            where query = 'listen job' and datname = current_database()`.execute(database.db)
        ).rows[0]?.n,
    )
    .toBe(1)
  let asked = 0
  const jobId = await database.db.transaction().execute(async (db) => {
    const id = await enqueue({ db, clock }, { schoolId: 's', kind: 'woken' })
    await new Promise((done) => setTimeout(done, 200))
    expect(started.size).toBe(0)
    asked = performance.now()
    return id
  })
  await until(jobId, '2')
  expect(started.get(jobId)! - asked).toBeLessThan(1000)
})

test('a job waits for its moment', async () => {
  const jobId = await ask('later', { runAt: addSeconds(clock.now(), 3600) })
  const runner = await run({ later: { run: async () => {} } })
  await runner.idle()
  expect((await state(jobId)).jobStatus).toBe('0')
  ahead = 3601
  await until(jobId, '2')
})

test('a failure is tried again later and later, and in the end given up with its reason', async () => {
  const jobId = await ask('broken')
  let tries = 0
  const runner = await run({
    broken: {
      attempts: 3,
      run: async () => {
        tries++
        throw new Error('打印机没有纸')
      },
    },
  })
  for (let i = 1; i <= 3; i++) {
    await runner.idle()
    expect(tries).toBe(i)
    expect(await state(jobId)).toMatchObject({ jobStatus: i < 3 ? '0' : '3', error: '打印机没有纸' })
    ahead += backOff(i) + 1
  }
  expect([1, 2, 3, 4, 5].map(backOff)).toEqual([5, 20, 80, 320, 600])
})

test('a key waits once: asking again changes moment and payload', async () => {
  const later = addSeconds(clock.now(), 100)
  const jobId = await ask('keyed', { key: 'k', payload: { n: 1 }, runAt: later })
  expect(await ask('keyed', { key: 'k', payload: { n: 2 } })).toBe(jobId)
  const seen: unknown[] = []
  await run({ keyed: { run: async (job) => void seen.push(job.payload) } })
  await until(jobId, '2')
  expect(seen).toEqual([{ n: 2 }])
  expect(await ask('keyed', { key: 'k', runAt: later })).not.toBe(jobId)
})

test('a key asked for while it runs runs once more', async () => {
  const seen: unknown[] = []
  let goOn = () => {}
  await run({
    again: {
      run: async (job) => {
        seen.push(job.payload)
        if (seen.length === 1) await new Promise<void>((done) => (goOn = done))
      },
    },
  })
  const jobId = await ask('again', { key: 'k', payload: 1 })
  await until(jobId, '1')
  await expect.poll(() => seen.length).toBe(1)
  for (const n of [2, 3]) expect(await ask('again', { key: 'k', payload: n })).toBe(jobId)
  goOn()
  await until(jobId, '2')
  expect(seen).toEqual([1, 3])
})

test('a cancelled job stops, and its transaction is rolled back', async () => {
  let job: Job | undefined
  const handlers: JobHandlers = {
    cancelled: {
      run: (given) =>
        database.db.transaction().execute(async (tx) => {
          job = given
          await sql`insert into effect values ('cancelled')`.execute(tx)
          await new Promise((done) => given.signal.addEventListener('abort', done))
          await given.finish(tx)
        }),
    },
  }
  const jobId = await ask('cancelled')
  const runner = await run(handlers)
  await expect.poll(() => job).toBeDefined()
  expect(await cancelJobs({ db: database.db, clock }, { schoolId: 'other', jobId })).toBe(0)
  expect(await cancelJobs({ db: database.db, clock }, { schoolId: 's', jobId })).toBe(1)
  await runner.idle()
  expect((await state(jobId)).jobStatus).toBe('4')
  expect((await sql`select 1 from effect`.execute(database.db)).rows).toEqual([])
  await expect(job!.progress(50)).rejects.toThrow(JobLost)
  const waiting = await ask('cancelled', { key: 'w', runAt: addSeconds(clock.now(), 60) })
  expect(await cancelJobs({ db: database.db, clock }, { schoolId: 's', kind: 'cancelled', key: 'w' })).toBe(1)
  expect((await state(waiting)).jobStatus).toBe('4')
})

test('a job that is cancelled while it fails is left alone at once', async () => {
  const told: string[] = []
  const heard = pino({ level: 'info' }, { write: (line) => void told.push((JSON.parse(line) as { msg: string }).msg) })
  const jobId = await ask('failing')
  const failing = async () => {
    await cancelJobs({ db: database.db, clock }, { schoolId: 's', jobId })
    throw new Error('打印机没有纸')
  }
  // it beats too seldom to hear of it
  const handlers = { failing: { run: failing } }
  const runner = await startJobs({ db: database.db, clock, log: heard, handlers, beatMs: 60_000 })
  runners.push(runner)
  await runner.idle()
  expect(told).toEqual(['job failed', 'job cancelled or taken over'])
  expect((await state(jobId)).jobStatus).toBe(jobStatus.cancelled)
})

test('progress is seen while it runs', async () => {
  let goOn = () => {}
  await run({
    slow: {
      run: async (job) => {
        await job.progress(41.6)
        await new Promise<void>((done) => (goOn = done))
      },
    },
  })
  const jobId = await ask('slow')
  await expect.poll(async () => (await state(jobId)).progress).toBe(42)
  goOn()
  await until(jobId, '2')
})

test('a recurring job runs once a period for all runners together, failures included', async () => {
  let runs = 0
  const handlers: JobHandlers = {
    tick: {
      every: 60,
      run: async () => {
        if (++runs === 2) throw new Error('once')
      },
    },
  }
  const both = await Promise.all([run(handlers), run(handlers, second)])
  const settled = async (count: number) => {
    await expect.poll(() => runs).toBe(count)
    for (const runner of both) await runner.idle()
    expect(runs).toBe(count)
  }
  await settled(1)
  ahead += 61
  await settled(2)
  ahead += 61
  await settled(3)
  expect((await sql<{ n: number }>`select count(*)::int n from job`.execute(database.db)).rows[0]?.n).toBe(1)
})

test('a recurring job that breaks off at each of its tries is told until it comes to its end', async () => {
  let [runs, works] = [0, false]
  const tick = async () => {
    runs++
    if (!works) throw new Error('always')
  }
  const runner = await run({ tick: { every: 60, run: tick } })
  const failing: number[] = []
  for (let round = 1; round <= 8; round++) {
    works = round === 8
    await expect.poll(() => runs).toBe(round)
    await runner.idle()
    failing.push((await delaysOf(database.db)).failing)
    ahead += 61
  }
  expect(failing).toEqual([0, 0, 0, 0, 0, 1, 1, 0])
})

test('stopping gives a running job back without counting the try', async () => {
  const jobId = await ask('stopped')
  let started = false
  const runner = await run({
    stopped: {
      run: async ({ signal }) => {
        started = true
        await new Promise((_, fail) => signal.addEventListener('abort', () => fail(signal.reason as Error)))
      },
    },
  })
  await expect.poll(() => started).toBe(true)
  await runner.stop(50)
  expect(await state(jobId)).toMatchObject({ jobStatus: jobStatus.waiting, error: '' })
  expect((await claimJob(database.db, ['stopped'], clock.now(), 30))?.attempts).toBe(1)
})

test('a handler deaf to its signal is waited for once, however often the runner is stopped', async () => {
  let started = false
  const runner = await run({ deaf: { run: () => new Promise(() => (started = true)) } })
  await ask('deaf')
  await expect.poll(() => started).toBe(true)
  await runner.stop(50)
  // by itself it would outlast the test
  await runner.stop(600_000)
})

test('a broken listening connection is replaced', async () => {
  await run({ x: { run: async () => {} } }, database, { listens: true })
  const listening = async () =>
    (
      await sql<{
        pid: number
      }>`
        select pid
        from pg_stat_activity
        where query = 'listen job' and datname = current_database()`.execute(database.db)
    ).rows[0]?.pid
  await expect.poll(listening).toBeDefined()
  const first = await listening()
  await sql`select pg_terminate_backend(${first})`.execute(database.db)
  await expect
    .poll(
      async () => {
        const pid = await listening()
        return pid !== undefined && pid !== first
      },
      { timeout: 5000 },
    )
    .toBe(true)
  await until(await ask('x'), '2')
})

test('old ended jobs are removed', async () => {
  await run({ old: { run: async () => {} } })
  await until(await ask('old'), '2')
  expect(await removeOldJobs({ db: database.db, clock })).toBe(0)
  ahead = 31 * 86_400
  expect(await removeOldJobs({ db: database.db, clock })).toBe(1)
})
