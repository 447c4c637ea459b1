import { readdirSync, readFileSync } from 'node:fs'
import { sql } from 'kysely'
import { expect, inject, test } from 'vitest'
import { migrations } from '../../migrations/index.ts'
import { asOwner, ownDatabase, testDatabase } from '../../testing/database.ts'
import { schemaFiles } from '../../testing/schema-files.ts'
import { newId } from '../base/ids.ts'
import { StartFault } from '../base/start-fault.ts'
import { migrate, type Migrations } from './migrate.ts'
import { openDatabase } from './pool.ts'

const migrationsFolder = new URL('../../migrations/', import.meta.url)
const migrationFiles = readdirSync(migrationsFolder, { withFileTypes: true })
  .filter((entry) => entry.isFile() && entry.name !== 'index.ts')
  .map((entry) => entry.name.replace(/\.ts$/, ''))

test('every migration file is listed, named by its time, and listed in order', () => {
  expect(Object.keys(migrations)).toEqual(migrationFiles.sort())
  for (const name of migrationFiles) expect(name).toMatch(/^20\d{10}-[a-z0-9-]+$/)
})

test('every part of the first schema is run', () => {
  const first = readFileSync(new URL('202611230000-first-schema.ts', migrationsFolder), 'utf8')
  const parts = readdirSync(new URL('first-schema/', migrationsFolder)).filter((name) => name.endsWith('.schema.ts'))
  expect(parts.length).toBeGreaterThan(10)
  expect(parts.filter((name) => !first.includes(`'./first-schema/${name}'`))).toEqual([])
})

test.each(Object.entries(schemaFiles))(
  '%s is what the migrated database says; npm run schema writes it anew',
  async (file, textOf) => {
    const generated = await textOf(inject('connection'))
    expect(readFileSync(new URL(`../../../${file}`, import.meta.url), 'utf8')).toBe(generated)
  },
)

test('docs/schema.sql would show every kind of change, and refuses what it cannot tell', async () => {
  const { owner: connection, close: closeService } = await ownDatabase()
  const { db, close } = openDatabase(connection, { max: 2 })
  const textOf = schemaFiles['docs/schema.sql']!
  let before = await textOf(connection)
  for (const change of changes) {
    await sql.raw(change).execute(db)
    const after = await textOf(connection)
    expect(after, change).not.toBe(before)
    before = after
  }
  await sql`create view "someView" as select 1`.execute(db)
  await expect(textOf(connection)).rejects.toThrow(/someView/)
  await close()
  await closeService()
})

/** One of each kind, on a small table. */
const changes = [
  `create table "thing" ("schoolId" text, "name" text, "count" int)`,
  `alter table "thing" add "note" text`,
  `alter table "thing" alter "note" set not null`,
  `alter table "thing" alter "note" set default 'none'`,
  `alter table "thing" alter "note" set storage external`,
  `alter table "thing" alter "name" type text collate "C"`,
  `alter table "thing" alter "count" type bigint`,
  `alter table "thing" add "no" int generated always as identity`,
  `alter table "thing" add "double" int generated always as ("no" * 2) stored`,
  `alter table "thing" add primary key ("schoolId", "no")`,
  `alter table "thing" add unique ("name")`,
  `alter table "thing" add check ("count" > 0)`,
  `alter table "thing" add foreign key ("schoolId") references "school"`,
  `create index "thing_name" on "thing" ("name") where "count" > 1`,
  `create statistics "thing_names" on "name", "note" from "thing"`,
  `create function "thing_kept"() returns trigger language plpgsql as 'begin return new; end'`,
  `create trigger "thing_kept" before update on "thing" for each row execute function "thing_kept"()`,
  `comment on table "thing" is 'It''s a thing'`,
  `comment on column "thing"."name" is 'What it is called'`,
]

test('every table but the few of the installation leads its key with the school', async () => {
  const { db } = await testDatabase()
  const { rows } = await sql<{ name: string; first: string }>`
      select c.relname as name, a.attname as first
      from pg_class c
      join pg_index i on i.indrelid = c.oid and i.indisprimary
      join pg_attribute a on a.attrelid = c.oid and a.attnum = i.indkey[0]
      where c.relnamespace = 'public'::regnamespace and c.relname not like 'kysely%'`.execute(db)
  const outside = rows.filter((row) => row.first !== 'schoolId').map((row) => row.name)
  expect(outside.sort()).toEqual([
    'backupRun',
    'installation',
    'job',
    'loginCounter',
    'migrationProgress',
    'processBeat',
    'resetRequest',
    'session',
    'slowStatement',
  ])
  expect(rows.length).toBeGreaterThan(40)
})

/** Where a statement changes few rows: the circle's members are counted in hundreds. */
const joinsOfFew = ['circleMember_note_update']

test('no trigger joins what was with what became: its kept plan, made for one row, compares thousands each with each', async () => {
  const { db } = await testDatabase()
  const { rows } = await sql<{ name: string; body: string }>`
      select proname as name, prosrc as body
      from pg_proc
      where pronamespace = 'public'::regnamespace and prorettype = 'trigger'::regtype`.execute(db)
  expect(rows.length).toBeGreaterThan(20)
  const joining = rows.filter(({ body }) => /\bjoin\s+(was|became)\b/.test(body)).map(({ name }) => name)
  expect(joining).toEqual(joinsOfFew)
})

test('ten processes starting at once run every migration once', async () => {
  const { connection, db, close } = await ownDatabase('empty')
  const runs = await Promise.all(Array.from({ length: 10 }, () => migrate(connection, migrations)))
  expect(runs.flat().sort()).toEqual(Object.keys(migrations).sort())
  expect((await sql<{ n: number }>`select count(*)::int n from kysely_migration`.execute(db)).rows[0]?.n).toBe(
    migrationFiles.length,
  )
  await close()
})

test('a migration that fails leaves nothing of itself, keeps the ones before it, and can be repeated', async () => {
  const { connection, db, close } = await ownDatabase('empty')
  let broken = true
  const list: Migrations = {
    '1': { up: async (tx) => void (await sql`create table one (a int)`.execute(tx)) },
    '2': {
      up: async (tx) => {
        await sql`create table two (a int)`.execute(tx)
        if (broken) throw new Error('half-way')
      },
    },
  }
  await expect(migrate(connection, list)).rejects.toThrow('half-way')
  const tables = async () =>
    (
      await sql<{
        t: string
      }>`
        select tablename t
        from pg_tables
        where schemaname = 'public' and tablename in ('one', 'two')
        order by 1`.execute(db)
    ).rows.map((row) => row.t)
  expect(await tables()).toEqual(['one'])
  broken = false
  expect(await migrate(connection, list)).toEqual(['2'])
  expect(await tables()).toEqual(['one', 'two'])
  await close()
})

test('a database of a newer version is refused in plain words', async () => {
  const { owner: connection, close } = await ownDatabase()
  await migrate(connection, { ...migrations, '299901010000-later': { up: async () => {} } })
  await expect(migrate(connection, migrations)).rejects.toThrow(
    /由较新版本的程序升级（含 299901010000-later，本程序只到 20\d{10}-/,
  )
  await close()
})

test('a database of a version before the first release is refused in plain words and left as it is', async () => {
  const { connection, db, close } = await ownDatabase('empty')
  const old: Migrations = {
    '202611200900-school-people': { up: async (tx) => void (await sql`create table "school" (a int)`.execute(tx)) },
    '202611200910-configuration': { up: async () => {} },
  }
  await migrate(connection, old)
  const refused = migrate(connection, migrations)
  await expect(refused).rejects.toBeInstanceOf(StartFault)
  await expect(refused).rejects.toThrow(/^数据目录由旧的开发版本创建，不能升级到本版本。.*DATA_DIR/)
  const ran = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db)
  expect(ran.rows.map(({ name }) => name)).toEqual(Object.keys(old))
  await close()
})

test('rows of append-only tables are never changed or removed', async () => {
  const { db } = await testDatabase()
  const row = { schoolId: 'none', logId: newId(), actorName: '', action: '写入', requestId: '', ip: '', agent: '' }
  await db.insertInto('auditLog').values(row).execute()
  await asOwner(async (all) => {
    await expect(
      all.updateTable('auditLog').set({ action: '' }).where('logId', '=', row.logId).execute(),
    ).rejects.toThrow(/append-only/)
    await expect(all.deleteFrom('auditLog').where('logId', '=', row.logId).execute()).rejects.toThrow(/append-only/)
    for (const table of ['auditLog', 'creditLedger'])
      await expect(sql`truncate ${sql.table(table)}`.execute(all)).rejects.toThrow(/append-only/)
  })
})
