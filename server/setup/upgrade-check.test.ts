import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import pg from 'pg'
import { expect, test } from 'vitest'
import { parseConfig } from '../core/base/config.ts'
import { migrations } from '../migrations/index.ts'
import { backfill } from '../core/database/backfill.ts'
import { concurrentIndex } from '../core/database/concurrent-index.ts'
import { openDatabase } from '../core/database/pool.ts'
import { ownDatabase } from '../testing/database.ts'
import { atFileEnd } from '../testing/file-end.ts'
import { plannedSteps } from './migration-plan.ts'
import { checkUpgrade } from './upgrade-check.ts'

const folder = mkdtempSync(join(tmpdir(), 'console-upgrade-'))
atFileEnd(async () => rmSync(folder, { recursive: true }))

/** Stamp from which on indexes on large tables are built concurrently. */
const concurrentSince = '202611250000'
/**
 * Tables whose index is built in a moment in any installation: a row for each school, and jobs, which are forgotten
 * once they are done. Every other one counts as large, also one that is new and of which nobody has thought.
 */
const smallTables = ['job', 'school']

/** What migrations would do to large tables that keeps people from writing while every row is looked at. */
async function longLocks(some: typeof migrations): Promise<string[]> {
  const plans = await plannedSteps(some, Object.keys(some))
  return [...plans.values()]
    .flat()
    .filter(({ table, work }) => work === 'index' && !smallTables.includes(table))
    .map(({ table, work }) => `${table} ${work}`)
}

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
const stepwise = {
  ...migrations,
  '299901020000-steps': {
    isStepwise: true,
    up: async (db: Parameters<(typeof migrations)[string]['up']>[0]) => {
      const set = { key: ['schoolId', 'liId'], set: '"liNo" = "liNo"', where: 'false' }
      await backfill(db, { name: '299901020000-steps', table: 'lesson', ...set })
      await concurrentIndex(db, { name: 'lesson_later', on: '"registration" ("schoolId", "suId")' })
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

test('stepwise migrations are told as what others can work beside, with about how long they take', async () => {
  const { owner, db, close } = await ownDatabase()
  // as if it were large: the figures are what the planner knows
  const { db: asOwner, close: closeOwner } = openDatabase(owner, { max: 1 })
  await sql`update pg_class set reltuples = 1000000 where relname in ('lesson', 'registration')`.execute(asOwner)
  const text = (await checkUpgrade(settingsFor(owner), stepwise)).lines.join('\n')
  expect(text).toMatch(
    /将执行 1 步：\n {2}299901020000-steps\n {4}lesson：分批补填，其间照常读写，中断后接着做（[^\n]*约 1000000 行，估计 \d+ (秒|分钟)）\n {4}registration：另行建索引，其间照常读写，中断后重做（[^\n]*估计 \d+ 秒）\n/,
  )
  expect(text).not.toContain('migrationProgress')
  const notes = await sql`select from pg_index where indexrelid = to_regclass('lesson_later')`.execute(db)
  expect(notes.rows).toEqual([])
  await closeOwner()
  await close()
})

test.each([
  ['create index "a" on "registration" ("suId")', ['registration index']],
  ['create unique index "a" on only "auditLog" ("logId")', ['auditLog index']],
  ['create index concurrently "a" on "registration" ("suId")', []],
  ['create index "a" on "outboxDelivery" ("schoolId")', ['outboxDelivery index']],
  ['create index "a" on "school" ("schName")', []],
  ['create table "registration" ("a" int); create index "a" on "registration" ("a")', []],
  ['alter table "creditLedger" add constraint "a" unique ("clId")', ['creditLedger index']],
  ['alter table "creditLedger" add constraint "a" check (true) not valid', []],
])('whether %s keeps people from writing for long is seen', async (text, wanted) => {
  const parts = text.split('; ').map((part) => `${part};\n`)
  const one = {
    '209901010000-one': {
      up: async (db: Parameters<(typeof migrations)[string]['up']>[0]) =>
        void (await sql.raw(parts.join('')).execute(db)),
    },
  }
  expect(await longLocks(one)).toEqual(wanted)
})

test('tables that are called small are there', async () => {
  const plans = await plannedSteps(migrations, Object.keys(migrations))
  const made = [...plans.values()].flat().filter(({ work }) => work === 'create')
  expect(made.map(({ table }) => table)).toEqual(expect.arrayContaining(smallTables))
})

test('no new migration builds an index on a large table that keeps people from writing meanwhile', async () => {
  const later = Object.fromEntries(Object.entries(migrations).filter(([name]) => name >= concurrentSince))
  expect(await longLocks(later), 'docs/how-to/add-a-migration.md tells of concurrentIndex').toEqual([])
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
