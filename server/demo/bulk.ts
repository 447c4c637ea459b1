import { sql } from 'kysely'
import type { Db, Tables } from '../core/database/pool.ts'

/**
 * Writes many rows of one table, 2,000 at a time, as one JSON parameter each: several times faster than lists of
 * values. All rows must have the same fields; columns that are not named take their defaults.
 */
export async function bulkInsert<T extends keyof Tables>(
  db: Db,
  table: T,
  rows: readonly Record<string, unknown>[],
): Promise<void> {
  if (rows.length === 0) return
  const columns = sql.join(Object.keys(rows[0]!).map((name) => sql.ref(name)))
  for (let at = 0; at < rows.length; at += 2000) {
    const part = JSON.stringify(rows.slice(at, at + 2000))
    // not `null::table`: PostgreSQL has a type of its own named circle
    await sql`
      insert into ${sql.table(table)} (${columns})
      select ${columns}
      from json_populate_recordset((select t from ${sql.table(table)} t where false), ${part}::json)`.execute(db)
  }
}
