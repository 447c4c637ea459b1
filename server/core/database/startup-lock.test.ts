import { sql, type Kysely } from 'kysely'
import pg from 'pg'
import { expect, test } from 'vitest'
import { badNetwork } from '../../testing/bad-network.ts'
import { ownDatabase } from '../../testing/database.ts'
import { things } from '../../testing/migrating-process.ts'
import type { Connection } from './connection.ts'
import { migrate } from './migrate.ts'
import { startupLocks, withStartupLock } from './startup-lock.ts'

/** Another program that has a lock and does nothing else, until it is ended. */
async function holding(connection: Connection, number: number) {
  const client = new pg.Client({ ...connection, application_name: 'second-classroom elsewhere' })
  await client.connect()
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() pid, pg_advisory_lock($1)', [number])
  return { pid: rows[0]!.pid, end: () => client.end() }
}

test.each([
  {
    what: '升级表结构',
    number: startupLocks.migration,
    start: (owner: Connection, print: (text: string) => void) => migrate(owner, things, { print, tellEveryMs: 100 }),
    done: ['1-progress', '2-table'],
  },
  {
    what: '建立第一所学校',
    number: startupLocks.firstSchools,
    start: (owner: Connection, print: (text: string) => void) =>
      withStartupLock(
        owner,
        startupLocks.firstSchools,
        { what: '建立第一所学校', print, tellEveryMs: 100 },
        async () => ['done'],
      ),
    done: ['done'],
  },
])('a start that waits for another one to be through ($what) says so again and again, and goes on', async (one) => {
  const { owner, close } = await ownDatabase('empty')
  const other = await holding(owner, one.number)
  const said: string[] = []
  const starting = one.start(owner, (text) => said.push(text))
  await expect.poll(() => said.length, { timeout: 30_000 }).toBeGreaterThan(1)
  expect(said[0]).toMatch(
    new RegExp(
      `^正在等待另一个进程${one.what}，自 [-\\d]+ [:\\d]+ 起，已 \\d+ 秒：数据库进程 ${other.pid}（second-classroom elsewhere，来自 \\S+，[-\\d]+ [:\\d]+ 连接）`,
    ),
  )
  await other.end()
  expect(await starting).toEqual(one.done)
  await close()
})

const silence = { silentMs: 300, answerMs: 300 }

test('a migration whose connections fall silent ends in words, and the next start does it at once', async () => {
  const { owner, db, close } = await ownDatabase('empty')
  const proxy = await badNetwork(owner)
  const slow = { '1-slow': { up: (tx: Kysely<unknown>) => sql`select pg_sleep(1)`.execute(tx).then(() => {}) } }
  const starting = expect(migrate(proxy.connection, slow, { silence })).rejects.toThrow(
    /^升级表结构时与数据库的连接中断（.+）。已经做完的步骤保留；.*从中断处继续。$/,
  )
  const atWork = sql<{ n: number }>`
    select count(*)::int as n
    from pg_stat_activity
    where datname = current_database() and state = 'active' and query = 'select pg_sleep(1)'`
  await expect.poll(async () => (await atWork.execute(db)).rows[0]!.n, { timeout: 20_000 }).toBe(1)
  proxy.fallSilent()
  await starting
  const said: string[] = []
  expect(await migrate(owner, slow, { print: (text) => said.push(text), tellEveryMs: 3000 })).toEqual(['1-slow'])
  expect(said).toEqual([])
  await close()
})

test('a start that waits for its turn over a connection that falls silent is refused', async () => {
  const { owner, close } = await ownDatabase('empty')
  const other = await holding(owner, startupLocks.firstSchools)
  const proxy = await badNetwork(owner)
  let isTold = false
  const waiting = { what: '建立第一所学校', print: () => void (isTold = true), tellEveryMs: 100 }
  const starting = withStartupLock(proxy.connection, startupLocks.firstSchools, waiting, async () => {}, silence)
  const refused = expect(starting).rejects.toMatchObject({ code: '08006' })
  await expect.poll(() => isTold, { timeout: 20_000 }).toBe(true)
  proxy.fallSilent()
  await refused
  await other.end()
  await close()
})

test('a start that nobody is in the way of says nothing', async () => {
  const { owner, close } = await ownDatabase('empty')
  const said: string[] = []
  await migrate(owner, things, { print: (text) => said.push(text), tellEveryMs: 0 })
  expect(said).toEqual([])
  await close()
})

test('a start tells those who wait for it who it is', async () => {
  const { owner, close } = await ownDatabase('empty')
  const said: string[] = []
  const waiting = { what: '建立第一所学校', print: (text: string) => said.push(text), tellEveryMs: 100 }
  let end: (() => void) | undefined
  const work = () => new Promise<void>((done) => (end = done))
  const first = withStartupLock(owner, startupLocks.firstSchools, waiting, work)
  await expect.poll(() => end).toBeDefined()
  const second = withStartupLock(owner, startupLocks.firstSchools, waiting, async () => undefined)
  await expect.poll(() => said.join(), { timeout: 30_000 }).toContain('（second-classroom start，')
  end!()
  await Promise.all([first, second])
  await close()
})
