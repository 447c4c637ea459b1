import { existsSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { fileState, jobStatus } from '../../../contract/core/codes/platform.ts'
import { fileApi } from '../../../contract/platform/files/files.calls.ts'
import { findBackup, listBackups, partPath, readIndex } from '../../core/backup/manifest.ts'
import { unfinishedRestore } from '../../core/base/data-folder.ts'
import { startEmbedded } from '../../core/postgres/embedded.ts'
import { backupCommands, makeDue, ownerOf, rowsOf } from '../../testing/backup.ts'
import { signIn } from '../../testing/client.ts'
import { addressOf, programs, stopped, type Program } from '../../testing/program.ts'

vi.setConfig({ testTimeout: 180_000 })

const admin = { SCHOOL_ID: 's1', SCHOOL_NAME: '测试学校', ADMIN_PASSWORD: 'Start-Test-92' }
const { dataDir, launch } = programs({ DEMO_STUDENTS: '0', ...admin })
const { folder, settings, run, begin } = await backupCommands()
const place = join(folder, 'place')
const here = { DATA_DIR: dataDir }
let running: Program
let storeKey: string

test('a school runs, with a file that a record holds', async () => {
  running = launch()
  const person = await signIn(await addressOf(running), 's1', 'admin', admin.ADMIN_PASSWORD)
  const pixel = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  )
  const { data } = await person.upload(fileApi.upload, { name: 'a.png', bytes: pixel }, { kind: 'image' })
  const [file] = await rowsOf<{ storeKey: string }>(
    dataDir,
    `update "file" set "fileState" = '${fileState.inUse}', uses = 1 where "fileId" = $1 returning "storeKey"`,
    [data.fileId],
  )
  storeKey = file!.storeKey
  expect(existsSync(join(dataDir, 'files', storeKey))).toBe(true)
})

/** Holds a table that is copied among the last, so that a backup stands still there, until it is let go. */
async function holding() {
  const client = await ownerOf(dataDir)
  await client.query('begin; lock table "workflow" in access exclusive mode')
  return async () => {
    await client.query('rollback')
    await client.end()
  }
}
const standsStill = () =>
  expect
    .poll(
      async () =>
        (
          await rowsOf<{ n: number }>(
            dataDir,
            `select count(*)::int n from pg_stat_activity
            where application_name = 'second-classroom backup' and wait_event_type = 'Lock'`,
          )
        )[0]?.n,
      { timeout: 60_000 },
    )
    .toBe(1)

/** Runs a recurring job now, and waits until it has run. */
async function runJob(kind: string): Promise<void> {
  await makeDue(dataDir, kind)
  await expect
    .poll(
      async () =>
        (
          await rowsOf<{ ran: boolean }>(
            dataDir,
            `select "runAt" > now() and "jobStatus" = '${jobStatus.waiting}' ran from job where "jobKind" = $1`,
            [kind],
          )
        )[0]?.ran,
      { timeout: 60_000 },
    )
    .toBe(true)
}

test('a backup that was killed is none; a second one at the same time is refused; the next one cleans up', async () => {
  const letGo = await holding()
  const killed = begin(['backup', place], here)
  await standsStill()
  const second = await run(['backup', place], here)
  expect(second).toMatchObject({ code: 1, said: expect.stringContaining('另一次备份正在进行') as string })
  killed.child.kill('SIGKILL')
  await killed.ended
  await letGo()
  expect(await listBackups(place)).toMatchObject({ whole: [], unfinished: [expect.any(String)] })
  for (const words of [
    ['verify', place],
    ['restore', place],
  ]) {
    const refused = await run(words, { DATA_DIR: join(folder, 'none') })
    expect(refused).toMatchObject({ code: 1, said: expect.stringContaining('没有完整的备份') as string })
  }
  expect(await run(['backup', place], here)).toMatchObject({ code: 0 })
  expect(await listBackups(place)).toMatchObject({ whole: [expect.any(String)], unfinished: [] })
  const runs = await rowsOf<{ error: string }>(
    dataDir,
    `select "brStatus", error from "backupRun" order by "startTime", "brStatus" desc`,
  )
  expect(runs).toEqual(
    expect.arrayContaining([
      { brStatus: '2', error: '中断' },
      { brStatus: '2', error: expect.stringContaining('另一次备份正在进行') as string },
      { brStatus: '1', error: '' },
    ]),
  )
})

test('files that an interrupted backup had copied are not copied again', async () => {
  const { folder: dated, manifest } = await findBackup(place)
  const [file] = readIndex(dated)
  const object = partPath.object(place, file!.sha256)
  const copied = statSync(object)
  // as if it was killed just before its end
  rmSync(partPath.manifest(dated))
  expect(await run(['backup', place], here)).toMatchObject({ code: 0 })
  const next = await findBackup(place)
  expect(next.manifest.name).not.toBe(manifest.name)
  expect(readIndex(next.folder)).toEqual([file])
  expect(statSync(object).ino).toBe(copied.ino)
  expect(existsSync(dated)).toBe(false)
  expect((await run(['verify', place], {})).code).toBe(0)
})

test('a file that is given up while a backup copies stays until the backup has it; then it goes', async () => {
  const letGo = await holding()
  const other = join(folder, 'swept')
  const backup = begin(['backup', other], here)
  await standsStill()
  await rowsOf(dataDir, `update "file" set "fileState" = '${fileState.abandoned}', uses = 0`)
  await runJob('file:sweep')
  const path = join(dataDir, 'files', storeKey)
  expect(existsSync(path)).toBe(true)
  const content = readFileSync(path)
  await letGo()
  expect(await backup.ended).toMatchObject({ code: 0 })
  await runJob('file:sweep')
  expect(existsSync(path)).toBe(false)
  const target = join(folder, 'unswept')
  expect(await run(['restore', other], { DATA_DIR: target })).toMatchObject({ code: 0 })
  expect(readFileSync(join(target, 'files', storeKey)).equals(content)).toBe(true)
})

test('a file that was lost before is told and does not keep the rest from being backed up', async () => {
  await rowsOf(
    dataDir,
    `insert into "file" ("schoolId", "fileId", "storeKey", "fileName", mime, size, sha256, kind, "fileState", uses)
    values ('s1', gen_random_uuid(), 's1/image/00/00/' || repeat('0', 32), 'a', 'image/png', 1, '', 'image', '1', 1)`,
  )
  const told = await run(['backup', join(folder, 'lossy')], here)
  expect(told).toMatchObject({ code: 0, said: expect.stringContaining('有 1 个文件在存储中已不存在') as string })
  await rowsOf(dataDir, `delete from "file" where "fileName" = 'a'`)
})

test('a restore that was killed: the program does not start on it, and restoring again begins anew', async () => {
  const target = join(folder, 'killed')
  const killed = begin(['restore', place], { DATA_DIR: target })
  await expect.poll(() => existsSync(join(target, 'postgres')), { timeout: 60_000, interval: 5 }).toBe(true)
  killed.child.kill('SIGKILL')
  await killed.ended
  expect(existsSync(unfinishedRestore(target))).toBe(true)
  const refused = launch({ DATA_DIR: target })
  expect(await refused.ended).toBe(1)
  expect(refused.output()).toContain('中的恢复没有完成')
  expect(await run(['restore', place], { DATA_DIR: target })).toMatchObject({ code: 0 })
  expect(existsSync(unfinishedRestore(target))).toBe(false)
  const copy = launch({ DATA_DIR: target })
  await signIn(await addressOf(copy), 's1', 'admin', admin.ADMIN_PASSWORD)
  await stopped(copy)
})

test('a backup of another installation does not go into the same place', async () => {
  await rowsOf(dataDir, `update "installation" set "inValue" = reverse("inValue") where "inKey" = 'secrets'`)
  const refused = await run(['backup', place], here)
  await rowsOf(dataDir, `update "installation" set "inValue" = reverse("inValue") where "inKey" = 'secrets'`)
  expect(refused).toMatchObject({ code: 1, said: expect.stringContaining('存放的是另一个安装的备份') as string })
})

test('by its settings the program backs itself up once a day, keeps what it is told to, and notes it', async () => {
  await stopped(running)
  const nightly = join(folder, 'nightly')
  expect(await run(['backup', nightly], here)).toMatchObject({ code: 0 })
  const [before] = (await listBackups(nightly)).whole
  await rowsOfStopped(`delete from "backupRun"`)
  running = launch({ ...settings, BACKUP_PLACE: nightly, BACKUP_KEEP: '1d', BACKUP_AT: '00:00' })
  await addressOf(running)
  await expect
    .poll(async () => rowsOf(dataDir, `select "brStatus", place, error from "backupRun"`), { timeout: 60_000 })
    .toEqual([{ brStatus: '1', place: nightly, error: '' }])
  const { whole } = await listBackups(nightly)
  expect(whole).toHaveLength(1)
  expect(whole[0]! > before!).toBe(true)
  await runJob('backup:run')
  expect((await listBackups(nightly)).whole).toEqual(whole)
  expect(readdirSync(nightly).toSorted()).toEqual([whole[0], 'files'])
  await stopped(running)
})

/** On the database of a program that does not run. */
async function rowsOfStopped(text: string): Promise<void> {
  const database = await startEmbedded({ dataDir })
  await rowsOf(database.connection, text).finally(() => database.stop())
}
