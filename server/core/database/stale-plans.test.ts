import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { ownDatabase } from '../../testing/database.ts'
import { together } from '../base/together.ts'
import { asFailure } from '../http/http-errors.ts'
import type { Context } from '../request/context.ts'
import { inTransaction } from '../request/transaction.ts'
import { openDatabase, type Db } from './pool.ts'

/** What PostgreSQL has planned for a connection outlives a change of the schema, and is refused from then on. */

type Row = Record<string, number>
const read = (db: Db) => sql<Row>`select * from "growing" where "id" = ${1}`.execute(db)
const write = (db: Db) =>
  sql<Row>`
    update "growing" set "at" = "at" + ${1}
    returning *`.execute(db)

/** A table to which a newer release adds columns, and so many connections that have read and written it before. */
async function growing(max: number) {
  const { db: owner, connection, close } = await ownDatabase('empty')
  await sql`create table "growing" ("id" int primary key, "at" int not null default 0)`.execute(owner)
  await sql`insert into "growing" values (1)`.execute(owner)
  const own = openDatabase(connection, { max })
  let waiting = max
  let goOn!: () => void
  const all = new Promise<void>((resolve) => (goOn = resolve))
  await Promise.all(
    Array.from({ length: max }, () =>
      own.db.connection().execute(async (one) => {
        await read(one)
        await write(one)
        if (--waiting === 0) goOn()
        await all
      }),
    ),
  )
  expect(own.pool.totalCount).toBe(max)
  return {
    ...own,
    before: { id: 1, at: max },
    grow: () => sql`alter table "growing" add column "more" int not null default 7`.execute(owner),
    end: () => together(own.close(), close()),
  }
}

test.each([
  ['a read', read, 1],
  ['a write', write, 2],
] as const)('%s of all columns goes on when a newer release adds one, and is done once', async (_, work, at) => {
  const { db, grow, end } = await growing(1)
  await grow()
  expect((await work(db)).rows).toEqual([{ id: 1, at, more: 7 }])
  expect((await read(db)).rows).toEqual([{ id: 1, at, more: 7 }])
  await end()
})

test('of many connections that knew the columns before, none troubles anybody', async () => {
  const { db, before, grow, end } = await growing(6)
  await grow()
  const answers = await Promise.all(Array.from({ length: 12 }, (_, i) => (i % 2 ? read(db) : write(db))))
  expect(answers.map(({ rows }) => rows[0]!['more'])).toEqual(Array(12).fill(7))
  expect((await read(db)).rows).toEqual([{ ...before, at: before.at + 6, more: 7 }])
  await end()
})

test('a transaction that meets a new column is done once more from its beginning', async () => {
  const { db, before, grow, end } = await growing(6)
  await grow()
  let begun = 0
  const [, written, seen] = await inTransaction({ db } as Context, (ctx) => {
    begun++
    return together(sql`select ${1}::int`.execute(ctx.db), write(ctx.db), read(ctx.db))
  })
  const after = { ...before, at: before.at + 1, more: 7 }
  expect([begun, written.rows, seen.rows]).toEqual([2, [after], [after]])
  await end()
})

test('whoever does not begin it again is told to come later, and then it is done', async () => {
  const { db, before, grow, end } = await growing(3)
  await grow()
  const refused = await db
    .transaction()
    .execute(write)
    .catch((error: unknown) => asFailure(error))
  expect(refused).toMatchObject({ reason: 'unavailable', status: 503, retryAfter: 5 })
  const { rows } = await db.transaction().execute(write)
  expect(rows).toEqual([{ ...before, at: before.at + 1, more: 7 }])
  await end()
})

test('what the server no longer knows is prepared anew, in a transaction as well', async () => {
  const { db, before, end } = await growing(1)
  await sql`deallocate all`.execute(db)
  expect((await read(db)).rows).toEqual([before])
  expect((await db.transaction().execute(read)).rows).toEqual([before])
  await sql`deallocate all`.execute(db)
  const { rows } = await inTransaction({ db } as Context, (ctx) => read(ctx.db))
  expect(rows).toEqual([before])
  await end()
})
