import { sql } from 'kysely'
import pg from 'pg'
import { expect, test } from 'vitest'
import { ownDatabase } from '../../testing/database.ts'
import { StartFault } from '../base/start-fault.ts'
import { LockWatch } from './lock-watch.ts'
import { migrate, type Migrations } from './migrate.ts'

const create: Migrations = {
  '1-table': { up: async (tx) => void (await sql`create table thing (a int)`.execute(tx)) },
}
const all: Migrations = {
  ...create,
  '2-column': { up: async (tx) => void (await sql`alter table thing add b int`.execute(tx)) },
}

/** A long transaction that reads the table, as a dump does. */
async function longReader(connection: pg.ClientConfig) {
  const client = new pg.Client({ ...connection, application_name: 'nightly dump' })
  await client.connect()
  await client.query('begin; select * from thing')
  return { end: () => client.end(), client }
}

test('a migration behind a long transaction stands back so that others pass, tells who holds it, and goes on', async () => {
  const { connection, db, close } = await ownDatabase('empty')
  await migrate(connection, create)
  const reader = await longReader(connection)
  const said: string[] = []
  let passed = 0
  const migrating = migrate(connection, all, {
    print: (text) => said.push(text),
    patience: { timeoutMs: 600, retryAfterMs: [400, 400, 400, 400, 400, 400] },
  })
  while (said.length < 2) {
    await sql`insert into thing values (1)`.execute(db)
    passed++
  }
  expect(passed).toBeGreaterThan(2)
  await reader.end()
  expect(await migrating).toEqual(['2-column'])
  expect(said[0]).toMatch(
    /^升级表结构（2-column）等锁超过 0.6 秒.*表 thing 被进程 \d+（nightly dump，idle in transaction/,
  )
  await close()
})

test('one that never gets its lock gives up in words, leaves nothing of itself, and the next start does it', async () => {
  const { connection, db, close } = await ownDatabase('empty')
  await migrate(connection, create)
  const reader = await longReader(connection)
  const refused = migrate(connection, all, { patience: { timeoutMs: 300, retryAfterMs: [50] } })
  await expect(refused).rejects.toBeInstanceOf(StartFault)
  await expect(refused).rejects.toThrow(
    /等不到锁（2-column），试了 2 次：表 thing 被进程 \d+（nightly dump.*\n.*pg_terminate_backend/,
  )
  const columns = await sql<{ n: number }>`
    select count(*)::int n from pg_attribute where attrelid = 'thing'::regclass and attnum > 0`.execute(db)
  expect(columns.rows[0]?.n).toBe(1)
  await reader.end()
  expect(await migrate(connection, all)).toEqual(['2-column'])
  await close()
})

test('what is done at once is not held up until the next look', async () => {
  const patience = { timeoutMs: 4000, retryAfterMs: [] }
  let isOver = false
  void new LockWatch(new pg.Client(), () => {}, patience).during(async () => {}).then(() => (isOver = true))
  // a few turns of the event loop, which are over long before the first look would be
  for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate)
  expect(isOver).toBe(true)
})
