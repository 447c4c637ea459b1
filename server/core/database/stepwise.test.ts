import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import pg from 'pg'
import { expect, test, vi } from 'vitest'
import { ownDatabase } from '../../testing/database.ts'
import { later, patience, things } from '../../testing/migrating-process.ts'
import { bundledFile } from '../base/bundled-file.ts'
import { backfill } from './backfill.ts'
import { concurrentIndex } from './concurrent-index.ts'
import type { Connection } from './connection.ts'
import { migrate, type Migrations } from './migrate.ts'

vi.setConfig({ testTimeout: 180_000 })

/** A database with things, and what one asks it. */
async function opened() {
  const { owner, close } = await ownDatabase('empty')
  await migrate(owner, things)
  const client = new pg.Client(owner)
  await client.connect()
  const one = async <R>(text: string): Promise<R> => (await client.query<{ value: R }>(text)).rows[0]!.value
  return {
    owner,
    one,
    filled: () => one<number>('select count(*)::int "value" from thing where fills > 0'),
    indexState: () =>
      one<string>(`select coalesce(string_agg(indisvalid::text, ','), 'none') "value"
        from pg_index where indexrelid = to_regclass('thing_new')`),
    close: async () => {
      await client.end()
      await close()
    },
  }
}

/** Somebody else's transaction. */
async function transaction(connection: Connection, text: string) {
  const client = new pg.Client({ ...connection, application_name: 'nightly dump' })
  await client.connect()
  await client.query(`begin; ${text}`)
  return { end: () => client.end() }
}

/** A process that migrates; `kill` ends it as a cut of the power does. */
function begin(connection: Connection) {
  const child = spawn(
    process.execPath,
    [
      fileURLToPath(bundledFile(new URL('../../testing/migrating-process.ts', import.meta.url))),
      JSON.stringify(connection),
    ],
    { stdio: 'inherit' },
  )
  const ended = once(child, 'exit')
  return { kill: () => (child.kill('SIGKILL'), ended) }
}

test('a backfill that is killed goes on behind its last batch, with a process of the version before still writing', async () => {
  const { owner, one, filled, close } = await opened()
  const old = new pg.Client(owner)
  await old.connect()
  const writing = { goesOn: true, rows: 0 }
  const writer = (async () => {
    for (; writing.goesOn; writing.rows++) await old.query(`insert into thing ("schoolId", old) values ('school1', -1)`)
  })()
  const seen: number[] = []
  for (const upTo of [500, 2000]) {
    const process = begin(owner)
    await expect.poll(filled, { timeout: 60_000, interval: 20 }).toBeGreaterThan(upTo)
    await process.kill()
    seen.push(await filled())
  }
  expect(seen[1]!).toBeLessThan(6000)
  const migrating = migrate(owner, later, { patience })
  await expect.poll(filled, { timeout: 60_000, interval: 20 }).toBeGreaterThanOrEqual(6000)
  writing.goesOn = false
  await writer
  expect(await migrating).toEqual(['3-fill', '4-index'])
  expect(writing.rows).toBeGreaterThan(50)
  // every row that was there at the beginning, and none of them twice
  expect(await one('select count(*)::int "value" from thing where old > 0 and (new, fills) = (old * 2, 1)')).toBe(6000)
  expect(await one('select max(fills) "value" from thing')).toBe(1)
  expect(
    await one(
      `select "rowCount"::int - (select count(*) from thing where fills = 1)::int "value" from "migrationProgress" where "endTime" is not null`,
    ),
  ).toBe(0)
  await old.end()
  await close()
})

test('a backfill stands back where somebody keeps rows, keeps what it has done, and goes on', async () => {
  const { owner, one, filled, close } = await opened()
  const keeper = await transaction(owner, `select * from thing where "schoolId" = 'school2' for update`)
  const said: string[] = []
  const migrating = migrate(owner, later, { patience, print: (text) => said.push(text) })
  await expect.poll(() => said.length, { timeout: 60_000 }).toBeGreaterThan(1)
  expect(said[0]).toMatch(/^升级表结构（3-fill）等锁.*nightly dump/)
  const before = await filled()
  expect(before).toBeGreaterThan(3800)
  await keeper.end()
  expect(await migrating).toEqual(['3-fill', '4-index'])
  expect(await one('select sum(fills)::int "value" from thing')).toBe(6000)
  await close()
})

test('a batch that takes too long is halved; one that is through does nothing more', async () => {
  const { owner, one, close } = await opened()
  const slow: Migrations = {
    ...things,
    '3-slow': {
      isStepwise: true,
      up: async (db) => {
        const what = {
          name: '3-slow',
          table: 'thing',
          key: ['schoolId', 'id'],
          set: 'fills = fills + 1, new = case when pg_sleep(0.002) is null then 0 else 1 end',
          where: 'new is null and old <= 60',
          batchRows: 6000,
          pauseMs: 0,
          statementTimeoutMs: 60,
        }
        await sql`insert into thing ("schoolId", id, new) values ('done', gen_random_uuid(), 1)`.execute(db)
        expect(await backfill(db, what)).toBe(60)
        await sql`update thing set new = null where old = 1`.execute(db)
        expect(await backfill(db, what)).toBe(60)
      },
    },
  }
  await migrate(owner, slow)
  expect(await one('select sum(fills)::int "value" from thing')).toBe(60)
  await close()
})

test('an index whose building was killed is dropped and made anew, or taken as the server finished it', async () => {
  const { owner, one, indexState, close } = await opened()
  const [progress, table, fill] = Object.keys(later)
  await migrate(owner, { [progress!]: later[progress!]!, [table!]: later[table!]!, [fill!]: later[fill!]! })
  const reader = await transaction(
    owner,
    'set transaction isolation level repeatable read; select * from thing limit 1',
  )
  const killed = begin(owner)
  // it waits for the reader
  await expect.poll(indexState, { timeout: 60_000, interval: 20 }).toBe('false')
  await killed.kill()
  await reader.end()
  expect(await migrate(owner, later, { patience })).toEqual(['4-index'])
  expect(await indexState()).toBe('true')
  expect(await one(`select count(*)::int "value" from pg_indexes where tablename = 'thing'`)).toBe(2)
  await close()
})

test('an index behind a long transaction keeps nobody from writing, says whom it waits for, and is tried again', async () => {
  const { owner, one, indexState, close } = await opened()
  const reader = await transaction(
    owner,
    'set transaction isolation level repeatable read; select * from thing limit 1',
  )
  const said: string[] = []
  // two processes that start together: the one that waits for its turn is nobody to wait for
  const both = [0, 1].map(() => migrate(owner, later, { patience, print: (text) => said.push(text) }))
  await expect.poll(indexState, { timeout: 60_000, interval: 20 }).toBe('false')
  expect(await one(`with written as (insert into thing ("schoolId") values ('w') returning 1) select 1 "value"`)).toBe(
    1,
  )
  await expect.poll(() => said.length, { timeout: 60_000 }).toBeGreaterThan(1)
  expect(said.at(-1)).toMatch(/^升级表结构（4-index）等锁.*nightly dump/)
  await reader.end()
  expect((await Promise.all(both)).flat()).toEqual(['3-fill', '4-index'])
  expect(await indexState()).toBe('true')
  await close()
})

test('a unique index that rows contradict fails, and is made when they are put right', async () => {
  const { owner, one, indexState, close } = await opened()
  const unique: Migrations = {
    ...things,
    '3-unique': {
      isStepwise: true,
      up: (db) => concurrentIndex(db, { name: 'thing_new', on: 'thing (old)', isUnique: true }),
    },
  }
  await one('with twice as (update thing set old = 1 where old = 2 returning 1) select 1 "value"')
  await expect(migrate(owner, unique)).rejects.toThrow(/3-unique failed.*could not create unique index/)
  expect(await indexState()).toBe('false')
  await one(
    'with put as (update thing set old = 2 where id = (select id from thing where old = 1 limit 1) returning 1) select 1 "value"',
  )
  expect(await migrate(owner, unique)).toEqual(['3-unique'])
  expect(await indexState()).toBe('true')
  await close()
})

test('the helpers refuse a migration that is one transaction', async () => {
  const { owner, close } = await opened()
  const wrong = { ...later, '4-index': { ...later['4-index']!, isStepwise: false } }
  await expect(migrate(owner, wrong)).rejects.toThrow(/isStepwise/)
  await close()
})
