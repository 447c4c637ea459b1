import { sql } from 'kysely'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { ownDatabase } from '../../testing/database.ts'
import { flushTableStatistics, analyzeGrownTables } from './analyze.ts'

test('what a transaction wrote is known to the planner right after it, also when it follows another one at once', async () => {
  const database = await ownDatabase()
  const { db } = database
  const known = async () =>
    (
      await sql<{
        rows: number
      }>`select "reltuples"::int "rows" from pg_class where "relname" = 'loginCounter'`.execute(db)
    ).rows[0]!.rows
  try {
    for (const count of [3000, 3000, 3000]) {
      await db.transaction().execute(async (tx) => {
        await sql`
          insert into "loginCounter" ("counterKey", "failures", "windowStart")
          select gen_random_uuid(), 0, now()
          from generate_series(1, ${count}::int)`.execute(tx)
        await flushTableStatistics({ db: tx })
      })
      await analyzeGrownTables({ db, log: pino({ level: 'silent' }) })
    }
    expect(await known()).toBe(9000)
  } finally {
    await database.close()
  }
})
