import { randomUUID } from 'node:crypto'
import { existsSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { expect, inject, test, vi } from 'vitest'
import { openIdentity, openRecipients } from '../../core/backup/keys.ts'
import { findBackup } from '../../core/backup/manifest.ts'
import { writeBackup } from '../../core/backup/write-backup.ts'
import { systemClock } from '../../core/base/clock.ts'
import { parseConfig } from '../../core/base/config.ts'
import type { Connection } from '../../core/database/connection.ts'
import { migrate } from '../../core/database/migrate.ts'
import { folderStore } from '../../core/files/files.ts'
import { startEmbedded } from '../../core/postgres/embedded.ts'
import { migrations } from '../../migrations/index.ts'
import { backupCommands, rowsOf } from '../../testing/backup.ts'
import { badNetwork } from '../../testing/bad-network.ts'
import { signIn } from '../../testing/client.ts'
import { ownDatabase } from '../../testing/database.ts'
import { addressOf, programs, stopped } from '../../testing/program.ts'
import { backupContents } from './contents.ts'
import { restoreBackup } from './restore.ts'

vi.setConfig({ testTimeout: 180_000 })

const admin = { SCHOOL_ID: 's1', SCHOOL_NAME: '测试学校', ADMIN_PASSWORD: 'Start-Test-92' }
const { dataDir, launch } = programs({ DEMO_STUDENTS: '0', ...admin })
const { folder, settings, run } = await backupCommands()
const place = join(folder, 'place')

/** An empty database whose owner is nobody special, with the address of a service that owns nothing. */
async function externalDatabase() {
  const server = inject('connection')
  const name = `own_${randomUUID().replaceAll('-', '')}`
  for (const text of [
    `create role ${name} login nosuperuser`,
    `create role ${name}_service login nosuperuser`,
    `create database ${name} owner ${name} template template0`,
    // the two compare where they lead to, from sessions that tell moments differently
    `alter role ${name} set timezone to 'America/New_York'`,
  ])
    await rowsOf({ ...server, database: 'postgres' }, text)
  const address = (user: string, { host, port }: Connection = server) =>
    `postgres://${user}@/${name}?host=${encodeURIComponent(host!)}&port=${port}`
  return {
    owner: { connectionString: address(name) } satisfies Connection,
    /** The address of the owner over another way. */
    ownerBy: (way: Connection) => address(name, way),
    env: {
      DATABASE_URL: address(`${name}_service`),
      MIGRATION_DATABASE_URL: address(name),
      DIRECT_DATABASE_URL: address(`${name}_service`),
    },
  }
}

test('from the embedded database into an external one, and back, by an owner who is no superuser', async () => {
  const first = launch()
  await signIn(await addressOf(first), 's1', 'admin', admin.ADMIN_PASSWORD)
  expect(await run(['backup', place], { DATA_DIR: dataDir })).toMatchObject({ code: 0 })
  await stopped(first)
  // a data folder may go to another disk
  renameSync(dataDir, join(folder, 'moved'))
  const moved = launch({ DATA_DIR: join(folder, 'moved') })
  await signIn(await addressOf(moved), 's1', 'admin', admin.ADMIN_PASSWORD)
  await stopped(moved)

  const { owner, env } = await externalDatabase()
  const outside = { ...env, DATA_DIR: join(folder, 'outside') }
  expect(await run(['restore', place], outside)).toMatchObject({ code: 0 })
  expect(existsSync(join(outside.DATA_DIR, 'postgres'))).toBe(false)
  const again = await run(['restore', place], { ...env, DATA_DIR: join(folder, 'again') })
  expect(again).toMatchObject({ code: 1, said: expect.stringContaining('数据库中已有数据') as string })
  const second = launch(outside)
  await signIn(await addressOf(second), 's1', 'admin', admin.ADMIN_PASSWORD)
  const [signedIn] = await rowsOf<{ n: number }>(owner, 'select count(*)::int n from "session"')

  const back = join(folder, 'back')
  expect(await run(['backup', back], outside)).toMatchObject({ code: 0 })
  await stopped(second)
  expect(await run(['restore', back], { DATA_DIR: join(folder, 'inside') })).toMatchObject({ code: 0 })
  const third = launch({ DATA_DIR: join(folder, 'inside') })
  await signIn(await addressOf(third), 's1', 'admin', admin.ADMIN_PASSWORD)
  const [now] = await rowsOf<{ n: number }>(join(folder, 'inside'), 'select count(*)::int n from "session"')
  expect(now!.n).toBe(signedIn!.n + 1)
  await stopped(third)
})

test('a connection that breaks off behind the commit takes nothing back: the restore is done, and says what is not', async () => {
  const { env, ownerBy } = await externalDatabase()
  const network = await badNetwork(inject('connection'))
  const outside = { ...env, DATA_DIR: join(folder, 'broken-off') }
  const fault = await restoreBackup(
    parseConfig({ ...outside, MIGRATION_DATABASE_URL: ownerBy(network.connection) } as unknown as NodeJS.ProcessEnv),
    {
      backup: await findBackup(place),
      identity: await openIdentity(settings.BACKUP_IDENTITY),
      onProgress: (text) => text.includes('analyze') && network.reset(),
    },
  )
  expect(fault).toMatch(/^统计数据分布（analyze）没有做完（.+）。数据已全部写入/)
  const program = launch(outside)
  await signIn(await addressOf(program), 's1', 'admin', admin.ADMIN_PASSWORD)
  await stopped(program)
})

test('addresses that lead to two databases are refused, by the name of the setting', async () => {
  const [one, other] = [await externalDatabase(), await externalDatabase()]
  for (const name of ['MIGRATION_DATABASE_URL', 'DIRECT_DATABASE_URL'] as const) {
    const program = launch({ ...one.env, [name]: other.env[name], DATA_DIR: join(folder, 'two') })
    expect(await program.ended).toBe(1)
    expect(program.output()).toContain(`DATABASE_URL 与 ${name} 须指向同一个数据库`)
  }
})

test('an external database that cannot be reached is refused in words', async () => {
  const env = { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none', DATA_DIR: join(folder, 'nowhere') }
  const refused = await run(['restore', place], env)
  expect(refused.code).toBe(1)
  expect(refused.said).toContain('无法使用 DATABASE_URL')
  expect(refused.said).not.toMatch(/^\s+at /m)
})

test('a backup of an earlier release is restored as it was, and brought up to date by the ordinary start', async () => {
  // as that release left it: its schema, a school, and the secrets it was first used with
  const names = Object.keys(migrations).filter((name) => name < '202611231160')
  const { owner, close } = await ownDatabase('empty')
  await migrate(owner, Object.fromEntries(names.map((name) => [name, migrations[name]!])))
  await rowsOf(owner, `insert into "school" ("schoolId", "schName") values ('old', '老学校')`)
  await rowsOf(
    owner,
    `insert into "statChange" ("schoolId", "scKind", "scKey") select 'old', 'person', gen_random_uuid() from generate_series(1, 7) n`,
  )
  const old = join(folder, 'old-place')
  await writeBackup({
    connection: owner,
    contents: { ...backupContents, files: 'select \'\' "key", false "needed" limit 0' },
    place: old,
    recipients: await openRecipients([settings.BACKUP_RECIPIENTS]),
    files: folderStore(join(folder, 'no-files')),
    archives: join(folder, 'no-archives'),
    secrets: JSON.stringify({ pepper: '11'.repeat(32), fieldKey: '22'.repeat(32) }),
    program: '0.0.9',
    clock: systemClock,
    onProgress: () => {},
  })
  await close()
  expect((await findBackup(old)).manifest.migrations).toEqual(names)

  const target = join(folder, 'old-restored')
  expect(await run(['restore', old], { DATA_DIR: target })).toMatchObject({ code: 0 })
  const restored = await startEmbedded({ dataDir: target })
  const ran = () => rowsOf<{ name: string }>(restored.connection, 'select name from kysely_migration order by name')
  expect((await ran()).map(({ name }) => name)).toEqual(names)
  // what a table holds is what was copied, not what migrations or triggers put there
  expect(
    await rowsOf(restored.connection, `select "scKind", "scKey" from "statChange" where "scKind" = 'person'`),
  ).toHaveLength(7)
  await restored.stop()
  const upgraded = launch({ DATA_DIR: target })
  await addressOf(upgraded)
  expect(
    (await rowsOf<{ name: string }>(target, 'select name from kysely_migration order by name')).map(({ name }) => name),
  ).toEqual(Object.keys(migrations))
  expect(await rowsOf(target, 'select "schName" from "school"')).toEqual([{ schName: '老学校' }])
  await stopped(upgraded)
})
