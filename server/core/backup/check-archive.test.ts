import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createHash } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { afterAll, expect, test } from 'vitest'
import { clusterPart } from './base-manifest.ts'
import { checkArchive, isArchive } from './check-archive.ts'
import { makeIdentity, openIdentity, openRecipients } from './keys.ts'
import { partPath, writeManifest } from './manifest.ts'
import { writePart } from './parts.ts'
import { segmentName, walPath } from './wal-archive.ts'

const place = mkdtempSync(join(tmpdir(), 'console-archive-'))
afterAll(() => rmSync(place, { recursive: true }))
const key = join(place, 'key.txt')
const recipients = await openRecipients([await makeIdentity(key, '2026-11-25 02:30:00')])
const identity = await openIdentity(key)
const check = (withKey = true) => checkArchive(place, withKey ? identity : undefined, () => {})

const walFile = (number: number, content: string): string => {
  const name = segmentName({ timeline: 1, number })
  const sha256 = createHash('sha256').update(content).digest('hex')
  mkdirSync(walPath.folder(place, name), { recursive: true })
  return join(walPath.folder(place, name), `${name}-${sha256}.age`)
}

async function writeWal(number: number, content: string, said = content): Promise<string> {
  const path = walFile(number, said)
  await writePart(`${path}.new`, path, Readable.from([Buffer.from(content)]), recipients)
  return path
}

test('an archive is whole, or the first thing amiss in it is named', async () => {
  expect(isArchive(place)).toBe(false)
  writeFileSync(walPath.owner(place), '{}')
  expect(isArchive(place)).toBe(true)
  await expect(check()).rejects.toThrow('没有完整的基础备份')

  const folder = join(walPath.bases(place), '2026-11-25_02-30-00')
  mkdirSync(folder, { recursive: true })
  const part = (path: string) => writePart(`${path}.new`, path, Readable.from([Buffer.from(path)]), recipients)
  const [cluster, secrets] = [await part(clusterPart(folder)), await part(partPath.secrets(folder))]
  writeFileSync(partPath.index(folder), '')
  const [name, endTime] = ['2026-11-25_02-30-00', '2026-11-25 02:31:00']
  const startWal = segmentName({ timeline: 1, number: 3 })
  await writeManifest(folder, { format: 1, kind: 'base', name, endTime, timeline: 1, startWal, cluster, secrets })
  await writeWal(3, 'third')
  await writeWal(5, 'fifth')
  await expect(check()).rejects.toThrow(`归档缺少日志 ${segmentName({ timeline: 1, number: 4 })}`)
  await expect(check(false)).rejects.toThrow('归档缺少日志')
  await writeWal(4, 'fourth')
  expect(await check()).toEqual({ bases: 1, segments: 3, since: endTime })

  const other = await writeWal(6, 'other', 'sixth')
  expect(await check(false)).toMatchObject({ segments: 4 })
  await expect(check()).rejects.toThrow('与其名称中的校验值不符')
  const bytes = readFileSync(other)
  writeFileSync(other, bytes.subarray(0, bytes.length - 3))
  await expect(check()).rejects.toThrow('打不开')
  rmSync(other)
  writeFileSync(clusterPart(folder), 'cut')
  await expect(check(false)).rejects.toThrow('备份已损坏：cluster.tar.age')
})
