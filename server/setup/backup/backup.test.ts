import { createHash, randomUUID } from 'node:crypto'
import { cpSync, existsSync, readdirSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { expect, test, vi } from 'vitest'
import { fileApi } from '../../../contract/platform/files/files.calls.ts'
import { makeIdentity } from '../../core/backup/keys.ts'
import {
  findBackup,
  partPath,
  readIndex,
  readManifest,
  writeManifest,
  type StoredFile,
} from '../../core/backup/manifest.ts'
import { joinRunning, startEmbedded } from '../../core/postgres/embedded.ts'
import { schemaText } from '../../core/postgres/schema-text.ts'
import { demoPassword } from '../../demo/account-list.ts'
import { backupCommands, ownerOf, rowsOf } from '../../testing/backup.ts'
import { signIn } from '../../testing/client.ts'
import { addressOf, programs, stopped, type Program } from '../../testing/program.ts'
import type { DrillReport } from './drill.ts'

vi.setConfig({ testTimeout: 180_000 })

/** A demo school that runs on, its backups, and what they are restored into. */
const { dataDir, launch } = programs({ DEMO_STUDENTS: '20' })
const { folder, run, begin } = await backupCommands()
const place = join(folder, 'place')
const here = { DATA_DIR: dataDir }
let running: Program
let address: string
const pictures: { id: string; sha256: string }[] = []

const digest = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')
const upload = async (background: string): Promise<void> => {
  const picture = sharp({ create: { width: 64, height: 32, channels: 3, background } }).png()
  const admin = await signIn(address, 'demo', 'admin', demoPassword)
  const { data } = await admin.upload(
    fileApi.upload,
    { name: '海报.png', bytes: await picture.toBuffer() },
    { kind: 'image' },
  )
  const { bytes } = await admin.download(fileApi.view, { id: data.fileId })
  pictures.push({ id: data.fileId, sha256: digest(bytes) })
}

test('a demo school runs, with a file', async () => {
  running = launch()
  address = await addressOf(running)
  await upload('#c02030')
})

const ledger = (of: string | Parameters<typeof rowsOf>[0]) =>
  rowsOf<{ n: number; sum: string }>(
    of,
    `select count(*)::int n, coalesce(sum("clValue"), 0)::text sum from "creditLedger" where "schoolId" = 'demo'`,
  )

test('beside the running program, under writes, all tables are of one moment; it is restored, started and used', async () => {
  // each transaction writes to the table that is copied among the first and to one of the last
  const writer = await ownerOf(dataDir)
  const [model] = (await writer.query<{ clId: string }>(`select "clId" from "creditLedger" limit 1`)).rows
  const write = async (): Promise<void> => {
    const id = randomUUID()
    await writer.query('begin')
    await writer.query(
      `insert into "auditLog" ("schoolId", "logId", "actorName", action, "bizId", "requestId", ip, agent)
      values ('demo', $1::text::uuid, '', '成对写入', $1::text, '', '', '')`,
      [id],
    )
    await writer.query(
      `insert into "creditLedger" select (jsonb_populate_record(l, jsonb_build_object('clId', $1::text, 'bizId', $1::text, 'bizName', '成对写入'))).*
      from "creditLedger" l where "clId" = $2::uuid`,
      [id, model!.clId],
    )
    await writer.query('commit')
  }
  for (let at = 0; at < 5; at++) await write()
  const backup = begin(['backup', place], here)
  let isDone = false
  void backup.ended.then(() => (isDone = true))
  let meanwhile = 0
  for (; !isDone; meanwhile++) await write()
  await writer.end()
  expect(await backup.ended).toMatchObject({ code: 0, said: expect.stringContaining('已备份到') as string })
  expect(meanwhile).toBeGreaterThan(5)
  const { manifest } = await findBackup(place)
  const target = join(folder, 'restored')
  expect(await run(['restore', place], { DATA_DIR: target })).toMatchObject({ code: 0 })

  const restored = await startEmbedded({ dataDir: target })
  const pairs = async (table: string, column: string) =>
    (
      await rowsOf<{ id: string }>(
        restored.connection,
        `select "bizId"::text id from "${table}" where "${column}" = '成对写入' order by 1`,
      )
    ).map(({ id }) => id)
  const written = await pairs('auditLog', 'action')
  expect(written.length).toBeGreaterThanOrEqual(5)
  expect(await pairs('creditLedger', 'bizName')).toEqual(written)
  const school = manifest.schools.find(({ schoolId }) => schoolId === 'demo')!
  expect(school.entries).toBeGreaterThan(5)
  expect(await ledger(restored.connection)).toEqual([{ n: school.entries, sum: school.sum }])
  const counted = await rowsOf<{ n: number }>(
    restored.connection,
    manifest.tables.map(({ name }) => `select count(*)::int n from "${name}"`).join(' union all '),
  )
  expect(counted.map(({ n }) => n)).toEqual(manifest.tables.map(({ rows }) => rows))
  // triggers, keys and indexes are all there again, and counters go on behind what was given out
  expect(await schemaText(restored.connection)).toBe(await schemaText(joinRunning(dataDir)!))
  const [{ next, last }] = (await rowsOf<{ next: number; last: number }>(
    restored.connection,
    `select nextval(pg_get_serial_sequence('"statChange"', 'scNo'))::float8 next, (select coalesce(max("scNo"), 0) from "statChange")::float8 last`,
  )) as [{ next: number; last: number }]
  expect(next).toBeGreaterThan(last)
  await expect(rowsOf(restored.connection, `delete from "creditLedger"`)).rejects.toThrow(/append-only/)
  await expect(
    rowsOf(
      restored.connection,
      `insert into "person" ("schoolId", "suId", "suiType", "suiName", "suiNumber") values ('none', gen_random_uuid(), '1', '', '')`,
    ),
  ).rejects.toThrow(/foreign key/)
  await restored.stop()

  const copy = launch({ DATA_DIR: target })
  const admin = await signIn(await addressOf(copy), 'demo', 'admin', demoPassword)
  for (const { id, sha256 } of pictures) expect(digest((await admin.download(fileApi.view, { id })).bytes)).toBe(sha256)
  expect(statSync(join(target, 'secrets.json')).mode & 0o777).toBe(0o600)
  await stopped(copy)
})

test('a later backup copies new files alone, and says what became of it', async () => {
  await upload('#2030c0')
  expect(await run(['backup', place], here)).toMatchObject({ code: 0 })
  const [first, second] = readdirSync(place)
    .filter((name) => name !== 'files')
    .toSorted()
  const [old, now] = [readIndex(join(place, first!)), readIndex(join(place, second!))]
  expect([old.length, now.length]).toEqual([1, 2])
  expect(now).toEqual(expect.arrayContaining(old))
  const runs = await rowsOf<{ brStatus: string; size: string; newSize: string }>(
    dataDir,
    `select "brStatus", size, "newSize" from "backupRun" where "brKind" = 'backup' and place = $1 order by "startTime"`,
    [place],
  )
  const { manifest } = await findBackup(place)
  expect(runs.map(({ brStatus }) => brStatus)).toEqual(['1', '1'])
  expect(runs[1]).toMatchObject({ size: String(manifest.size), newSize: String(manifest.newSize) })
  expect(manifest.size - manifest.newSize).toBe(old[0]!.size)
})

test('nothing in the place can be read without the key', () => {
  const names = readdirSync(place, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
  expect(names.length).toBeGreaterThan(100)
  for (const path of names.filter((name) => name.endsWith('.age')))
    expect(readFileSync(path).subarray(0, 21).toString(), path).toBe('age-encryption.org/v1')
  const { pepper } = JSON.parse(readFileSync(join(dataDir, 'secrets.json'), 'utf8')) as { pepper: string }
  for (const path of names) expect(readFileSync(path).includes(pepper), path).toBe(false)
})

test('verify: with the key it counts rows, without it it compares the checksums', async () => {
  const { manifest } = await findBackup(place)
  const rows = manifest.tables.reduce((sum, one) => sum + one.rows, 0)
  const read = await run(['verify', place], {})
  expect(read.code).toBe(0)
  expect(read.said).toContain(`备份 ${manifest.name} 完好`)
  expect(read.said).toContain(`解密得到 ${rows} 行数据、2 个文件，与清单一致`)
  const blind = await run(['verify', place], { BACKUP_IDENTITY: '' })
  expect(blind.code).toBe(0)
  expect(blind.said).toContain('未解密核对内容')
})

test('a drill restores into a place of its own, checks ledger, seals, signatures and figures, and reports', async () => {
  const drill = await run(['verify', place, '--drill'], here)
  expect(drill.code, drill.said).toBe(0)
  expect(drill.said).toContain('恢复演练：通过')
  const { folder: dated, manifest } = await findBackup(place)
  const name = readdirSync(dated).find((one) => /^drill-.*\.json$/.test(one))!
  const report = JSON.parse(readFileSync(join(dated, name), 'utf8')) as DrillReport
  expect(report.faults).toEqual([])
  expect(report.schools.map(({ schoolId, entries, sum }) => [schoolId, entries, sum])).toEqual(
    manifest.schools.map(({ schoolId, entries, sum }) => [schoolId, entries, sum]),
  )
  const demo = report.schools.find(({ schoolId }) => schoolId === 'demo')!
  expect(demo.sealedRows).toBeGreaterThan(0)
  expect(demo.transcripts).toBeGreaterThan(0)
  expect(existsSync(join(dated, name.replace('.json', '.txt')))).toBe(true)
  expect(await rowsOf(dataDir, `select "brStatus", error from "backupRun" where "brKind" = 'drill'`)).toEqual([
    { brStatus: '1', error: '' },
  ])
})

test('a drill tells of what was tampered with before the backup', async () => {
  const client = await ownerOf(dataDir)
  await client.query(`begin; alter table "auditLog" disable trigger user;
    update "auditLog" set action = '改过' where ("schoolId", "logId") = (
      select "schoolId", unnest("logIds") from "auditSeal" where "schoolId" = 'demo' order by "sealNo" limit 1);
    alter table "auditLog" enable trigger user; commit`)
  await client.end()
  const other = join(folder, 'tampered')
  expect(await run(['backup', other], here)).toMatchObject({ code: 0 })
  const drill = await run(['verify', other, '--drill'], here)
  expect(drill.code).toBe(1)
  expect(drill.said).toContain('学校 demo 的操作日志有 1 处与封存不符')
})

/** A copy of the place in which something is not as it should be. */
async function spoiled(name: string, spoil: (dated: string) => void | Promise<void>): Promise<string> {
  const copy = join(folder, `spoiled-${name}`)
  cpSync(place, copy, { recursive: true })
  await spoil((await findBackup(copy)).folder)
  return copy
}
const flip = (path: string): void => {
  const bytes = readFileSync(path)
  bytes[bytes.length >> 1]! ^= 1
  writeFileSync(path, bytes)
}

/** As whoever may write to the place could: a first line of the list that is theirs, with all checksums made anew. */
async function forge(dated: string, changes: Partial<StoredFile>): Promise<void> {
  const [first, ...rest] = readIndex(dated)
  const text = [{ ...first, ...changes }, ...rest].map((line) => `${JSON.stringify(line)}\n`).join('')
  writeFileSync(partPath.index(dated), text)
  const manifest = await readManifest(dated)
  const index = { size: Buffer.byteLength(text), sha256: digest(Buffer.from(text)) }
  await writeManifest(dated, { ...manifest, files: { ...manifest.files, index } })
}

type Spoiling = [name: string, spoil: (dated: string) => void | Promise<void>, words: RegExp]
const spoilings: Spoiling[] = [
  [
    'a cut file',
    (dated: string) => truncateSync(partPath.table(dated, 'person'), 300),
    /备份已损坏：tables\/person.age 应为 \d+ 字节，实为 300 字节/,
  ],
  [
    'an altered byte',
    (dated: string) => flip(partPath.table(dated, 'creditLedger')),
    /备份已损坏：tables\/creditLedger.age 的内容与清单中的校验值不符/,
  ],
  [
    'an altered file content',
    (dated: string) => flip(partPath.object(join(dated, '..'), readIndex(dated)[0]!.sha256)),
    /备份已损坏：文件 demo\/image\/.* 的内容与清单/,
  ],
  [
    'a list of files that lost a line',
    (dated: string) => truncateSync(partPath.index(dated), 10),
    /备份已损坏：files.jsonl 应为/,
  ],
  [
    'an altered manifest',
    (dated: string) => {
      const path = partPath.manifest(dated)
      writeFileSync(path, readFileSync(path, 'utf8').replace('"entries": ', '"entries": 1'))
    },
    /备份已损坏：.*manifest.json 的内容被改动或不完整/,
  ],
  ...['../../outside.sh', '/etc/outside.sh', '.outside', 'sub/outside.sh'].map((key): Spoiling => [
    `a forged list that names ${key.replaceAll('/', '∕')}`,
    (dated: string) => forge(dated, { kind: 'archive', key }),
    /备份已损坏：.*files.jsonl 第 1 行不是本程序写的内容/,
  ]),
  [
    'a forged list with a content from elsewhere',
    (dated: string) => forge(dated, { sha256: '../../../../etc/passwd' }),
    /备份已损坏：.*files.jsonl 第 1 行不是本程序写的内容/,
  ],
  [
    'a newer program’s',
    async (dated: string) => {
      const manifest = await readManifest(dated)
      await writeManifest(dated, { ...manifest, migrations: [...manifest.migrations, '299901010000-later'] })
    },
    /备份由较新版本的程序写成（含 299901010000-later，本程序没有）/,
  ],
]

test.each(spoilings)('%s is refused in words before anything is written', async (name, spoil, words) => {
  const target = join(folder, 'refused')
  const refused = await run(['restore', await spoiled(name, spoil)], { DATA_DIR: target })
  expect(refused.code).toBe(1)
  expect(refused.said).toMatch(words)
  expect(refused.said).not.toMatch(/^\s+at /m)
  expect(existsSync(target)).toBe(false)
})

test.each([
  ['another key', async () => ({ BACKUP_IDENTITY: await otherKey() }), /密钥不符：这份备份是为 age1\w+ 加密的/],
  ['no key', async () => ({ BACKUP_IDENTITY: '' }), /请用 BACKUP_IDENTITY 指定/],
  ['a file that is no key', async () => ({ BACKUP_IDENTITY: join(dataDir, 'secrets.json') }), /不是 age 密钥文件/],
  ['other secrets', async () => ({ SECRET_PEPPER: 'ab'.repeat(32) }), /与备份中的密钥不同/],
  ['a program that runs there', async () => ({ DATA_DIR: dataDir }), /正被另一个本程序使用（进程号 \d+/],
  ['a place that is not empty', async () => ({ DATA_DIR: fullFolder() }), /目标不是空的：.* 中已有 secrets.json/],
])('restoring with %s is refused in words', async (_, more, words) => {
  const target = join(folder, 'refused')
  const refused = await run(['restore', place], { DATA_DIR: target, ...(await more()) })
  expect(refused.code).toBe(1)
  expect(refused.said).toMatch(words)
  expect(existsSync(target)).toBe(false)
  // the program that runs and the folder that was not empty are as before
  expect((await fetch(`${address}/readyz`)).status).toBe(200)
  expect(readdirSync(fullFolder())).toEqual(['secrets.json'])
})

async function otherKey(): Promise<string> {
  const path = join(folder, 'other-key.txt')
  if (!existsSync(path)) await makeIdentity(path, '2026-11-23 02:30:00')
  return path
}
function fullFolder(): string {
  const path = join(folder, 'full')
  if (!existsSync(path)) cpSync(join(dataDir, 'secrets.json'), join(path, 'secrets.json'))
  return path
}

test.each([
  ['without recipients', place, { BACKUP_RECIPIENTS: '' }, /没有设置 BACKUP_RECIPIENTS/],
  ['for what is no recipient', place, { BACKUP_RECIPIENTS: 'age1abc' }, /age1abc 不是 age 公钥/],
  ['into a place that cannot be written', join(folder, 'key.txt/place'), {}, /备份位置 .* 不可写/],
  ['of a folder without a database', place, { DATA_DIR: join(folder, 'nothing') }, /中没有数据库/],
])('backing up %s is refused in words', async (_, to, more, words) => {
  const before = readdirSync(place)
  const refused = await run(['backup', to], { ...here, ...more })
  expect(refused.code).toBe(1)
  expect(refused.said).toMatch(words)
  expect(refused.said).not.toMatch(/^\s+at /m)
  expect(readdirSync(place)).toEqual(before)
})

test('when nothing runs, the database is started for the backup and stopped again; a key is never overwritten', async () => {
  await stopped(running)
  const cold = join(folder, 'cold')
  expect(await run(['backup', cold], here)).toMatchObject({ code: 0 })
  expect(existsSync(join(dataDir, 'service.lock'))).toBe(false)
  expect(existsSync(join(dataDir, 'postgres/postmaster.pid'))).toBe(false)
  const again = await run(['backup', '--new-key', join(folder, 'key.txt')], {})
  expect(again).toMatchObject({ code: 1, said: expect.stringContaining('已经存在，没有覆盖') as string })
})
