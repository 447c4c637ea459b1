import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { tableKinds } from '../../core/database/table-kinds.ts'
import { testDatabase } from '../database.ts'

const kinds = new Map<string, string>(Object.entries(tableKinds))

/** Names of the first column of a query, without quotes. */
async function namesOf(query: ReturnType<typeof sql<{ name: string }>>): Promise<string[]> {
  const { db } = await testDatabase()
  return (await query.execute(db)).rows.map(({ name }) => name.replaceAll('"', ''))
}

test('every table has a kind, and every kind a table', async () => {
  const tables = await namesOf(sql`
    select c.relname "name"
    from pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and c.relname not like 'kysely\\_%'
    order by c.relname collate "C"`)
  expect([...kinds.keys()].toSorted()).toEqual(tables.toSorted())
})

test('a divided table has a school in each row, and the school in its primary key and in each unique index', async () => {
  const divided = (
    await namesOf(sql`
    select c.relname "name"
    from pg_attribute a
    join pg_class c on c.oid = a.attrelid and c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
    where a.attname = 'schoolId' and a.attnotnull and a.atttypid = 'text'::regtype`)
  ).filter((table) => kinds.get(table) === 'divided')
  expect(divided.toSorted()).toEqual(
    [...kinds].flatMap(([table, kind]) => (kind === 'divided' ? [table] : [])).toSorted(),
  )
  const { db } = await testDatabase()
  const { rows } = await sql<{ table: string; name: string }>`
    select t.relname "table", i.indexrelid::regclass::text "name"
    from pg_index i
    join pg_class t on t.oid = i.indrelid and t.relnamespace = 'public'::regnamespace
    join pg_attribute s on s.attrelid = t.oid and s.attname = 'schoolId'
    where i.indisunique and not s.attnum = any(i.indkey::smallint[])`.execute(db)
  expect(rows.filter(({ table }) => kinds.get(table) === 'divided').map(({ name }) => name)).toEqual([])
})

/** To which kinds the foreign keys of a kind may lead. */
const reach: Record<string, string[]> = { divided: ['divided', 'shared'], shared: ['shared'], local: ['local'] }

test('every foreign key begins with the school on both sides and leads to a table of a kind it may lead to', async () => {
  const { db } = await testDatabase()
  const { rows } = await sql<{ from: string; to: string; name: string; columns: string[] }>`
    select f.relname "from", t.relname "to", c.conname "name", array[a.attname::text, b.attname::text] "columns"
    from pg_constraint c
    join pg_class f on f.oid = c.conrelid
    join pg_class t on t.oid = c.confrelid
    join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
    join pg_attribute b on b.attrelid = c.confrelid and b.attnum = c.confkey[1]
    where c.contype = 'f'`.execute(db)
  expect(rows.length).toBeGreaterThan(100)
  expect(
    rows.filter(
      ({ from, to, columns }) =>
        !reach[kinds.get(from)!]!.includes(kinds.get(to)!) || columns.some((column) => column !== 'schoolId'),
    ),
  ).toEqual([])
})

test('numbers that the database gives itself are bigint or come from a plain sequence', async () => {
  expect(
    await namesOf(sql`
      select a.attrelid::regclass || '.' || a.attname "name"
      from pg_attribute a
      join pg_class t on t.oid = a.attrelid and t.relnamespace = 'public'::regnamespace and t.relkind = 'r'
      where a.attnum > 0 and not a.attisdropped and a.attidentity <> '' and a.atttypid <> 'bigint'::regtype`),
  ).toEqual([])
})

test('no trigger function inserts by a query, or asks a table beside a transition table', async () => {
  const { db } = await testDatabase()
  const { rows } = await sql<{ name: string; text: string; transitions: string[] }>`
    select p.proname "name", p.prosrc "text",
      array_remove(array_agg(t.tgoldtable::text) || array_agg(t.tgnewtable::text), null) "transitions"
    from pg_proc p
    join pg_trigger t on t.tgfoid = p.oid and not t.tgisinternal
    where p.pronamespace = 'public'::regnamespace
    group by p.oid`.execute(db)
  expect(rows.length).toBeGreaterThan(30)
  const faults = rows.flatMap(({ name, text, transitions }) => {
    const transition = new RegExp(`\\b(from|join)\\s+(${[...new Set(transitions), '\\0'].join('|')})\\b`, 'i')
    const table = /\b(from|join)\s+"/i
    // a piece of a function between two of these words is at most one statement
    const statements = text.split(/;|\bloop\b|\bthen\b|\bbegin\b/i)
    const inserting = /insert\s+into[\s\S]*\bselect\b/i
    return statements.some((one) => inserting.test(one) || (transition.test(one) && table.test(one))) ? [name] : []
  })
  expect(faults).toEqual([])
})

/**
 * Where a trigger or a function of one fires, other tables are asked by the school of the row: a divided engine lets it
 * reach the machine alone on which it runs.
 */
test('whatever a trigger asks of a divided table, it asks by the school', async () => {
  const { db } = await testDatabase()
  const { rows } = await sql<{ name: string; text: string }>`
    select p.proname "name", p.prosrc "text"
    from pg_proc p
    join pg_language l on l.oid = p.prolang and l.lanname = 'plpgsql'
    where p.pronamespace = 'public'::regnamespace`.execute(db)
  const faults = rows.flatMap(({ name, text }) =>
    text
      .split(/;|\bloop\b|\bthen\b|\bbegin\b/i)
      .filter((one) => /\b(from|join|update)\s+"/i.test(one) && !/"schoolId"/.test(one))
      .map(() => name),
  )
  expect(faults).toEqual([])
})
