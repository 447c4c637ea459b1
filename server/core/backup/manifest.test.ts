import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { findBackup, listBackups, partPath, writeManifest } from './manifest.ts'

const place = mkdtempSync(join(tmpdir(), 'console-manifest-'))
afterAll(() => rmSync(place, { recursive: true }))

async function backup(name: string): Promise<void> {
  mkdirSync(join(place, name), { recursive: true })
  await writeManifest(join(place, name), { format: 1, name: basename(name) })
}
const nameOf = async (path: string, now: string) => (await findBackup(path, now)).manifest.name

test('the newest backup is found by its date, unless one is dated in the future: then a person has to name one', async () => {
  await expect(nameOf(place, '2026-11-24 03:00:00')).rejects.toThrow('没有完整的备份')
  await backup('2026-11-23_02-30-00')
  await backup('2026-11-24_02-30-00')
  expect(await nameOf(place, '2026-11-24 03:00:00')).toBe('2026-11-24_02-30-00')
  // the clock of the machine that restores may be a little behind
  expect(await nameOf(place, '2026-11-24 02:00:00')).toBe('2026-11-24_02-30-00')

  await backup('2036-01-01_02-30-00')
  await expect(nameOf(place, '2026-11-24 03:00:00')).rejects.toThrow(
    new RegExp(`2036-01-01_02-30-00 的日期在将来.*请写明用哪一份，如 ${place}/2026-11-24_02-30-00`),
  )
  expect(await nameOf(join(place, '2026-11-24_02-30-00'), '2026-11-24 03:00:00')).toBe('2026-11-24_02-30-00')
  expect(await nameOf(join(place, '2036-01-01_02-30-00'), '2026-11-24 03:00:00')).toBe('2036-01-01_02-30-00')
})

test.each(['', '{"format": 1', 'null', '[]', '{}'])('a manifest of %j is refused in words', async (text) => {
  const name = '2026-11-25_02-30-00'
  mkdirSync(join(place, name), { recursive: true })
  writeFileSync(partPath.manifest(join(place, name)), text)
  await expect(nameOf(join(place, name), '2026-11-26 03:00:00')).rejects.toThrow('内容被改动或不完整')
})

test('a backup that cannot be looked at is not taken for an unfinished one, nor an older one for the newest', async () => {
  const other = join(place, 'other')
  for (const name of ['2026-11-23_02-30-00', '2026-11-24_02-30-00']) await backup(join('other', name))
  const manifest = partPath.manifest(join(other, '2026-11-24_02-30-00'))
  // leads to itself: nobody can look at it, root neither
  rmSync(manifest)
  symlinkSync('manifest.json', manifest)
  expect(await listBackups(other)).toEqual({ whole: ['2026-11-23_02-30-00', '2026-11-24_02-30-00'], unfinished: [] })
  await expect(nameOf(other, '2026-11-24 03:00:00')).rejects.toThrow(`读不到 ${manifest}：`)
  await expect(nameOf(manifest, '2026-11-24 03:00:00')).rejects.toThrow(`读不到 ${manifest}：`)
})
