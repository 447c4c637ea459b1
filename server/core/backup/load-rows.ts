import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import type { Connection } from '../database/connection.ts'
import { StartFault } from '../base/start-fault.ts'
import type { Manifest, SchoolSum, TablePart } from './manifest.ts'
import { withCopyConnection } from './snapshot.ts'

interface LoadOptions {
  /** Of the owner of a database whose schema is as the manifest says, and in which there are no rows to keep. */
  connection: Connection
  manifest: Manifest
  rowsOf: (table: TablePart) => Promise<Readable>
  /** As in `BackupContents`. */
  schools: string
  onProgress: (text: string) => void
}

/**
 * Fills the tables from a backup in one transaction: all rows are there, counted and summed as the manifest says, or
 * none. Triggers are off meanwhile (what they note is in the backup too); foreign keys and the indexes that are no
 * constraint are made anew afterwards, which proves every reference. An owner who is no superuser can do all of this.
 * @returns what to tell of what was to follow, as `analyze` does
 * @throws StartFault where rows, sums or references are not as they should be
 */
export async function loadRows({
  connection,
  manifest,
  rowsOf,
  schools,
  onProgress,
}: LoadOptions): Promise<string | undefined> {
  return withCopyConnection(connection, async (client) => {
    await client.query("set maintenance_work_mem = '256MB'")
    await client.query('begin')
    const names = manifest.tables.map(({ name }) => pg.escapeIdentifier(name))
    const later = await takeOff(client, names)
    for (const [at, table] of manifest.tables.entries()) {
      onProgress(`数据表 ${at + 1}/${manifest.tables.length} ${table.name}（${table.rows} 行）`)
      await loadTable(client, table, await rowsOf(table))
    }
    for (const [at, statement] of later.entries()) {
      onProgress(`索引与约束 ${at + 1}/${later.length}`)
      await client.query(statement)
    }
    for (const name of names) await client.query(`alter table ${name} enable trigger user`)
    for (const { table, column, last } of manifest.counters)
      await client.query('select setval(pg_get_serial_sequence(quote_ident($1), $2), $3)', [table, column, last])
    const { rows: sums } = await client.query<SchoolSum>(schools)
    const wrong = differences(manifest.schools, sums)
    if (wrong.length > 0) throw new StartFault(`恢复的数据与清单不符：${wrong.join('；')}。`)
    await client.query('commit')
    onProgress('正在统计数据分布（analyze）')
    return analyze(client)
  })
}

/**
 * Has PostgreSQL look at rows that are committed, by which it plans queries. They are there without, and it comes to
 * that by itself later: whoever wrote them has not failed.
 * @returns what to tell where it did not come about
 */
export const analyze = (client: pg.Client): Promise<string | undefined> =>
  client.query('analyze').then(
    () => undefined,
    (error: Error) =>
      `统计数据分布（analyze）没有做完（${error.message}）。数据已全部写入，数据库稍后会自己补做，在那之前查询可能较慢。`,
  )

/**
 * Switches triggers off and removes foreign keys, other indexes and the rows that migrations have made.
 * @returns the statements that make keys and indexes anew
 */
async function takeOff(client: pg.Client, names: readonly string[]): Promise<string[]> {
  const { rows: indexes } = await client.query<{ name: string; definition: string }>(indexesQuery)
  const { rows: keys } = await client.query<{ table: string; name: string; definition: string }>(keysQuery)
  for (const name of names) await client.query(`alter table ${name} disable trigger user`)
  for (const { table, name } of keys) await client.query(`alter table ${table} drop constraint ${name}`)
  for (const { name } of indexes) await client.query(`drop index ${name}`)
  await client.query(`truncate ${names.join(', ')}`)
  return [
    ...indexes.map(({ definition }) => definition),
    ...keys.map(({ table, name, definition }) => `alter table ${table} add constraint ${name} ${definition}`),
  ]
}

async function loadTable(client: pg.Client, { name, columns, rows }: TablePart, source: Readable): Promise<void> {
  const list = columns.map((column) => pg.escapeIdentifier(column)).join(', ')
  // frozen: the table was emptied in this very transaction, so nobody could have seen it otherwise
  const target = client.query(copyFrom(`copy ${pg.escapeIdentifier(name)} (${list}) from stdin with (freeze)`))
  await pipeline(source, target)
  if (target.rowCount !== rows)
    throw new StartFault(`恢复的数据与清单不符：表 ${name} 应有 ${rows} 行，实有 ${target.rowCount} 行。`)
}

/** What differs between the sums of a manifest and those of a database, in words. */
export function differences(expected: readonly SchoolSum[], found: readonly SchoolSum[]): string[] {
  const now = new Map(found.map((one) => [one.schoolId, one]))
  return expected.flatMap(({ schoolId, entries, sum }) => {
    const school = now.get(schoolId)
    if (!school) return [`学校 ${schoolId} 不在其中`]
    return school.entries === entries && school.sum === sum
      ? []
      : [`学校 ${schoolId} 的学分台账应为 ${entries} 条、合计 ${sum}，实为 ${school.entries} 条、合计 ${school.sum}`]
  })
}

const indexesQuery = `
  select i.indexrelid::regclass::text "name", pg_get_indexdef(i.indexrelid) "definition"
  from pg_index i
  join pg_class c on c.oid = i.indrelid
  where c.relnamespace = current_schema()::regnamespace
    and c.relkind = 'r'
    and c.relname not like 'kysely\\_%'
    and not exists (select from pg_constraint k where k.conindid = i.indexrelid)
  order by 1`

const keysQuery = `
  select k.conrelid::regclass::text "table", quote_ident(k.conname) "name", pg_get_constraintdef(k.oid) "definition"
  from pg_constraint k
  join pg_class c on c.oid = k.conrelid
  where c.relnamespace = current_schema()::regnamespace and k.contype = 'f'
  order by 1, 2`
