import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import sharp from 'sharp'
import { expect, test, vi } from 'vitest'
import { fileApi } from '../../../contract/platform/files/files.calls.ts'
import { clusterPart, readBases, type BaseManifest } from '../../core/backup/base-manifest.ts'
import { makeIdentity } from '../../core/backup/keys.ts'
import { partPath, readIndex, writeManifest } from '../../core/backup/manifest.ts'
import { listWal, segmentOf, walPath } from '../../core/backup/wal-archive.ts'
import { addSeconds, systemClock } from '../../core/base/clock.ts'
import { startEmbedded } from '../../core/postgres/embedded.ts'
import { demoPassword } from '../../demo/account-list.ts'
import { backupCommands, makeDue, rowsOf } from '../../testing/backup.ts'
import { signIn } from '../../testing/client.ts'
import { addressOf, programs, stopped, type Program } from '../../testing/program.ts'

vi.setConfig({ testTimeout: 240_000 })

/** A demo school that runs with an archive, one moment of it, and what is written before and after that moment. */
const { folder, settings, run } = await backupCommands()
const place = join(folder, 'archive')
const { dataDir, launch } = programs({ DEMO_STUDENTS: '20', WAL_ARCHIVE: place, ...settings })
let running: Program
let address: string
let moment: string
/** Later, when all of the first timeline had been written. */
let afterwards: string
let picture: string
const acknowledged: string[] = []

const write = async (word: string): Promise<void> => {
  await rowsOf(
    dataDir,
    `insert into "auditLog" ("schoolId", "logId", "actorName", action, "bizId", "requestId", ip, agent)
    values ('demo', gen_random_uuid(), '', '写入', $1, '', '', '')`,
    [word],
  )
}
const written = async (of: Parameters<typeof rowsOf>[0]): Promise<string[]> =>
  (await rowsOf<{ word: string }>(of, `select "bizId" word from "auditLog" where action = '写入' order by 1`)).map(
    ({ word }) => word,
  )
/** Closes the segment that is being written, and waits until the archive has it. */
const archived = async (): Promise<void> => {
  const [at] = await rowsOf<{ name: string }>(dataDir, 'select pg_walfile_name(pg_switch_wal()) "name"')
  await expect.poll(async () => (await listWal(place)).has(at!.name), { timeout: 30_000 }).toBe(true)
}
const upload = async (background: string): Promise<string> => {
  const admin = await signIn(address, 'demo', 'admin', demoPassword)
  const bytes = await sharp({ create: { width: 64, height: 32, channels: 3, background } })
    .png()
    .toBuffer()
  const { data } = await admin.upload(fileApi.upload, { name: '海报.png', bytes }, { kind: 'image' })
  return data.fileId
}

test('with WAL_ARCHIVE set the program archives its WAL, new files, and a first base backup by itself', async () => {
  running = launch()
  address = await addressOf(running)
  // the first base backup is made by the schedule, for there is none
  await expect.poll(async () => (await readBases(place)).length, { timeout: 120_000, interval: 500 }).toBe(1)
  picture = await upload('#c02030')
  for (let at = 0; at < 20; at++) {
    const word = `before ${String(at).padStart(2, '0')}`
    await write(word)
    acknowledged.push(word)
  }
  await makeDue(dataDir, 'backup:files')
  const [base] = (await readBases(place)) as [BaseManifest]
  const listed = () => readIndex(join(walPath.bases(place), base.name)).length
  await expect.poll(listed, { timeout: 90_000 }).toBeGreaterThan(0)
  await archived()
  await write('before 99')
  acknowledged.push('before 99')
  await sleep(1100)
  moment = systemClock.now()
  await sleep(1100)
  await write('after 1')
  await archived()
  await write('after 2')
  await sleep(1100)
  afterwards = systemClock.now()
  await sleep(1100)
  await archived()
})
test('archiving that fails is told in /readyz and to the operators, and people can go on; later it makes up for it', async () => {
  const ready = async () => {
    const answer = await fetch(`${address}/readyz`)
    return [answer.status, ((await answer.json()) as { walArchive?: string }).walArchive]
  }
  const alarms = () => rowsOf<{ alKind: string }>(dataDir, `select "alKind" from alarm where "alKind" = 'walArchive'`)
  expect(await ready()).toEqual([200, 'ok'])
  // a disk that is gone
  renameSync(place, `${place}.away`)
  writeFileSync(place, '')
  await write('without archive')
  await rowsOf(dataDir, 'select pg_switch_wal()')
  await expect.poll(ready, { timeout: 30_000 }).toEqual([200, 'failing'])
  await makeDue(dataDir, 'runtime:watch')
  await expect.poll(async () => (await alarms()).length, { timeout: 30_000 }).toBeGreaterThan(0)
  rmSync(place)
  renameSync(`${place}.away`, place)
  // after three failures in a row PostgreSQL waits for a minute, or until there is something new to archive
  await write('with an archive again')
  await rowsOf(dataDir, 'select pg_switch_wal()')
  await expect.poll(ready, { timeout: 90_000 }).toEqual([200, 'ok'])
  await makeDue(dataDir, 'runtime:watch')
  await expect.poll(async () => (await alarms()).length, { timeout: 30_000 }).toBe(0)
  await archived()
})

/** Restores into a folder of the given name. */
const restored = (name: string, words: readonly string[], more: Record<string, string> = {}) =>
  run(['restore', ...words], { DATA_DIR: join(folder, name), ...more })

/** A copy of the archive, for doing harm to. */
function copyOf(name: string): string {
  const copy = join(folder, name)
  cpSync(place, copy, { recursive: true })
  return copy
}

const isEmpty = (name: string): boolean =>
  !existsSync(join(folder, name)) ||
  readdirSync(join(folder, name)).every((one) => ['postgres.log', 'service.lock'].includes(one))

test('what was acknowledged before the moment is there, what came later is not; its files and secrets open', async () => {
  const done = await restored('then', [place, '--to', moment])
  expect(done).toMatchObject({ code: 0, said: expect.stringContaining(`已恢复到 ${moment}`) as string })
  expect(done.said).not.toContain('未能恢复')
  const target = join(folder, 'then')
  const then = await startEmbedded({ dataDir: target })
  expect(await written(then.connection)).toEqual(acknowledged)
  await then.stop()
  const copy = launch({ DATA_DIR: target, WAL_ARCHIVE: '' })
  const admin = await signIn(await addressOf(copy), 'demo', 'admin', demoPassword)
  expect((await admin.download(fileApi.view, { id: picture })).bytes.length).toBeGreaterThan(50)
  await stopped(copy)
})

test('as far as the archive goes, all of it is there', async () => {
  expect(await restored('latest', [place, '--to', 'latest'])).toMatchObject({ code: 0 })
  const latest = await startEmbedded({ dataDir: join(folder, 'latest') })
  expect(await written(latest.connection)).toEqual([
    'after 1',
    'after 2',
    ...acknowledged,
    'with an archive again',
    'without archive',
  ])
  await latest.stop()
})

test('a lost segment is refused where the moment lies behind it, by its name', async () => {
  const copy = copyOf('lost')
  const [base] = (await readBases(copy)) as [BaseManifest]
  const files = await listWal(copy)
  const first = segmentOf(base.startWal).number
  const lost = [...files.keys()].filter((name) => /^[0-9A-F]{24}$/.test(name)).toSorted()
  const victim = lost.find((name) => segmentOf(name).number > first)!
  rmSync(files.get(victim)!.path)
  for (const to of [systemClock.now(), 'latest']) {
    const refused = await restored('behind-gap', [copy, '--to', to])
    expect(refused).toMatchObject({ code: 1, said: expect.stringContaining(`缺少 ${victim}`) as string })
    expect(isEmpty('behind-gap')).toBe(true)
  }
})

test('what was altered is refused, and nothing is left behind', async () => {
  const copy = copyOf('altered')
  const files = await listWal(copy)
  const victim = [...files.keys()].toSorted().at(-2)!
  truncateSync(files.get(victim)!.path, 300)
  const cut = await restored('altered-wal', [copy, '--to', 'latest'])
  expect(cut).toMatchObject({ code: 1, said: expect.stringMatching(`备份已损坏：日志 ${victim}`) as string })
  expect(isEmpty('altered-wal')).toBe(true)
  const [base] = (await readBases(copy)) as [BaseManifest]
  truncateSync(clusterPart(join(walPath.bases(copy), base.name)), 1000)
  const short = await restored('altered-base', [copy, '--to', 'latest'])
  expect(short).toMatchObject({ code: 1, said: expect.stringContaining('cluster.tar.age 应为') as string })
})

test.each([
  ['cut short', (object: string) => truncateSync(object, statSync(object).size - 1)],
  ['lost', (object: string) => rmSync(object)],
])('a content that is %s in the archive is told as that, and not as a failing store', async (how, spoil) => {
  const copy = copyOf(`content-${how}`)
  const bases = walPath.bases(copy)
  const [base] = (await readBases(copy)) as [BaseManifest]
  const objects = readIndex(join(bases, base.name)).map(({ sha256 }) => partPath.object(bases, sha256))
  objects.forEach(spoil)
  const refused = await restored('spoilt-content', [copy, '--to', moment])
  expect(refused).toMatchObject({ code: 1, said: expect.stringContaining('没有恢复：备份中的文件') as string })
  expect(objects.some((object) => refused.said.includes(`${object} 读取失败（`))).toBe(true)
  expect(refused.said).not.toMatch(/文件存储|没有改动|^\s+at /m)
  expect(isEmpty('spoilt-content')).toBe(true)
})

test('a base backup whose manifest is damaged is passed over and told; where there is no other, it is named', async () => {
  const copy = copyOf('damaged')
  const [base] = (await readBases(copy)) as [BaseManifest]
  const other = join(walPath.bases(copy), '2026-01-01_02-30-00')
  mkdirSync(other)
  writeFileSync(join(other, 'manifest.json'), '{}')
  const done = await restored('past-damaged', [copy, '--to', moment])
  expect(done).toMatchObject({
    code: 0,
    said: expect.stringContaining('基础备份 2026-01-01_02-30-00 的清单已损坏') as string,
  })
  writeFileSync(join(walPath.bases(copy), base.name, 'manifest.json'), '')
  expect(await restored('all-damaged', [copy, '--to', moment])).toMatchObject({
    code: 1,
    said: expect.stringContaining('manifest.json 的内容被改动或不完整') as string,
  })
})

test('moments outside the archive, other keys, other versions and places that are not empty are refused in words', async () => {
  const early = await restored('refused', [place, '--to', '2026-01-01 00:00'])
  expect(early).toMatchObject({ code: 1, said: expect.stringContaining('早于第一份基础备份') as string })
  const late = await restored('refused', [place, '--to', addSeconds(systemClock.now(), 86_400)])
  expect(late).toMatchObject({
    code: 1,
    said: expect.stringMatching(/晚于归档的日志：其中最后的写入在 \d{4}-/) as string,
  })
  expect(isEmpty('refused')).toBe(true)
  expect(await restored('refused', [place, '--to', '昨天'])).toMatchObject({ code: 1 })
  expect(await restored('refused', [place, '--to'])).toMatchObject({ code: 2 })

  const other = join(folder, 'other-key.txt')
  await makeIdentity(other, systemClock.now())
  expect(await restored('refused', [place, '--to', moment], { BACKUP_IDENTITY: other })).toMatchObject({
    code: 1,
    said: expect.stringContaining('密钥不符') as string,
  })

  const copy = copyOf('older')
  const [base] = (await readBases(copy)) as [BaseManifest]
  await writeManifest(join(walPath.bases(copy), base.name), { ...base, postgres: '17.2' })
  expect(await restored('refused', [copy, '--to', moment])).toMatchObject({
    code: 1,
    said: expect.stringContaining('由 PostgreSQL 17 写成') as string,
  })

  mkdirSync(join(folder, 'full'))
  writeFileSync(join(folder, 'full', 'secrets.json'), '{}')
  expect(await restored('full', [place, '--to', moment])).toMatchObject({
    code: 1,
    said: expect.stringContaining('目标不是空的') as string,
  })
})

test('a copy is refused the archive until it takes over; then its own moments and those before are reached', async () => {
  // it ran without an archive meanwhile, so that there is a gap until its first base backup
  const target = join(folder, 'then')
  const refused = launch({ DATA_DIR: target })
  expect(await refused.ended).toBe(1)
  expect(refused.output()).toContain(`归档位置 ${place} 属于另一个数据目录`)
  await stopped(running)
  const taken = await run(['backup', '--take-over'], { DATA_DIR: target, WAL_ARCHIVE: place })
  expect(taken).toMatchObject({ code: 0, said: expect.stringContaining(`从现在起属于 ${target}`) as string })
  const onward = launch({ DATA_DIR: target })
  await addressOf(onward)
  const timelines = async () => (await readBases(place)).map(({ timeline }) => timeline)
  await expect.poll(timelines, { timeout: 120_000, interval: 500 }).toEqual([1, 2])
  await rowsOf(
    target,
    `insert into "auditLog" ("schoolId", "logId", "actorName", action, "bizId", "requestId", ip, agent)
    values ('demo', gen_random_uuid(), '', '写入', 'onward', '', '', '')`,
  )
  await stopped(onward)
  for (const [to, words] of [
    ['latest', [...acknowledged, 'onward']],
    [moment, acknowledged],
  ] as const) {
    const name = `onward-${words.length}`
    const done = await restored(name, [place, '--to', to])
    expect(done).toMatchObject({ code: 0, said: expect.stringContaining('已恢复到') as string })
    const reached = await startEmbedded({ dataDir: join(folder, name) })
    expect(await written(reached.connection)).toEqual(words)
    await reached.stop()
  }
})

test('of a moment at which the copy had not begun, what the former program wrote is there, and nothing else passes for it', async () => {
  // nobody has opened it without its archive, so that no segment of its timeline is missing
  const target = join(folder, 'taking-over')
  expect(await restored('taking-over', [place, '--to', moment])).toMatchObject({ code: 0 })
  expect(await run(['backup', '--take-over'], { DATA_DIR: target, WAL_ARCHIVE: place })).toMatchObject({ code: 0 })
  const onward = launch({ DATA_DIR: target })
  await addressOf(onward)
  await expect.poll(async () => (await readBases(place)).length, { timeout: 120_000, interval: 500 }).toBe(3)
  await stopped(onward)
  const refused = await restored('between', [place, '--to', afterwards])
  expect(refused).toMatchObject({ code: 1, said: expect.stringMatching(/还没有写入.*--timeline 1/) as string })
  expect(isEmpty('between')).toBe(true)
  expect(await restored('between', [place, '--to', afterwards, '--timeline', '9'])).toMatchObject({
    code: 1,
    said: expect.stringContaining('没有时间线 9；有的是 1、2、3') as string,
  })
  expect(await restored('between', [place, '--to', afterwards, '--timeline', 'x'])).toMatchObject({ code: 2 })
  expect(await restored('between', [place, '--to', afterwards, '--timeline', '1'])).toMatchObject({ code: 0 })
  const reached = await startEmbedded({ dataDir: join(folder, 'between') })
  expect(await written(reached.connection)).toEqual(['after 1', 'after 2', ...acknowledged])
  await reached.stop()
})
