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

/**
 * Does what writes very many rows of these tables without their indexes and foreign keys, which are made anew at the
 * end: a whole pass each, instead of a search per row. The tables are locked until the transaction ends, so this is for
 * a database that nobody uses yet.
 */
export async function withoutIndexes(db: Db, tables: readonly (keyof Tables)[], work: () => Promise<void>) {
  const theirs = sql`(select to_regclass(quote_ident(name))::oid from unnest(${[...tables]}::text[]) name)`
  const { rows: references } = await sql<{ drop: string; make: string }>`
    select format('alter table %s drop constraint %I', conrelid::regclass, conname) "drop",
      format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) "make"
    from pg_constraint
    where contype = 'f' and conrelid in ${theirs}`.execute(db)
  const { rows: indexes } = await sql<{ drop: string; make: string }>`
    select format('drop index %s', indexrelid::regclass) "drop", pg_get_indexdef(indexrelid) "make"
    from pg_index
    where indrelid in ${theirs} and not exists (select from pg_constraint where conindid = indexrelid)`.execute(db)
  for (const { drop } of [...references, ...indexes]) await sql.raw(drop).execute(db)
  await work()
  await sql`set local maintenance_work_mem = '256MB'`.execute(db)
  for (const { make } of [...indexes, ...references]) await sql.raw(make).execute(db)
}
