import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { testDatabase } from '../../testing/database.ts'
import { together } from '../base/together.ts'
import { sharingConnection, wholeDatabase } from './pipelining.ts'
import { openDatabase, type Database, type Db } from './pool.ts'

let opened: Database
beforeAll(async () => {
  opened = openDatabase((await testDatabase()).connection, { max: 3 })
})
afterAll(() => opened.close())

const backend = async (db: Db) => (await sql<{ pid: number }>`select pg_backend_pid() pid`.execute(db)).rows[0]!.pid
const inUse = () => opened.pool.totalCount - opened.pool.idleCount

test('statements of a request that are under way together share a connection, and those of two requests do not', async () => {
  const [one, other] = [sharingConnection(opened.db), sharingConnection(opened.db)]
  const [a, b, c, d] = await together(backend(one), backend(one), backend(other), backend(other))
  expect([b, d]).toEqual([a, c])
  expect(a).not.toBe(c)
})

test('between its statements a request holds no connection, so that more requests than connections go on', async () => {
  const ends = Array.from({ length: 12 }, async () => {
    const db = sharingConnection(opened.db)
    await together(backend(db), backend(db))
    // a statement of the whole database while others wait for connections
    await backend(wholeDatabase(db))
    return backend(db)
  })
  expect((await together(...ends)).every((pid) => pid > 0)).toBe(true)
  expect(inUse()).toBe(0)
})

test('one that fails leaves the others as they are, and the connection is given back', async () => {
  const db = sharingConnection(opened.db)
  const [failed, good] = await Promise.allSettled([sql`select 1 / 0`.execute(db), backend(db)])
  expect([failed.status, good.status]).toEqual(['rejected', 'fulfilled'])
  expect(inUse()).toBe(0)
})

test('a transaction has a connection of its own, beside which the request reads on', async () => {
  const db = sharingConnection(opened.db)
  const [outside, inside] = await together(
    sql`select pg_sleep(0.05)`.execute(db).then(() => backend(db)),
    db.transaction().execute((tx) => together(backend(tx), sql`select pg_sleep(0.1)`.execute(tx), backend(tx))),
  )
  expect(inside[0]).toBe(inside[2])
  expect(outside).not.toBe(inside[0])
})

test('what cannot be connected is told to each of them', async () => {
  const closed = openDatabase({ host: '127.0.0.1', port: 1 }, { max: 1 })
  const db = sharingConnection(closed.db)
  const answers = await Promise.allSettled([backend(db), backend(db)])
  expect(answers.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  await closed.close()
})
