import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { addDays } from '../base/clock.ts'
import { storedFiles } from './base-backup.ts'
import { keptBases, readBases, type BaseManifest } from './base-manifest.ts'
import { isUnbroken, removeOldBases } from './base-retention.ts'
import { backupName, partPath, readIndex, writeManifest } from './manifest.ts'
import { listWal, removeOldWal, segmentName, walPath } from './wal-archive.ts'

const now = '2026-11-25 03:00:00'
const root = mkdtempSync(join(tmpdir(), 'console-retention-'))
afterAll(() => rmSync(root, { recursive: true }))
let place = ''
beforeEach(() => (place = mkdtempSync(join(root, 'place-'))))

const base = (daysAgo: number, number = 0): BaseManifest => {
  const endTime = addDays('2026-11-25 02:30:00', -daysAgo)
  return {
    format: 1,
    kind: 'base',
    name: backupName(endTime),
    endTime,
    timeline: 1,
    startWal: segmentName({ timeline: 1, number }),
  } as BaseManifest
}

const sha256 = (content: string): string => content.repeat(64).slice(0, 64)

/** A base backup with files of these contents, each one hexadecimal character. */
async function writeBaseOf(manifest: BaseManifest, contents: readonly string[]): Promise<void> {
  const bases = walPath.bases(place)
  const folder = join(bases, manifest.name)
  mkdirSync(folder, { recursive: true })
  const lines = contents.map((content) => {
    const path = partPath.object(bases, sha256(content))
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, content)
    const key = `demo/image/00/00/${sha256(content).slice(0, 32)}`
    return `${JSON.stringify({ kind: 'file', key, sha256: sha256(content), size: 1 })}\n`
  })
  writeFileSync(partPath.index(folder), lines.join(''))
  await writeManifest(folder, manifest)
}

function writeWal(name: string): void {
  const folder = walPath.folder(place, name)
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, `${name}-${sha256('a')}.age`), '')
}

describe('which base backups stay', () => {
  test.each<[string, number[], number, number[]]>([
    ['none, none', [], 7, []],
    ['those of the days, and the one before them', [9, 8, 7, 6, 5, 1, 0], 7, [7, 6, 5, 1, 0]],
    ['the newest, however old', [90, 60], 7, [60]],
    ['the newest alone for no days', [2, 1, 0], 0, [0]],
    ['all that are young', [2, 1, 0], 7, [2, 1, 0]],
  ])('%s', (_, ages, days, kept) => {
    const bases = ages.map((age) => base(age))
    expect([...keptBases(bases, days, now)].toSorted()).toEqual(kept.map((age) => base(age).name).toSorted())
  })
})

test('old base backups go with the files that only they name and the WAL before the oldest that stays', async () => {
  await writeBaseOf(base(9, 255), ['1', '2'])
  await writeBaseOf(base(8, 256), ['2', '3'])
  await writeBaseOf(base(1, 300), ['3', '4'])
  for (const number of [250, 255, 256, 257, 300, 301]) writeWal(segmentName({ timeline: 1, number }))
  writeWal('00000002.history')

  expect(await removeOldBases(place, 7, now)).toEqual([base(9).name])
  const bases = walPath.bases(place)
  expect(readdirSync(bases).toSorted()).toEqual([base(8).name, base(1).name, 'files'].toSorted())
  expect(['1', '2', '3', '4'].map((one) => existsSync(partPath.object(bases, sha256(one))))).toEqual([
    false,
    true,
    true,
    true,
  ])
  const left = [256, 257, 300, 301].map((number) => segmentName({ timeline: 1, number }))
  expect([...(await listWal(place)).keys()].toSorted()).toEqual([...left, '00000002.history'].toSorted())
  // the folder of segments 250 to 255 has become empty
  expect(readdirSync(walPath.wal(place)).toSorted()).toEqual(['0000000100000001', 'history'])
  expect(await removeOldBases(place, 7, now)).toEqual([])
})

test('the WAL goes before a segment on every timeline; the histories stay, and what is no WAL is left alone', async () => {
  for (const name of ['000000010000000000000001', '000000020000000000000002', '000000020000000000000003'])
    writeWal(name)
  writeWal('00000002.history')
  writeFileSync(join(walPath.wal(place), '0000000200000000', 'draft.new'), '')
  expect(await removeOldWal(place, 3)).toBe(2)
  expect([...(await listWal(place)).keys()].toSorted()).toEqual(['00000002.history', '000000020000000000000003'])
  expect(existsSync(join(walPath.wal(place), '0000000200000000', 'draft.new'))).toBe(true)
})

test('an archive leads on from the newest base backup of a timeline as long as no segment of it is missing', async () => {
  expect(await isUnbroken(place, 1)).toBe(false)
  await writeBaseOf(base(1, 5), [])
  for (const number of [5, 6, 8]) writeWal(segmentName({ timeline: 1, number }))
  expect(await isUnbroken(place, 1)).toBe(false)
  writeWal(segmentName({ timeline: 1, number: 7 }))
  expect(await isUnbroken(place, 1)).toBe(true)
  // another program goes on from a moment
  writeWal(segmentName({ timeline: 2, number: 7 }))
  writeWal(segmentName({ timeline: 2, number: 9 }))
  expect([await isUnbroken(place, 1), await isUnbroken(place, 2)]).toEqual([true, false])
  await writeBaseOf({ ...base(0, 9), timeline: 2 }, [])
  expect([await isUnbroken(place, 1), await isUnbroken(place, 2)]).toEqual([true, true])
})

test('where a list of files is damaged, no content goes; old base backups and their WAL do', async () => {
  await writeBaseOf(base(9, 255), ['1'])
  await writeBaseOf(base(8, 256), ['2'])
  await writeBaseOf(base(1, 300), ['3'])
  for (const number of [255, 256, 300]) writeWal(segmentName({ timeline: 1, number }))
  const bases = walPath.bases(place)
  writeFileSync(partPath.index(join(bases, base(8).name)), 'damaged\n')
  await expect(removeOldBases(place, 7, now)).rejects.toThrow(/files\.jsonl 第 1 行不是本程序写的内容/)
  expect(['1', '2', '3'].map((one) => existsSync(partPath.object(bases, sha256(one))))).toEqual([true, true, true])
  expect(existsSync(join(bases, base(9).name))).toBe(false)
  expect([...(await listWal(place)).keys()]).toEqual([256, 300].map((number) => segmentName({ timeline: 1, number })))
})

test('a damaged manifest is told, keeps nobody from clearing up, and goes when no WAL is left for it', async () => {
  await writeBaseOf(base(9, 255), [])
  await writeBaseOf(base(8, 256), [])
  await writeBaseOf(base(7, 260), ['1'])
  await writeBaseOf(base(1, 300), [])
  for (const number of [255, 256, 260, 300]) writeWal(segmentName({ timeline: 1, number }))
  const bases = walPath.bases(place)
  const folder = join(bases, base(7).name)
  // what a disk makes of a file, and what is JSON and no manifest
  writeFileSync(partPath.manifest(folder), '{"format": 1,')
  await expect(removeOldBases(place, 7, now)).rejects.toThrow(
    new RegExp(`基础备份 ${base(7).name} 不能用来恢复.*manifest\\.json 的内容被改动或不完整`),
  )
  writeFileSync(partPath.manifest(folder), 'null')
  await expect(removeOldBases(place, 7, now)).rejects.toThrow(/不能用来恢复/)
  const there = () => readdirSync(bases).filter((name) => name !== 'files')
  expect(there().toSorted()).toEqual([8, 7, 1].map((daysAgo) => base(daysAgo).name).toSorted())
  expect([...(await listWal(place)).keys()].length).toBe(3)
  expect(existsSync(partPath.object(bases, sha256('1')))).toBe(true)
  // those that are whole say whether the archive leads on
  expect(await isUnbroken(place, 1)).toBe(true)
  await expect(readBases(place)).rejects.toThrow(/内容被改动或不完整/)

  const later = addDays(now, 10)
  expect((await removeOldBases(place, 7, later)).toSorted()).toEqual([8, 7].map((age) => base(age).name).toSorted())
  expect(existsSync(partPath.object(bases, sha256('1')))).toBe(false)
})

test('the one from which the first of the days is reached stays while it cannot be read, with its WAL', async () => {
  await writeBaseOf(base(8, 256), [])
  await writeBaseOf(base(1, 300), [])
  for (const number of [256, 300]) writeWal(segmentName({ timeline: 1, number }))
  const bases = walPath.bases(place)
  writeFileSync(partPath.manifest(join(bases, base(8).name)), '')
  await expect(removeOldBases(place, 7, now)).rejects.toThrow(/不能用来恢复/)
  expect(existsSync(join(bases, base(8).name))).toBe(true)
  expect([...(await listWal(place)).keys()].length).toBe(2)
})

test('a base backup that a wrong clock has dated in the future is not the newest of its WAL', async () => {
  await writeBaseOf(base(1, 5), [])
  await writeBaseOf(base(-3650, 6), [])
  await writeBaseOf(base(0, 9), [])
  // the archive was away between them, so that it leads on from the last one alone
  for (const number of [5, 6, 9, 10]) writeWal(segmentName({ timeline: 1, number }))
  expect(await isUnbroken(place, 1)).toBe(true)
})

test.each<[string, number, string[], string[], string[]]>([
  ['from the earlier, what came while the later was made', 2, ['1'], ['2'], ['1', '2']],
  ['from the later, what it has not copied anew', 1, ['1'], ['2'], ['1', '2']],
  ['what both have, once', 2, ['1', '2'], ['2', '3'], ['1', '2', '3']],
  ['of another, only what lies there still', 2, ['1'], ['2', 'f'], ['1', '2']],
])('files of a moment are found in all base backups: %s', async (_, chosen, earlier, later, found) => {
  await writeBaseOf(base(2), earlier)
  await writeBaseOf(base(1), later)
  rmSync(partPath.object(walPath.bases(place), sha256('f')), { force: true })
  const stored = [...(await storedFiles(place, base(chosen).name)).values()]
  expect(stored.map((file) => file.sha256).toSorted()).toEqual(found.map(sha256))
})

test('of what several base backups have, the content of the one that is restored is taken', async () => {
  await writeBaseOf(base(2), ['1'])
  await writeBaseOf(base(1), ['2'])
  const bases = walPath.bases(place)
  const [first] = readIndex(join(bases, base(2).name))
  const [second] = readIndex(join(bases, base(1).name))
  writeFileSync(partPath.index(join(bases, base(1).name)), `${JSON.stringify({ ...second, key: first!.key })}\n`)
  const taken = async (daysAgo: number) => [...(await storedFiles(place, base(daysAgo).name)).values()]
  expect(await Promise.all([2, 1].map(taken))).toEqual([[first], [{ ...second, key: first!.key }]])
})
