import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { together } from '../base/together.ts'
import { ownDatabase, testDatabase } from '../../testing/database.ts'
import { namesPerConnection, openDatabase, plannedByValue, type Database } from './pool.ts'

let single: Database
beforeAll(async () => {
  const { connection } = await testDatabase()
  single = openDatabase(connection, { max: 1, statementTimeout: 300 })
})
afterAll(() => single.close())

const one = async <R>(query: ReturnType<typeof sql<R>>): Promise<R> => (await query.execute(single.db)).rows[0] as R

test('moments and days are wall-clock text of Shanghai, big integers numbers, numeric text', async () => {
  const row =
    await one(sql`select '2026-03-01T16:30:15.9Z'::timestamptz t, '2026-03-01'::date d, 12::int8 i, 1.50::numeric n, null::timestamptz z, array['2026-03-01'::date, null] ds,
    array['2026-03-01T16:30:15Z'::timestamptz] ts, array[7::int8] i8, array['b', 'a']::text[] texts, '[1]'::jsonb j, '\\x01'::bytea b, 'f5e39fa6-6ba4-4cd6-a4f8-6dc1e3f3a8d1'::uuid u`)
  expect(row).toEqual({
    t: '2026-03-02 00:30:15',
    d: '2026-03-01',
    i: 12,
    n: '1.50',
    z: null,
    ds: ['2026-03-01', null],
    ts: ['2026-03-02 00:30:15'],
    i8: [7],
    texts: ['b', 'a'],
    j: [1],
    b: Buffer.from([1]),
    u: 'f5e39fa6-6ba4-4cd6-a4f8-6dc1e3f3a8d1',
  })
})

test('a moment written as wall-clock text is that moment in Shanghai', async () => {
  expect(await one(sql`select extract(epoch from ${'2026-03-02 00:30:15'}::timestamptz)::int8 as epoch`)).toEqual({
    epoch: Date.parse('2026-03-01T16:30:15Z') / 1000,
  })
})

test('a query is prepared once under its own name', async () => {
  for (let i = 0; i < 3; i++) await one(sql`select ${i}::int as prepared_once`)
  const { rows } = await single.pool.query(
    `select name, generic_plans + custom_plans as runs from pg_prepared_statements where statement like '%prepared_once%'`,
  )
  expect(rows).toEqual([{ name: expect.stringMatching(/^[\w-]{16}$/), runs: 3 }])
})

test('a statement that is planned by its values is prepared for nobody', async () => {
  const planned = sql`select ${sql.raw(plannedByValue)} 'planned_each_time' as at`
  expect(await one(planned)).toEqual({ at: 'planned_each_time' })
  const { rows } = await single.pool.query(
    `select name from pg_prepared_statements where statement like '%planned_each_time%'`,
  )
  expect(rows).toEqual([])
})

test('several statements at once run unnamed, and the number of names has a limit', async () => {
  await sql.raw('create temp table t (a int); drop table t').execute(single.db)
  for (let i = 0; i < namesPerConnection + 50; i++) await one(sql.raw(`select ${i} as a${i}`))
  const { rows } = await single.pool.query<{ n: number }>('select count(*) n from pg_prepared_statements')
  expect(rows[0]?.n).toBe(namesPerConnection)
  expect(await one(sql.raw(`select 1 as beyond`))).toEqual({ beyond: 1 })
})

test('a statement that takes too long is given up', async () => {
  await expect(one(sql`select pg_sleep(5)`)).rejects.toMatchObject({ code: '57014' })
})

test('a connection that breaks while idle or in use is replaced and harms nobody', async () => {
  const { db, pool, connection, close } = await ownDatabase()
  const other = openDatabase(connection, { max: 1 })
  const pidOf = async () => (await sql<{ pid: number }>`select pg_backend_pid() pid`.execute(other.db)).rows[0]!.pid
  const first = await pidOf()
  await pool.query('select pg_terminate_backend($1)', [first])
  await expect.poll(() => pidOf().catch(() => first)).not.toBe(first)
  await expect(
    other.db.transaction().execute(async (tx) => {
      const { pid } = (await sql<{ pid: number }>`select pg_backend_pid() pid`.execute(tx)).rows[0]!
      await sql`select pg_terminate_backend(${pid})`.execute(db)
      await new Promise((done) => setTimeout(done, 50))
      await sql`select 1`.execute(tx)
    }),
  ).rejects.toThrow()
  expect(await pidOf()).toBeGreaterThan(0)
  await other.close()
  await close()
})

test('a connection that the server has ended is not handed to the next statement', async () => {
  const { connection, close } = await ownDatabase()
  const other = openDatabase(connection, { max: 1 })
  for (let i = 0; i < 5; i++) {
    await expect(sql`select pg_terminate_backend(pg_backend_pid())`.execute(other.db)).rejects.toMatchObject({
      code: '57P01',
    })
    // at once: the pool has not heard of the end of the socket yet
    expect((await sql`select 1 one`.execute(other.db)).rows).toEqual([{ one: 1 }])
  }
  await other.close()
  await close()
})

test('inserted rows and a null json come back as written', async () => {
  const { db } = await testDatabase()
  const key = `test ${process.pid} ${performance.now()}`
  await db.insertInto('installation').values({ inKey: key, inValue: '值' }).execute()
  expect(
    await db.selectFrom('installation').selectAll().where('inKey', '=', key).executeTakeFirstOrThrow(),
  ).toMatchObject({ inValue: '值', createTime: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/) })
})

test('statements of a transaction that are started together run in their order, and each gets its own answer', async () => {
  const { rows } = await single.db.transaction().execute(async (tx) => {
    await sql`create temp table side_by_side (n int) on commit drop`.execute(tx)
    // the client is told of the first when the last has long been under way
    const answered: number[] = []
    const sent = [1, 2, 3].map(async (n) => {
      await sql`insert into side_by_side values (${n})`.execute(tx)
      answered.push(n)
    })
    const seen = sql<{ n: number[] }>`select array_agg(n) "n" from side_by_side`.execute(tx)
    expect(answered).toEqual([])
    await Promise.all(sent)
    expect(answered).toEqual([1, 2, 3])
    return seen
  })
  expect(rows[0]?.n).toEqual([1, 2, 3])
})

test('a transaction keeps all or nothing from its first statement on, whatever that is', async () => {
  const { db } = single
  await sql`create temporary table kept_or_not (n int primary key)`.execute(db)
  const failing = (first: (tx: typeof db) => Promise<unknown>) =>
    expect(
      db.transaction().execute(async (tx) => {
        await first(tx)
        await sql`insert into kept_or_not values (2)`.execute(tx)
        throw new Error('in the middle')
      }),
    ).rejects.toThrow('in the middle')
  for (let round = 0; round < 3; round++) {
    await failing((tx) => sql`insert into kept_or_not values (1)`.execute(tx))
    await failing((tx) => sql`set local statement_timeout = 200`.execute(tx))
    await failing((tx) => sql`select ${round}::int "n"`.execute(tx))
  }
  await db.transaction().execute(() => Promise.resolve())
  const first = db.transaction().execute((tx) => sql`insert into kept_or_not values (1), (1)`.execute(tx))
  await expect(first).rejects.toMatchObject({ code: '23505' })
  await db.transaction().execute((tx) => sql`insert into kept_or_not values (7)`.execute(tx))
  expect((await sql`select n from kept_or_not`.execute(db)).rows).toEqual([{ n: 7 }])
})

test('of statements that fail together the first one is told, and the connection goes on', async () => {
  const failing = single.db
    .transaction()
    .execute((tx) =>
      together(
        sql`select 1`.execute(tx),
        sql`select 1 / 0`.execute(tx),
        sql`select 2`.execute(tx),
        sql`select nonsense`.execute(tx),
      ),
    )
  await expect(failing).rejects.toMatchObject({ code: '22012' })
  for (let i = 0; i < 3; i++) expect(await one(sql`select ${i}::int "i", 'x' "x"`)).toEqual({ i, x: 'x' })
})

test('what a branch of a transaction still writes when another has failed is not kept', async () => {
  const { db } = single
  await sql`create temporary table late_rows (n int)`.execute(db)
  let refused = 0
  // by when the other one has failed is the machine's
  for (let round = 0; round < 20 || (refused === 0 && round < 400); round++) {
    const refuse = async (tx: typeof db) => {
      await sql`select 1`.execute(tx)
      throw new Error('refused')
    }
    const write = async (tx: typeof db) => {
      await sql`select 2`.execute(tx)
      for (let pause = 0; pause < round; pause++) await Promise.resolve()
      await sql`insert into late_rows values (${round})`.execute(tx)
    }
    const late: Promise<void>[] = []
    const failing = db.transaction().execute((tx) => {
      late.push(write(tx).catch(() => void refused++))
      return refuse(tx)
    })
    await expect(failing).rejects.toThrow('refused')
    await Promise.all(late)
  }
  expect((await sql`select n from late_rows`.execute(db)).rows).toEqual([])
  expect(refused).toBeGreaterThan(0)
})

test('a value that cannot be written down fails its statement only', async () => {
  const circular: Record<string, unknown> = {}
  circular.self = circular
  const echo = (value: unknown) => sql<{ v: unknown }>`select ${value}::jsonb "v"`
  for (let round = 0; round < 2; round++) {
    await expect(echo(circular).execute(single.db)).rejects.toThrow('circular')
    expect(await one(echo({ round }))).toEqual({ v: { round } })
    const failing = single.db.transaction().execute((tx) => together(echo(circular).execute(tx), echo({}).execute(tx)))
    await expect(failing).rejects.toThrow('circular')
  }
})
