import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import pg from 'pg'
import { expect, test } from 'vitest'
import { parseConfig } from '../core/base/config.ts'
import { migrations } from '../migrations/index.ts'
import { ownDatabase } from '../testing/database.ts'
import { atFileEnd } from '../testing/file-end.ts'
import { plannedSteps } from './migration-plan.ts'
import { checkUpgrade } from './upgrade-check.ts'

const folder = mkdtempSync(join(tmpdir(), 'console-upgrade-'))
atFileEnd(async () => rmSync(folder, { recursive: true }))

/** The address of a test's database as an operator gives it. */
const settingsFor = ({ host, database, user, port }: pg.ClientConfig) =>
  parseConfig({
    DATA_DIR: folder,
    DATABASE_URL: `postgres://${user}@/${database}?host=${encodeURIComponent(host!)}&port=${port}`,
  })

const later = {
  ...migrations,
  '299901010000-later': {
    up: async (db: Parameters<(typeof migrations)[string]['up']>[0]) => {
      await sql`alter table "lesson" add column "liMotto" text`.execute(db)
      await sql`create index "person_motto" on "person" ("suName")`.execute(db)
      await sql`update "college" set "scName" = "scName"`.execute(db)
    },
  },
}

test('a database that is up to date has nothing to run; without a backup that is told', async () => {
  const { owner, close } = await ownDatabase()
  const { lines, isGood } = await checkUpgrade(settingsFor(owner))
  expect(lines.join('\n')).toMatch(/表结构已是最新[^]*没有会挡住升级的长事务[^]*没有看到备份的记录/)
  expect(isGood).toBe(false)
  await close()
})

test('what would run is told with its tables, and who stands in the way; nothing is changed', async () => {
  const { owner, db, close } = await ownDatabase()
  const { lines } = await checkUpgrade(settingsFor(owner), later)
  const text = lines.join('\n')
  expect(text).toMatch(/将执行 1 步：\n {2}299901010000-later\n/)
  expect(text).toMatch(
    /lesson：短暂独占[^\n]*\n[^\n]*person：逐行检查或建索引，其间不能写入（\d+ kB，约 \d+ 行）\n[^\n]*college：逐行改写/,
  )
  const columns = await sql`select from pg_attribute where attname = 'liMotto'`.execute(db)
  expect(columns.rows).toEqual([])
  await close()
})

test('a database of a newer version is told, and ends badly', async () => {
  const { owner, close } = await ownDatabase()
  const { '202611230000-first-schema': first } = migrations
  const { lines, isGood } = await checkUpgrade(settingsFor(owner), { '202611230000-first-schema': first! })
  expect([lines.join(), isGood]).toEqual([expect.stringContaining('较新的版本升级'), false])
  await close()
})

test('of every migration there is, the tables that it touches are seen without a database', async () => {
  const plans = await plannedSteps(migrations, Object.keys(migrations))
  expect(plans.get('202611231190-previous-sign-in')).toEqual([{ table: 'account', work: 'brief' }])
  expect(plans.get('202611230000-first-schema')!.filter(({ work }) => work === 'create').length).toBeGreaterThan(60)
})
