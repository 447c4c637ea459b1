import { sql } from 'kysely'
import { chunksOf, recordset } from '../database/bulk.ts'
import type { Context } from './context.ts'
import type { Tables } from '../database/pool.ts'

/** A table of edited records, the column of its ids, and the SQL types of the columns that an import writes. */
export interface BulkTable<C extends string> {
  table: keyof Tables
  id: string
  columns: Record<C, string>
}

type Values<C extends string> = Record<C, unknown>
const chunk = 2000
const stamps = ['schoolId', 'createBy', 'createName', 'createTime', 'updateBy', 'updateTime']

/** Adds records; who made them and when is told. The ids come from the caller. */
export async function insertMany<C extends string>(
  ctx: Context,
  { table, id, columns }: BulkTable<C>,
  rows: readonly (Values<C> & { id: string })[],
): Promise<void> {
  const { actor, clock, db } = ctx
  const now = clock.now()
  const into = [...stamps, id, ...Object.keys(columns)].map((name) => sql.ref(name))
  const from = [
    sql`${actor.schoolId}::text, ${actor.suId}::uuid, ${actor.suNickname}::text, ${now}::timestamptz,
      ${actor.suId}::uuid, ${now}::timestamptz`,
    ...['id', ...Object.keys(columns)].map((name) => sql.ref(`r.${name}`)),
  ]
  for await (const part of chunksOf(rows, chunk)) {
    await sql`
      insert into ${sql.table(table)} (${sql.join(into)})
      select ${sql.join(from)}
      from ${recordset(part, { id: 'uuid', ...columns } as Record<string, string>)}`.execute(db)
  }
}

/**
 * Changes records to the given values. With `version` in a row, only where the record still has that version.
 * @returns how many were changed
 */
export async function updateMany<C extends string>(
  ctx: Context,
  { table, id, columns }: BulkTable<C>,
  rows: readonly (Values<C> & { id: string; version?: number })[],
): Promise<number> {
  const { actor, clock, db } = ctx
  const name = table as string
  const set = [
    ...Object.keys(columns).map((column) => sql`${sql.ref(column)} = ${sql.ref(`r.${column}`)}`),
    sql`"version" = ${sql.ref(`${name}.version`)} + 1`,
    sql`"updateBy" = ${actor.suId}`,
    sql`"updateTime" = ${clock.now()}`,
  ]
  let changed = 0
  for await (const part of chunksOf(rows, chunk)) {
    const done = await sql`
        update ${sql.table(table)}
        set ${sql.join(set)}
        from ${recordset(part, { id: 'uuid', version: 'int', ...columns } as Record<string, string>)}
        where ${sql.ref(`${name}.schoolId`)} = ${actor.schoolId}
          and ${sql.ref(`${name}.${id}`)} = r."id"
          and (r."version" is null or ${sql.ref(`${name}.version`)} = r."version")`.execute(db)
    changed += Number(done.numAffectedRows ?? 0)
  }
  return changed
}

/** Removes records that still have the version told. @returns how many were removed */
export async function deleteMany(
  { actor, db }: Context,
  { table, id }: Pick<BulkTable<string>, 'table' | 'id'>,
  rows: readonly { id: string; version: number }[],
): Promise<number> {
  const name = table as string
  let removed = 0
  for await (const part of chunksOf(rows, chunk)) {
    const done = await sql`
      delete from ${sql.table(table)} using ${recordset(part, { id: 'uuid', version: 'int' })}
      where ${sql.ref(`${name}.schoolId`)} = ${actor.schoolId}
        and ${sql.ref(`${name}.${id}`)} = r."id"
        and ${sql.ref(`${name}.version`)} = r."version"`.execute(db)
    removed += Number(done.numAffectedRows ?? 0)
  }
  return removed
}
