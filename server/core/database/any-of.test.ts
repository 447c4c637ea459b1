import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { testDatabase } from '../../testing/database.ts'
import { newId } from '../base/ids.ts'
import { anyOf } from './any-of.ts'
import { openDatabase } from './pool.ts'
import { from, withinSchool } from './tenant.ts'

test('a statement that asks for one id is planned for good, and not anew at each use', async () => {
  const { connection } = await testDatabase()
  const { db, close } = openDatabase(connection, { max: 1 })
  try {
    // PostgreSQL plans for the values of the first five uses, and then compares
    for (let use = 0; use < 8; use++)
      await from({ db, schoolId: 'none' }, 'approvalTask as t')
        .innerJoin('approval as a', withinSchool('a.insId', 't.insId'))
        .select('t.taskId')
        .where(anyOf('t.taskId', [newId()]))
        .execute()
    const { rows } = await sql<{ planned: number; kept: number }>`
      select "custom_plans"::int as "planned", "generic_plans"::int as "kept"
      from pg_prepared_statements
      where "statement" like '%from "approvalTask" as "t"%' and "statement" not like '%pg_prepared_statements%'`.execute(
      db,
    )
    expect(rows).toEqual([{ planned: 5, kept: 3 }])
  } finally {
    await close()
  }
})

test('ids that a list holds are found, one or several', async () => {
  const { db } = await testDatabase()
  const ids = [newId(), newId(), newId()]
  const found = async (asked: string[]) =>
    (
      await db
        .selectFrom(sql<{ id: string }>`unnest(${ids}::uuid[])`.as<'x'>(sql.raw('x(id)')))
        .select('x.id')
        .where(anyOf('x.id', asked))
        .execute()
    ).map(({ id }) => id)
  expect(await found([ids[1]!])).toEqual([ids[1]])
  expect(await found([ids[0]!, ids[2]!])).toEqual([ids[0], ids[2]])
  expect(await found([])).toEqual([])
})
