import { setImmediate } from 'node:timers/promises'
import { CompiledQuery, sql } from 'kysely'
import type { Db, Tables } from '../core/database/pool.ts'

/** Rows that one statement writes: triggers that look at all its rows keep them in memory. */
const atOnce = 5000

/**
 * Writes many rows of one table by COPY: several times faster than parameters, and the caller may make the next rows
 * while these are on their way. All rows must have the same fields; columns that are not named take their defaults.
 */
export async function bulkInsert<T extends keyof Tables>(
  db: Db,
  table: T,
  rows: readonly Record<string, unknown>[],
): Promise<void> {
  if (rows.length === 0) return
  const columns = Object.keys(rows[0]!)
  const kinds = await kindsOf(db, table)
  const fields = columns.map((name) => ({ name, textOf: textsOf[kinds.get(name)!] }))
  const text = `copy "${table}" (${columns.map((name) => `"${name}"`).join(', ')}) from stdin`
  const writer = writeBehind()
  for (let at = 0; at < rows.length; at += atOnce) {
    const lines = Buffer.from(
      rows
        .slice(at, at + atOnce)
        .map((row) => lineOf(fields, row))
        .join(''),
    )
    await writer.write(() => db.executeQuery(CompiledQuery.raw(text, [lines])))
  }
  await writer.end()
}

/**
 * Writes while the caller makes the next rows, a lot at a time: `write` returns once the lot before is written and this
 * one has been sent, `end` once all are written. What fails is told to the next of them.
 */
export function writeBehind() {
  let writing: Promise<unknown> = Promise.resolve()
  const end = async (): Promise<void> => {
    try {
      await writing
    } catch (error) {
      // its own trace ends where it was sent; this one leads to whoever makes the rows
      if (error instanceof Error) Error.captureStackTrace(error)
      throw error
    }
  }
  return {
    async write(lot: () => Promise<unknown>): Promise<void> {
      await end()
      writing = lot()
      writing.catch(() => {})
      await setImmediate()
    },
    end,
  }
}

interface Field {
  name: string
  textOf: (value: unknown) => string
}

/** A row in the text format of COPY. */
function lineOf(fields: readonly Field[], row: Record<string, unknown>): string {
  let line = ''
  let before = ''
  for (const { name, textOf } of fields) {
    const value = row[name]
    line += before + (value === null || value === undefined ? '\\N' : escaped(textOf(value)))
    before = '\t'
  }
  return `${line}\n`
}

/** What ends a field or a row, or begins an escape, in the text format of COPY. */
const escaped = (text: string): string =>
  /[\\\n\r\t]/.test(text) ? text.replace(/[\\\n\r\t]/g, (character) => escapes[character]!) : text
const escapes: Record<string, string> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' }

type Kind = 'plain' | 'json' | 'list'
const textsOf: Record<Kind, (value: unknown) => string> = {
  plain: String,
  json: (value) => JSON.stringify(value),
  list: (value) => (Array.isArray(value) ? `{${value.map(itemOf).join(',')}}` : String(value)),
}
const itemOf = (item: unknown): string => (item === null ? 'null' : `"${String(item).replace(/["\\]/g, '\\$&')}"`)

/** How the columns of each table are written; the schema is the same for the whole life of the process. */
const kinds = new Map<string, Map<string, Kind>>()

async function kindsOf(db: Db, table: keyof Tables): Promise<Map<string, Kind>> {
  const known = kinds.get(table)
  if (known) return known
  const { rows } = await sql<{ name: string; kind: Kind }>`
    select a."attname"::text "name",
      case when t."typcategory" = 'A' then 'list' when t."typname" in ('json', 'jsonb') then 'json' else 'plain' end "kind"
    from pg_attribute a
    join pg_type t on t."oid" = a."atttypid"
    where a."attrelid" = to_regclass(quote_ident(${table})) and a."attnum" > 0`.execute(db)
  const own = new Map(rows.map(({ name, kind }) => [name, kind]))
  kinds.set(table, own)
  return own
}

/**
 * Does what writes very many rows of these tables without their indexes and foreign keys, which are made anew at the
 * end: a whole pass each, instead of a search per row. The tables are locked until the transaction ends, so this is for
 * a superuser and a database that nobody uses yet.
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
  // to compress all pages of the new indexes takes a fifth of the time of making them
  await sql`set local wal_compression = off`.execute(db)
  for (const { make } of [...indexes, ...references]) await sql.raw(make).execute(db)
}
