import { spawn } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import sharp from 'sharp'
import { expect, test, vi } from 'vitest'
import { fileApi } from '../../../contract/platform/files/files.calls.ts'
import { auditApi } from '../../../contract/school/audit/audit.calls.ts'
import { makeIdentity, openIdentity } from '../../core/backup/keys.ts'
import { findBackup, partPath, readManifest, writeManifest, type Manifest } from '../../core/backup/manifest.ts'
import { bundledFile } from '../../core/base/bundled-file.ts'
import { parseConfig } from '../../core/base/config.ts'
import { joinRunning, startEmbedded } from '../../core/postgres/embedded.ts'
import { loadSecrets } from '../../core/secrets/secrets.ts'
import { sealedKey, unseal } from '../../core/secrets/field-crypto.ts'
import { demoPassword } from '../../demo/account-list.ts'
import { backupCommands, rowsOf } from '../../testing/backup.ts'
import { badNetwork } from '../../testing/bad-network.ts'
import { signIn } from '../../testing/client.ts'
import { addressOf, programs, stopped } from '../../testing/program.ts'
import { archiveFolder } from '../backup/back-up.ts'
import { importSchool } from './import.ts'
import { secretColumns } from './reseal.ts'

vi.setConfig({ testTimeout: 180_000 })

/** One installation with two schools, and another that has a school of its own. */
const source = programs({ DEMO_STUDENTS: '20' })
const target = programs({ DEMO_STUDENTS: '0' })
const { folder, settings, run } = await backupCommands()
const place = join(folder, 'place')
const [here, there] = [{ DATA_DIR: source.dataDir }, { DATA_DIR: target.dataDir }]
const picture = { id: '', bytes: Buffer.alloc(0) as Buffer }
const otherPassword = 'Plum-tree-41'

const createSchool = (dataDir: string, schoolId: string): Promise<number | null> =>
  new Promise((done) =>
    spawn(process.execPath, [fileURLToPath(bundledFile(new URL('../../create-school.ts', import.meta.url)))], {
      env: {
        PATH: process.env['PATH'],
        DATA_DIR: dataDir,
        SCHOOL_ID: schoolId,
        SCHOOL_NAME: `${schoolId} 学校`,
        ADMIN_PASSWORD: otherPassword,
      } as unknown as NodeJS.ProcessEnv,
      stdio: 'ignore',
    }).on('close', done),
  )

/** Tables that hold rows of schools. */
const tablesOf = async (dataDir: string): Promise<string[]> =>
  (
    await rowsOf<{ name: string }>(
      dataDir,
      `select table_name "name" from information_schema.columns where table_schema = 'public' and column_name = 'schoolId' order by 1`,
    )
  ).map(({ name }) => name)

/** What each table holds of a school, row by row as a digest. */
async function contentOf(dataDir: string, schoolId: string): Promise<Record<string, string>> {
  const names = (await tablesOf(dataDir)).filter((name) => !['job', 'processBeat'].includes(name))
  const all = await rowsOf<{ name: string; digest: string }>(
    dataDir,
    names
      .map(
        (name) =>
          `select '${name}' "name", count(*)::text || md5(coalesce(string_agg(t::text, '' order by t::text), '')) "digest" from "${name}" t where "schoolId" = '${schoolId}'`,
      )
      .join(' union all '),
  )
  return Object.fromEntries(all.map(({ name, digest }) => [name, digest]))
}

let before: Record<string, string>
let exported: Manifest

test('both installations run, and a school is exported', async () => {
  const running = source.launch()
  const address = await addressOf(running)
  const admin = await signIn(address, 'demo', 'admin', demoPassword)
  const bytes = await sharp({ create: { width: 64, height: 32, channels: 3, background: '#c02030' } })
    .png()
    .toBuffer()
  const { data } = await admin.upload(fileApi.upload, { name: '海报.png', bytes }, { kind: 'image' })
  picture.id = data.fileId
  picture.bytes = (await admin.download(fileApi.view, { id: picture.id })).bytes
  expect(await createSchool(source.dataDir, 'second')).toBe(0)
  // sealed, so that the seals move too
  await expect
    .poll(
      async () =>
        (
          await rowsOf<{ n: number }>(
            source.dataDir,
            `select count(*)::int n from "auditSeal" where "schoolId" = 'demo'`,
          )
        )[0]!.n,
      { timeout: 90_000, interval: 2000 },
    )
    .toBeGreaterThan(0)
  await stopped(running)

  const other = target.launch()
  await addressOf(other)
  expect(await createSchool(target.dataDir, 'resident')).toBe(0)
  await stopped(other)

  expect(await run(['export-school', 'demo', place], here)).toMatchObject({
    code: 0,
    said: expect.stringContaining('已把学校 demo 导出到') as string,
  })
  expect(await run(['export-school', 'nowhere', place], here)).toMatchObject({
    code: 1,
    said: expect.stringContaining('没有学校 nowhere') as string,
  })
  expect(await run(['export-school', 'second', place], here)).toMatchObject({
    code: 1,
    said: expect.stringContaining('存放的是学校 demo 的归档') as string,
  })
  exported = (await findBackup(place)).manifest
  expect(exported).toMatchObject({ school: 'demo', schools: [{ schoolId: 'demo' }] })
  expect(exported.files.count).toBeGreaterThan(0)
  expect(await run(['verify', place], here)).toMatchObject({ code: 0 })
})

test('every column of bytes in the archive is one that secrets open, or one that needs none', async () => {
  const plain = new Set([
    'auditSeal.hash',
    'auditSeal.prevHash',
    'auditSeal.rowHashes',
    'lessonSession.codeSecret',
    'sessionSign.deviceHash',
    'signingKey.publicKey',
    'statEarned.abilities',
    'statEarned.records',
    'statSignIn.days',
    'statSupplement.records',
    'supplementCredential.credentialKey',
    'transcriptIssue.digest',
    'transcriptIssue.substance',
  ])
  await addressOf(target.launch())
  const columns = await rowsOf<{ name: string; column: string }>(
    target.dataDir,
    `select table_name "name", column_name "column" from information_schema.columns where table_schema = 'public' and data_type = 'bytea'`,
  )
  const archived = new Set(exported.tables.map(({ name }) => name))
  for (const { name, column } of columns.filter((one) => archived.has(one.name))) {
    const { sealed = {} } = secretColumns[name] ?? {}
    const known =
      plain.has(`${name}.${column}`) || column in sealed || Object.values(sealed).some(({ hash }) => hash === column)
    expect(known, `${name}.${column}`).toBe(true)
  }
  before = await contentOf(target.dataDir, 'resident')
})

test.each<[string, string, (copy: string) => Promise<Record<string, string>>]>([
  [
    'a cut file',
    '备份已损坏：tables/person.age 应为',
    async (copy) => (truncateSync(partPath.table(copy, 'person'), 100), {}),
  ],
  [
    'an altered byte',
    '与清单中的校验值不符',
    async (copy) => {
      const path = partPath.table(copy, 'creditLedger')
      const bytes = readFileSync(path)
      bytes[bytes.length - 9]! ^= 1
      writeFileSync(path, bytes)
      return {}
    },
  ],
  [
    'another version',
    '版本不同：归档由较新的程序',
    async (copy) => {
      const manifest = await readManifest(copy)
      await writeManifest(copy, { ...manifest, migrations: [...manifest.migrations, '209901010000-later'] })
      return {}
    },
  ],
  [
    'an older version',
    '版本不同：归档由较旧的程序',
    async (copy) => {
      const manifest = await readManifest(copy)
      await writeManifest(copy, { ...manifest, migrations: manifest.migrations.slice(0, -1) })
      return {}
    },
  ],
  [
    'another key',
    '密钥不符',
    async () => {
      const path = join(folder, 'other-key.txt')
      await makeIdentity(path, '2026-11-24 02:30:00')
      return { BACKUP_IDENTITY: path }
    },
  ],
  [
    'a role that is not the owner',
    '权限不足：数据库角色 guest',
    async () => {
      const { host, port, database } = joinRunning(target.dataDir) as Record<string, string | number>
      await rowsOf(target.dataDir, 'create role guest login')
      const url = `postgresql://guest@/${database}?host=${encodeURIComponent(String(host))}&port=${port}`
      return { DATABASE_URL: url }
    },
  ],
])('refused, with nothing written: %s', async (_, words, spoil) => {
  const { folder: whole, manifest } = await findBackup(place)
  const other = join(folder, `spoilt-${Math.random()}`)
  cpSync(place, other, { recursive: true })
  const copy = join(other, manifest.name)
  expect(whole).toBe(join(place, manifest.name))
  const settings = await spoil(copy)
  expect(await run(['import-school', other], { ...there, ...settings })).toMatchObject({
    code: 1,
    said: expect.stringContaining(words) as string,
  })
  const left = await contentOf(target.dataDir, 'demo')
  expect(Object.values(left).every((digest) => digest.startsWith('0'))).toBe(true)
})

test('imported beside a running program: equal counts and sums, people sign in, seals hold, the other school is as it was', async () => {
  // begun twice: the one that is refused takes nothing away from the other
  const both = await Promise.all([run(['import-school', place], there), run(['import-school', place], there)])
  expect(both.toSorted((one, other) => one.code! - other.code!)).toMatchObject([
    { code: 0, said: expect.stringContaining('导入学校 demo') as string },
    { code: 1, said: expect.stringMatching(/另一次导入正在进行|已经存在/) as string },
  ])
  for (const { name, rows } of exported.tables.filter((table) => !['job', 'statChange'].includes(table.name))) {
    const [counted] = await rowsOf<{ n: number }>(
      target.dataDir,
      `select count(*)::int n from "${name}" where "schoolId" = 'demo'`,
    )
    expect([name, counted!.n >= rows], name).toEqual([name, true])
  }
  const [ledger] = await rowsOf<{ n: number; sum: string }>(
    target.dataDir,
    `select count(*)::int n, sum("clValue")::text sum from "creditLedger" where "schoolId" = 'demo'`,
  )
  expect(ledger).toEqual({ n: exported.schools[0]!.entries, sum: exported.schools[0]!.sum })
  const after = await contentOf(target.dataDir, 'resident')
  // a running program seals the trail of every school and works its statistics out
  const still = (content: Record<string, string>) =>
    Object.fromEntries(Object.entries(content).filter(([name]) => name !== 'auditSeal' && !name.startsWith('stat')))
  expect(still(after)).toEqual(still(before))

  const secrets = loadSecrets({ dataDir: target.dataDir, secretPepper: undefined, secretFieldKey: undefined })
  const [person] = await rowsOf<{ suiPhone: Buffer; suiPhoneHash: Buffer }>(
    target.dataDir,
    `select "suiPhone", "suiPhoneHash" from "person" where "schoolId" = 'demo' and "suiPhone" is not null limit 1`,
  )
  const phone = unseal(person!.suiPhone, secrets)
  expect(phone).toMatch(/^1\d{10}$/)
  expect(person!.suiPhoneHash).toEqual(sealedKey(phone, secrets))

  expect(await run(['import-school', place], there)).toMatchObject({
    code: 1,
    said: expect.stringContaining('学校 demo 在这个安装中已经存在') as string,
  })
  expect(await run(['restore', place], { DATA_DIR: join(folder, 'empty') })).toMatchObject({
    code: 1,
    said: expect.stringContaining('这是学校 demo 的归档') as string,
  })
})

test('what was imported is used', async () => {
  // the test before left a program running on the folder
  const address = /已启动：(http:\/\/[\d.:]+)/g
  const running = [...target.printed().matchAll(address)].at(-1)![1]!
  const admin = await signIn(running, 'demo', 'admin', demoPassword)
  expect((await admin.download(fileApi.view, { id: picture.id })).bytes).toEqual(picture.bytes)
  await admin.send(auditApi.verify, {})
  await expect
    .poll(async () => (await admin.send(auditApi.verification, {})).verdict, { timeout: 60_000 })
    .toMatchObject({ faultCount: 0 })
})

test('what fails behind the commit is told and takes nothing back', async () => {
  const database = await startEmbedded({ dataDir: source.dataDir })
  await rowsOf(
    database.connection,
    `insert into "auditArchive" ("schoolId", "arcNo", "fromSeal", "throughSeal", "rowCount", "firstTime", "lastTime", "cutTime", "fileName", "size", "sha256", "createTime")
    values ('second', 1, 1, 1, 1, now(), now(), now() + interval '1 second', 'second_1-1.jsonl.gz', 1, repeat('a', 64), now())`,
  )
  await database.stop()
  mkdirSync(archiveFolder(source.dataDir), { recursive: true })
  writeFileSync(join(archiveFolder(source.dataDir), 'second_1-1.jsonl.gz'), 'x')
  const other = join(folder, 'second')
  expect(await run(['export-school', 'second', other], here)).toMatchObject({ code: 0 })
  // where the store would have the folder of the school is a file
  writeFileSync(join(target.dataDir, 'files', 'second'), '')
  const network = await badNetwork(joinRunning(target.dataDir)!)
  const done = await importSchool(
    parseConfig(there as unknown as NodeJS.ProcessEnv),
    { connection: network.connection, close: () => Promise.resolve() },
    {
      backup: await findBackup(other),
      identity: await openIdentity(settings.BACKUP_IDENTITY),
      onProgress: (text) => text.includes('analyze') && network.reset(),
    },
  )
  expect(done).toEqual({
    school: 'second',
    faults: [
      expect.stringContaining('操作日志的归档没有放入文件存储') as string,
      expect.stringContaining('统计数据分布（analyze）没有做完') as string,
    ],
  })
  expect(await rowsOf(target.dataDir, `select "schName" from "school" where "schoolId" = 'second'`)).toHaveLength(1)
  expect(existsSync(join(archiveFolder(target.dataDir), 'second_1-1.jsonl.gz'))).toBe(true)
})
