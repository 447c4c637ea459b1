import { sql } from 'kysely'
import type { Logger } from 'pino'
import type { Db, Tables } from './pool.ts'

/** Rows written since a table was last looked at, and their share of it, from which on the planner would be misled. */
const grown = { rows: 1000, share: 0.02 }

/**
 * Tells the planner how full tables have become. What it has not been told it takes for a handful of rows, and then
 * compares thousands with thousands one by one. The database does this by itself only after a tenth of a table has
 * changed: a new school beside a large one is less. A table that the database is just vacuuming is left out: waiting
 * for it would end the vacuum.
 */
export async function analyzeTables(db: Db, ...tables: (keyof Tables)[]): Promise<void> {
  // only the owner of a table may: the function does it with their rights (decision 041)
  for (const table of tables) await sql`select analyze_table(${table})`.execute(db)
}

/**
 * Has what a transaction wrote counted when it ends, so that `analyzeGrownTables` sees it; by itself the database takes
 * up to ten seconds. A table that counts as empty makes the check behind every deleted row read all of them: 10 s for
 * 2,000 rows of 6,000. The last statement of the transaction.
 */
export async function flushTableStatistics({ db }: { db: Db }): Promise<void> {
  await sql`select pg_stat_force_next_flush()`.execute(db)
}

/**
 * Analyzes whatever has grown or changed much since it was last analyzed, by whomever; after work that wrote thousands
 * of rows, and now and then. What fails is told in the log only: the work is done.
 */
export async function analyzeGrownTables({ db, log }: { db: Db; log: Logger }): Promise<void> {
  await analyzeThose(db).catch((err: unknown) => log.warn({ err }, 'tables could not be analyzed'))
}

async function analyzeThose(db: Db): Promise<void> {
  const { rows } = await sql<{ table: keyof Tables }>`
      select "relname" "table"
      from pg_stat_user_tables
      where "schemaname" = current_schema()
        and "n_mod_since_analyze" >= ${grown.rows}
        and "n_mod_since_analyze" >= ${grown.share}::float * "n_live_tup"
      order by 1`.execute(db)
  await analyzeTables(db, ...rows.map(({ table }) => table))
}
