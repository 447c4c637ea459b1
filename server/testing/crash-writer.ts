import { sql } from 'kysely'
import { startEmbedded } from '../core/postgres/embedded.ts'
import { migrate } from '../core/database/migrate.ts'
import { openDatabase } from '../core/database/pool.ts'

/**
 * A process to be killed: opens the data folder given as argument through the program's own database layer and writes
 * pairs of rows without end. A line of standard output with a pair's number says that its transaction was acknowledged;
 * the first line tells how to reach the database.
 */
const { connection, pid, adopted } = await startEmbedded({ dataDir: process.argv[2] ?? '' })
await migrate(connection, {
  pairs: {
    up: async (db) =>
      void (await sql`create table left_half (id bigint primary key)`.execute(db),
      await sql`create table right_half (id bigint primary key)`.execute(db)),
  },
})
const { db } = openDatabase(connection, { max: 8 })
let next = (await sql<{ id: number }>`select coalesce(max(id), 0) as id from left_half`.execute(db)).rows[0]?.id ?? 0
process.stdout.write(`${JSON.stringify({ connection, pid, adopted })}\n`)

await Promise.all(
  Array.from({ length: 8 }, async () => {
    for (;;) {
      const id = (next += 1)
      await db.transaction().execute(async (tx) => {
        await sql`insert into left_half values (${id})`.execute(tx)
        await sql`insert into right_half values (${id})`.execute(tx)
      })
      process.stdout.write(`${id}\n`)
    }
  }),
)
