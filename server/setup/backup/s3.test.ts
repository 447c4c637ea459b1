import { existsSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { expect, test, vi } from 'vitest'
import { backupStatus, fileState } from '../../../contract/core/codes/platform.ts'
import { fileApi } from '../../../contract/platform/files/files.calls.ts'
import { listBackups } from '../../core/backup/manifest.ts'
import { s3Store } from '../../core/files/s3.ts'
import { backupCommands, rowsOf } from '../../testing/backup.ts'
import { signIn, type Client } from '../../testing/client.ts'
import { addressOf, programs, stopped, type Program } from '../../testing/program.ts'
import { startFaultyBucket } from '../../testing/s3-bucket.ts'

/** Backups of an installation whose files lie in a bucket, which goes wrong now and then. */

vi.setConfig({ testTimeout: 180_000 })

const admin = { SCHOOL_ID: 's1', SCHOOL_NAME: '测试学校', ADMIN_PASSWORD: 'Start-Test-92' }
const bucket = await startFaultyBucket()
const { dataDir, launch } = programs({ DEMO_STUDENTS: '0', FILES_URL: bucket.url, ...admin })
const { folder, run } = await backupCommands()
const place = join(folder, 'place')
const here = { DATA_DIR: dataDir, FILES_URL: bucket.url }
let running: Program
let person: Client
const pictures: { id: string; storeKey: string; bytes: Buffer }[] = []

/** Stores a picture that a record holds. */
async function upload(background: string): Promise<void> {
  const drawn = await sharp({ create: { width: 64, height: 32, channels: 3, background } })
    .png()
    .toBuffer()
  const { data } = await person.upload(fileApi.upload, { name: '海报.png', bytes: drawn }, { kind: 'image' })
  const { bytes } = await person.download(fileApi.view, { id: data.fileId })
  const [file] = await rowsOf<{ storeKey: string }>(
    dataDir,
    `update "file" set "fileState" = '${fileState.inUse}', uses = 1 where "fileId" = $1 returning "storeKey"`,
    [data.fileId],
  )
  pictures.push({ id: data.fileId, storeKey: file!.storeKey, bytes })
}

const lastRun = async () =>
  (
    await rowsOf<{ brStatus: string; error: string }>(
      dataDir,
      `select "brStatus", error from "backupRun" order by "startTime" desc, "endTime" desc limit 1`,
    )
  )[0]!

test('a school runs on a bucket', async () => {
  running = launch()
  person = await signIn(await addressOf(running), 's1', 'admin', admin.ADMIN_PASSWORD)
  await upload('#c02030')
  expect(existsSync(join(dataDir, 'files'))).toBe(false)
})

test.each([
  ['breaks off', '（aborted）'],
  ['is away', 'the file service answered 503'],
] as const)('a backup from a bucket that %s is none, and says why', async (fault, why) => {
  bucket.fail(fault)
  const { code, said } = await run(['backup', place], here)
  bucket.fail(undefined)
  expect(code).toBe(1)
  expect(said).toContain(`没有备份：读取存储中的文件 ${pictures[0]!.storeKey} 失败`)
  expect(said).toContain(why)
  expect(said).not.toMatch(/^\s+at /m)
  expect((await listBackups(place)).whole).toEqual([])
  expect(await run(['restore', place], { DATA_DIR: join(folder, 'none') })).toMatchObject({ code: 1 })
  expect(await lastRun()).toMatchObject({
    brStatus: backupStatus.failed,
    error: expect.stringContaining(why) as string,
  })
})

test('once it is well, it is backed up, verified and drilled', async () => {
  expect(await run(['backup', place], here)).toMatchObject({ code: 0 })
  expect((await listBackups(place)).whole).toHaveLength(1)
  expect(await run(['verify', place, '--drill'], here)).toMatchObject({ code: 0 })
})

test('what fails later takes nothing from the backup that is there', async () => {
  await upload('#2030c0')
  bucket.fail('is away')
  expect(await run(['backup', place], here)).toMatchObject({ code: 1 })
  bucket.fail(undefined)
  expect((await listBackups(place)).whole).toHaveLength(1)
  expect(await run(['verify', place], here)).toMatchObject({ code: 0 })
  expect(await run(['backup', place], here)).toMatchObject({ code: 0 })
  expect((await listBackups(place)).whole).toHaveLength(2)
})

test('a restore into a bucket that is away leaves nothing; once it is well, the school goes on there', async () => {
  const there = { DATA_DIR: join(folder, 'restored'), FILES_URL: `${bucket.url}/restored` }
  bucket.fail('is away')
  const refused = await run(['restore', place], there)
  bucket.fail(undefined)
  expect(refused.code).toBe(1)
  expect(refused.said).toMatch(/没有恢复：写入文件 \S+ 到存储失败（the file service answered 503/)
  expect(['postgres', 'secrets.json'].filter((name) => existsSync(join(there.DATA_DIR, name)))).toEqual([])
  expect(await run(['restore', place], there)).toMatchObject({ code: 0 })
  const copy = launch(there)
  const again = await signIn(await addressOf(copy), 's1', 'admin', admin.ADMIN_PASSWORD)
  for (const { id, bytes } of pictures)
    expect((await again.download(fileApi.view, { id })).bytes.equals(bytes)).toBe(true)
  await stopped(copy)
})

test('an object that the bucket has lost is told, and the rest is backed up', async () => {
  await s3Store(bucket.url).remove(pictures[0]!.storeKey)
  const other = join(folder, 'lossy')
  const told = await run(['backup', other], here)
  expect(told).toMatchObject({ code: 0, said: expect.stringContaining('有 1 个文件在存储中已不存在') as string })
  expect(await run(['verify', other], here)).toMatchObject({ code: 0 })
  await stopped(running)
})
