import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { testDatabase } from '../../testing/database.ts'
import { newSchool } from '../../testing/school.ts'
import { withSchoolLock } from '../request/advisory-lock.ts'
import type { Context } from '../request/context.ts'
import { openDatabase, type Db } from './pool.ts'
import { checkPooler, isShared } from './pooler.ts'

const processOf = async (db: Db): Promise<number> =>
  (await sql<{ pid: number }>`select pg_backend_pid() pid`.execute(db)).rows[0]!.pid

test('a database without a pooler between is not taken for one with', async () => {
  const { owner: connection } = await testDatabase()
  expect(await isShared(connection)).toBe(false)
  await checkPooler({ connection, direct: undefined, owner: connection }, { preparedStatements: true })
})

test('with a direct address the lock of a session is held there, while the work goes on elsewhere, and is given back', async () => {
  const school = await newSchool()
  const { owner } = await testDatabase()
  const { db, close } = openDatabase(owner, { max: 2, direct: owner })
  const holders = async () =>
    (
      await sql<{ pid: number }>`
        select pid from pg_locks where locktype = 'advisory' and granted and database = (
          select oid from pg_database where datname = current_database())`.execute(school.ctx.db)
    ).rows.map(({ pid }) => pid)
  const before = new Set(await holders())
  const seen = await withSchoolLock(
    { ...school.ctx, db, actor: { schoolId: school.schoolId } } as Context,
    'pooler-test',
    async (tx) => {
      const isolation = await sql<{ is: string }>`select current_setting('transaction_isolation') "is"`.execute(tx.db)
      const holding = (await holders()).filter((pid) => !before.has(pid))
      return { isolation: isolation.rows[0]!.is, holding, own: await processOf(tx.db) }
    },
  )
  expect(seen.isolation).toBe('repeatable read')
  expect(seen.holding).toHaveLength(1)
  expect(seen.holding).not.toContain(seen.own)
  await expect.poll(holders).not.toContain(seen.holding[0])
  // of two at the same time, one comes after the other and sees what it has left
  const order: string[] = []
  const one = (name: string) =>
    withSchoolLock(
      { ...school.ctx, db, actor: { schoolId: school.schoolId } } as Context,
      'pooler-test',
      async (tx) => {
        order.push(`${name} in`)
        await sql`select pg_sleep(0.05)`.execute(tx.db)
        order.push(`${name} out`)
      },
    )
  await Promise.all([one('a'), one('b')])
  expect(order.map((text) => text.split(' ')[1])).toEqual(['in', 'out', 'in', 'out'])
  await close()
})

test('where a pooler stands between, nothing is left in a session but what it keeps for its clients', async () => {
  const { owner } = await testDatabase()
  const { db, close } = openDatabase(owner, { max: 1, direct: owner, preparedStatements: false })
  const { rows } = await sql<{ timezone: string; limit: string }>`
    select current_setting('timezone') "timezone", current_setting('statement_timeout') "limit"`.execute(db)
  expect(rows).toEqual([{ timezone: 'Asia/Shanghai', limit: '0' }])
  const rolledBack = db.transaction().execute(async (tx) => {
    await sql`create table "pooler_test" (a int)`.execute(tx)
    throw new Error('back')
  })
  await expect(rolledBack).rejects.toThrow('back')
  await db.transaction().execute((tx) => sql`select ${1}::int`.execute(tx))
  const { rows: prepared } = await sql<{ name: string }>`select name from pg_prepared_statements`.execute(db)
  expect(prepared).toEqual([])
  const { rows: made } = await sql<{ is: string | null }>`select to_regclass('pooler_test')::text "is"`.execute(db)
  expect(made).toEqual([{ is: null }])
  await close()
})
