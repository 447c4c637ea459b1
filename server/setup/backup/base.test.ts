import { appendFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import sharp from 'sharp'
import { afterAll, expect, test } from 'vitest'
import { fileApi } from '../../../contract/platform/files/files.calls.ts'
import { whileNothingIsCopied } from '../../core/backup/base-backup.ts'
import { makeIdentity } from '../../core/backup/keys.ts'
import { partPath, readIndex, writeManifest } from '../../core/backup/manifest.ts'
import { walPath } from '../../core/backup/wal-archive.ts'
import { testDatabase, useOwnDatabase } from '../../testing/database.ts'
import { newSchool } from '../../testing/school.ts'
import { archiveFiles } from './base.ts'

await useOwnDatabase()
const place = join(mkdtempSync(join(tmpdir(), 'console-base-')), 'place')
const base = join(walPath.bases(place), '2026-11-25_02-30-00')
afterAll(() => rmSync(join(place, '..'), { recursive: true }))
mkdirSync(base, { recursive: true })
writeFileSync(partPath.index(base), '')
await writeManifest(base, { format: 1, kind: 'base', name: '2026-11-25_02-30-00' })
const backupRecipients = [await makeIdentity(join(place, '..', 'key.txt'), '2026-11-25 02:30:00')]

/** A school with a picture, and the program with the archive. */
async function schoolWith(background: string) {
  const { admin, services } = await newSchool()
  const picture = sharp({ create: { width: 8, height: 8, channels: 3, background } }).png()
  await admin.upload(fileApi.upload, { name: '海报.png', bytes: await picture.toBuffer() }, { kind: 'image' })
  return { ...services, config: { ...services.config, walArchive: place, backupRecipients } }
}

test('new files are not copied into an archive while it is cleared up, and clearing up waits for those being copied', async () => {
  const { owner } = await testDatabase()
  const here = await schoolWith('#c02030')

  const order: string[] = []
  const turn = (name: string) => whileNothingIsCopied(owner, () => Promise.resolve(order.push(name)))
  const later = await whileNothingIsCopied(owner, async () => {
    expect(await archiveFiles(here)).toBe(0)
    const waiting = turn('second')
    await sleep(200)
    order.push('first')
    return { waiting }
  })
  await later.waiting
  expect(order).toEqual(['first', 'second'])
  await expect.poll(() => archiveFiles(here), { timeout: 10_000 }).toBe(1)
  expect(readIndex(base)).toHaveLength(1)
  expect(await archiveFiles(here)).toBe(0)
})

test('behind a line that was cut off, what is added to the list can be read', async () => {
  const listed = readIndex(base)
  appendFileSync(partPath.index(base), '{"kind":"file","key":"demo/ima')
  const here = await schoolWith('#2030c0')
  expect(await archiveFiles(here)).toBe(1)
  expect(readIndex(base)).toEqual([...listed, expect.objectContaining({ kind: 'file' })])
})
