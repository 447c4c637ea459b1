import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { beforeEach, expect, test, vi } from 'vitest'
import { archiverOf, assertOwner } from '../core/backup/archiver.ts'
import { makeIdentity } from '../core/backup/keys.ts'
import { parseConfig } from '../core/base/config.ts'
import { unfinishedRestore } from '../core/base/data-folder.ts'
import type { Connection } from '../core/database/connection.ts'
import { openFiles } from '../core/files/files.ts'
import { checkFileStore } from '../core/files/store-mark.ts'
import { openSecrets } from '../core/secrets/secrets.ts'
import { rowsOf } from '../testing/backup.ts'
import { ownDatabase, type TestDatabase } from '../testing/database.ts'
import { atFileEnd } from '../testing/file-end.ts'
import { dumpOf, releaseOf } from '../testing/released.ts'
import { addressesOf } from './addresses.ts'
import { lookAtDatabase, lookAtPlace } from './start-check.ts'
import { checkUpgrade } from './upgrade-check.ts'

vi.setConfig({ testTimeout: 60_000 })

const root = mkdtempSync(join(tmpdir(), 'console-start-check-'))
atFileEnd(async () => rmSync(root, { recursive: true }))
let dataDir = ''
beforeEach(() => void (dataDir = mkdtempSync(join(root, 'data-'))))

/** The address of a test's database as an operator gives it. */
const addressTo = ({ host, database, user, port }: Connection): string =>
  `postgres://${user}@/${database}?host=${encodeURIComponent(host!)}&port=${port}`

const settingsFor = ({ connection }: Pick<TestDatabase, 'connection'>, more: Record<string, string> = {}) =>
  parseConfig({ DATA_DIR: dataDir, DATABASE_URL: addressTo(connection), ...more })

/** A database that a first start has used. */
async function used(): Promise<TestDatabase> {
  const database = await ownDatabase()
  const config = settingsFor(database)
  await openSecrets(database.db, config)
  await checkFileStore(database.db, openFiles(config), pino({ level: 'silent' }))
  return database
}

const look = (config: ReturnType<typeof parseConfig>) => lookAtDatabase(config, addressesOf(config))

test('a database that was never used is refused nothing, and nothing is laid into it or beside it', async () => {
  const database = await ownDatabase()
  const { refused, unknown, passed } = await look(settingsFor(database, { NODE_ENV: 'production' }))
  expect([refused, unknown]).toEqual([[], []])
  expect(passed).toEqual(['连接池', 'DATABASE_ENGINE', '密钥', '文件存储', '演示学校'])
  expect(readdirSync(dataDir)).toEqual([])
  expect(await database.db.selectFrom('installation').selectAll().execute()).toEqual([])
  await database.close()
})

test('its own settings are refused nothing, and the look lays nothing beside what is there', async () => {
  const database = await used()
  expect((await look(settingsFor(database))).refused).toEqual([])
  const before = readdirSync(dataDir, { recursive: true })
  expect((await look(settingsFor(database, { DIRECT_DATABASE_URL: addressTo(database.owner) }))).passed).toContain(
    'DIRECT_DATABASE_URL',
  )
  expect(readdirSync(dataDir, { recursive: true })).toEqual(before)
  await database.close()
})

test('secrets and files that are another installation’s are told together, and no secrets are left behind', async () => {
  const database = await used()
  dataDir = mkdtempSync(join(root, 'other-'))
  const missing = await look(settingsFor(database))
  expect(missing.refused).toEqual([
    expect.stringContaining('密钥与数据库不符'),
    expect.stringContaining('文件存储与数据库不符'),
  ])
  expect(readdirSync(dataDir)).toEqual([])
  const other = { SECRET_PEPPER: 'ab'.repeat(32), SECRET_FIELD_KEY: 'cd'.repeat(32) }
  expect((await look(settingsFor(database, other))).refused[0]).toContain('密钥与数据库不符')
  await database.close()
})

test('addresses that lead elsewhere are refused, and the upgrade is looked at where it would run', async () => {
  const [database, other] = [await used(), await ownDatabase('empty')]
  for (const setting of ['DIRECT_DATABASE_URL', 'MIGRATION_DATABASE_URL']) {
    const config = settingsFor(database, { [setting]: addressTo(other.owner) })
    expect((await look(config)).refused).toEqual([`DATABASE_URL 与 ${setting} 须指向同一个数据库。`])
    const { lines, isGood } = await checkUpgrade(config)
    expect([lines.join('\n'), isGood]).toEqual([
      expect.stringMatching(/✗ 启动会被拒绝：DATABASE_URL 与 [^]*数据库现为 空/),
      false,
    ])
  }
  await other.close()
  await database.close()
})

test('a server that does not let the service in is refused in words', async () => {
  const database = await ownDatabase()
  const config = parseConfig({
    DATA_DIR: dataDir,
    DATABASE_URL: addressTo({ ...database.owner, user: 'nobody_there' }),
    MIGRATION_DATABASE_URL: addressTo(database.owner),
  })
  const { refused, passed } = await look(config)
  expect(refused).toEqual([expect.stringContaining('无法使用 DATABASE_URL 或 MIGRATION_DATABASE_URL 指定的数据库')])
  expect(passed).toEqual(['DATABASE_ENGINE'])
  const elsewhere = parseConfig({ DATA_DIR: dataDir, DATABASE_URL: config.databaseUrl })
  expect((await checkUpgrade(elsewhere)).lines.slice(-2)).toEqual([
    expect.stringContaining('✗ 启动会被拒绝：无法使用 DATABASE_URL 指定的数据库'),
    expect.stringContaining('没有查看表结构：无法使用 DATABASE_URL 指定的数据库'),
  ])
  await database.close()
})

test.each([
  { version: '0.3.0', refused: [expect.stringContaining('任何人都能用公开的账号和密码登录')], unknown: [] },
  // a version that could not suspend a school
  { version: '0.1.0', refused: [], unknown: ['演示学校：数据库还是较旧的结构，启动时才能核对'] },
])(
  'the demo school of $version is told before it is upgraded for production',
  async ({ version, refused, unknown }) => {
    const database = await ownDatabase('empty')
    await rowsOf(database.owner, dumpOf(version))
    const { secrets } = releaseOf(version)
    const config = settingsFor(
      { connection: database.owner },
      { NODE_ENV: 'production', SECRET_PEPPER: secrets.pepper, SECRET_FIELD_KEY: secrets.fieldKey },
    )
    expect(await look(config)).toMatchObject({ refused, unknown })
    expect((await look({ ...config, production: false })).refused).toEqual([])
    await database.close()
  },
)

test('a place where a start would be refused is told, and its embedded database is not started for the look', async () => {
  const place = join(root, 'archive')
  mkdirSync(place)
  await assertOwner(place, '7', archiverOf(mkdtempSync(join(root, 'first-'))))
  mkdirSync(join(dataDir, 'postgres'))
  writeFileSync(unfinishedRestore(dataDir), '')
  const recipient = await makeIdentity(join(root, 'identity'), '2026-11-28 20:00:00')
  const config = parseConfig({ DATA_DIR: dataDir, WAL_ARCHIVE: place, BACKUP_RECIPIENTS: recipient })
  const { lines, isGood } = await checkUpgrade(config)
  expect([lines, isGood]).toEqual([
    [
      '✓ 启动时的检查通过：数据目录。',
      expect.stringMatching(/^✗ 启动会被拒绝：.*恢复没有完成/),
      expect.stringMatching(/^✗ 启动会被拒绝：归档位置 .* 属于另一个数据目录.*\n {4}只是试用/),
      '数据库没有启动，没有查看。',
    ],
    false,
  ])
  const taken = join(root, 'file')
  writeFileSync(taken, '')
  expect((await lookAtPlace(parseConfig({ DATA_DIR: join(taken, 'data') }))).refused).toEqual([
    expect.stringContaining('不可写'),
  ])
})
