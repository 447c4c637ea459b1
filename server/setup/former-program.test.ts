import { sql } from 'kysely'
import type pg from 'pg'
import { expect, test, vi } from 'vitest'
import { migrate } from '../core/database/migrate.ts'
import type { Db } from '../core/database/pool.ts'
import type { Context } from '../core/request/context.ts'
import { inTransaction } from '../core/request/transaction.ts'
import { migrations } from '../migrations/index.ts'
import { ownerOf, rowsOf } from '../testing/backup.ts'
import { ownDatabase } from '../testing/database.ts'
import { dumpOf, releasedVersions, releaseOf } from '../testing/released.ts'

/**
 * While a new version changes the schema, and until the last machine has it, processes of the release before answer
 * (decision 055): whatever they read and write must go on being there and being taken.
 */

vi.setConfig({ testTimeout: 180_000 })

const byVersion = new Intl.Collator('en', { numeric: true })
const versions = releasedVersions().toSorted(byVersion.compare)
/** Each release, and what the next one made of its database; the next one of the newest is this program. */
const steps = versions.map((former, at) => {
  const next = versions[at + 1]
  const ran = next === undefined ? Object.keys(migrations) : releaseOf(next).migrations
  return { former, next: next ?? 'this program', ran }
})

/** What a release took away that the one before it used: once, and never again. */
const taken: Record<string, { columns: string[]; statements: string[] }> = {
  '0.1.0': { columns: ['statChange.scDay'], statements: ['select statChange', 'insert statChange'] },
}

interface Column {
  table: string
  column: string
  type: string
}

const columnsQuery = `
  select c.relname "table", a.attname "column", format_type(a.atttypid, a.atttypmod) "type"
  from pg_class c
  join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
  where c.relnamespace = 'public'::regnamespace
    and c.relkind in ('r', 'p')
    and not c.relispartition
    and c.relname not like 'kysely%'
    and a.attgenerated = ''
  order by 1, a.attnum`

/** Columns that have to be told where a row is added. */
const demandedQuery = `
  select c.relname "table", a.attname "column"
  from pg_class c
  join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
  where c.relnamespace = 'public'::regnamespace
    and c.relkind in ('r', 'p')
    and a.attnotnull
    and not a.atthasdef
    and a.attidentity = ''
    and a.attgenerated = ''`

/**
 * Reads, writes and adds a row of each table by the columns that a release knows, all of which is taken back; where a
 * table has no row, only that the columns are there is tried.
 */
async function refusals(client: pg.Client, columns: readonly Column[]): Promise<Set<string>> {
  const refused = new Set<string>()
  for (const table of new Set(columns.map((one) => one.table))) {
    const list = columns.filter((one) => one.table === table).map(({ column }) => `"${column}"`)
    for (const [what, text] of [
      ['select', `select ${list.join()} from public."${table}" limit 1`],
      [
        'update',
        `update public."${table}" set ${list.map((each) => `${each} = ${each}`).join()}
        where ctid = (select min(ctid) from public."${table}")`,
      ],
      [
        'insert',
        `insert into public."${table}" (${list.join()}) overriding system value
        select ${list.join()} from public."${table}" limit 1
        on conflict do nothing`,
      ],
    ] as const) {
      await client.query('begin')
      await client.query(text).catch(() => refused.add(`${what} ${table}`))
      await client.query('rollback')
    }
  }
  return refused
}

test.each(steps)(
  'programs of $former read and write on as they did on the schema of $next',
  async ({ former, ran }) => {
    const { db, owner, close } = await ownDatabase('empty')
    await rowsOf(owner, dumpOf(former))
    const client = await ownerOf(owner)
    await client.query('set search_path = public')
    const known = (await client.query<Column>(columnsQuery)).rows
    expect(known.length).toBeGreaterThan(500)
    const before = await refusals(client, known)
    // append-only tables refuse to be changed, by whomever
    expect([...before].filter((each) => !each.startsWith('update'))).toEqual([])
    const tables = new Set(known.map(({ table }) => table))
    // by statements that a process has prepared before, and keeps for as long as its connections live
    const readAll = async (ctx: { db: Db }) => {
      for (const table of tables)
        await sql.raw(`/* by a former program */ select * from public."${table}" limit 1`).execute(ctx.db)
    }
    await readAll({ db })

    await migrate(owner, Object.fromEntries(ran.map((name) => [name, migrations[name]!])))
    const { columns, statements } = taken[former] ?? { columns: [], statements: [] }
    const now = new Map(
      (await client.query<Column>(columnsQuery)).rows.map(({ table, column, type }) => [`${table}.${column}`, type]),
    )
    // a row that a former program adds says nothing of what it does not know; told by the catalogue, for there are
    // tables without a row to try it with
    const names = new Set(known.map(({ table, column }) => `${table}.${column}`))
    const { rows: demanded } = await client.query<{ table: string; column: string }>(demandedQuery)
    expect(
      demanded.filter(({ table, column }) => tables.has(table) && !names.has(`${table}.${column}`)),
      'new columns without which nobody may add a row',
    ).toEqual([])
    const gone = known.filter(({ table, column, type }) => now.get(`${table}.${column}`) !== type)
    expect(gone.map(({ table, column }) => `${table}.${column}`)).toEqual(columns)
    const after = await refusals(client, known)
    expect([...after].filter((statement) => !before.has(statement))).toEqual(statements)
    await inTransaction({ db } as Context, readAll)
    await readAll({ db })
    await client.end()
    await close()
  },
)
