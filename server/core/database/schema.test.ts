import { readdirSync, readFileSync } from 'node:fs'
import { sql } from 'kysely'
import { expect, inject, test } from 'vitest'
import { migrations } from '../../migrations/index.ts'
import { ownDatabase, testDatabase } from '../../testing/database.ts'
import { newId } from '../ids.ts'
import { migrate, type Migrations } from './migrate.ts'
import { tableTypes } from './table-types.ts'

const migrationFiles = readdirSync(new URL('../../migrations/', import.meta.url))
  .filter((name) => name !== 'index.ts')
  .map((name) => name.replace(/\.ts$/, ''))

test('every migration file is listed, named by its time, and listed in order', () => {
  expect(Object.keys(migrations)).toEqual(migrationFiles.sort())
  for (const name of migrationFiles) expect(name).toMatch(/^20\d{10}-[a-z0-9-]+$/)
})

test('tables.ts is what the migrated database says; npm run tables writes it anew', async () => {
  const generated = await tableTypes(inject('connection'))
  expect(readFileSync(new URL('./tables.ts', import.meta.url), 'utf8')).toBe(generated)
})

test('every table but the few of the installation leads its key with the school', async () => {
  const { db } = await testDatabase()
  const { rows } = await sql<{ name: string; first: string }>`
    select c.relname as name, a.attname as first from pg_class c join pg_index i on i.indrelid = c.oid and i.indisprimary
    join pg_attribute a on a.attrelid = c.oid and a.attnum = i.indkey[0] where c.relnamespace = 'public'::regnamespace and c.relname not like 'kysely%'`.execute(
    db,
  )
  const outside = rows.filter((row) => row.first !== 'schoolId').map((row) => row.name)
  expect(outside.sort()).toEqual(['installation', 'job', 'loginCounter', 'resetRequest', 'session'])
  expect(rows.length).toBeGreaterThan(40)
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
      }>`select tablename t from pg_tables where schemaname = 'public' and tablename in ('one', 'two') order by 1`.execute(
        db,
      )
    ).rows.map((row) => row.t)
  expect(await tables()).toEqual(['one'])
  broken = false
  expect(await migrate(connection, list)).toEqual(['2'])
  expect(await tables()).toEqual(['one', 'two'])
  await close()
})

test('a database of a newer version is refused in plain words', async () => {
  const { connection, close } = await ownDatabase()
  const { '202611200930-operations': _, ...older } = migrations
  await expect(migrate(connection, older)).rejects.toThrow(/较新版本/)
  await close()
})

test('rows of append-only tables are never changed or removed', async () => {
  const { db } = await testDatabase()
  const row = { schoolId: 'none', logId: newId(), actorName: '', action: '写入', requestId: '', ip: '', agent: '' }
  await db.insertInto('auditLog').values(row).execute()
  await expect(db.updateTable('auditLog').set({ action: '' }).where('logId', '=', row.logId).execute()).rejects.toThrow(
    /append-only/,
  )
  await expect(db.deleteFrom('auditLog').where('logId', '=', row.logId).execute()).rejects.toThrow(/append-only/)
  for (const table of ['auditLog', 'creditLedger'])
    await expect(sql`truncate ${sql.table(table)}`.execute(db)).rejects.toThrow(/append-only/)
})
