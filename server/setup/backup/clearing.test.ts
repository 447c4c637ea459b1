import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { checkParts } from '../../core/backup/check-backup.ts'
import { makeIdentity, openRecipients } from '../../core/backup/keys.ts'
import {
  backupName,
  findBackup,
  listBackups,
  partPath,
  readManifest,
  writeManifest,
} from '../../core/backup/manifest.ts'
import type { Connection } from '../../core/database/connection.ts'
import { writeBackup } from '../../core/backup/write-backup.ts'
import { folderStore } from '../../core/files/files.ts'
import { ownDatabase } from '../../testing/database.ts'
import { backupContents } from './contents.ts'

const folder = mkdtempSync(join(tmpdir(), 'console-clearing-'))
afterAll(() => rmSync(folder, { recursive: true }))
beforeEach(() => void (place = mkdtempSync(join(folder, 'place-'))))
let place = ''
const recipients = await openRecipients([await makeIdentity(join(folder, 'key.txt'), '2026-11-23 02:30:00')])

const backUpOn = (day: string, owner: Connection) =>
  writeBackup({
    connection: owner,
    contents: backupContents,
    place,
    recipients,
    files: folderStore(join(folder, 'no-files')),
    archives: join(folder, 'no-archives'),
    secrets: '{}',
    program: '0.2.0',
    clock: { now: () => `${day} 02:30:00` },
    onProgress: () => {},
    keep: { days: 2, weeks: 0, months: 0 },
  })

test('a damaged list of an older backup keeps contents, not old backups, and takes nothing from the new backup', async () => {
  const { owner, close } = await ownDatabase()
  for (const day of ['2026-11-21', '2026-11-22']) expect((await backUpOn(day, owner)).fault).toBeUndefined()
  const object = partPath.object(place, 'ab'.repeat(32))
  mkdirSync(dirname(object), { recursive: true })
  writeFileSync(object, 'a content that only the damaged list may have named')
  writeFileSync(partPath.index(join(place, backupName('2026-11-22 02:30:00'))), 'damaged\n')

  const third = await backUpOn('2026-11-23', owner)
  expect(third.fault).toMatch(/备份已完成，但旧备份没有清理完.*2026-11-22_02-30-00\/files\.jsonl 应为/)
  expect((await listBackups(place)).whole).toEqual(['2026-11-22_02-30-00', '2026-11-23_02-30-00'])
  await checkParts(await findBackup(place, '2026-11-23 03:00:00'), () => {})
  expect(existsSync(object)).toBe(true)

  const fourth = await backUpOn('2026-11-24', owner)
  expect(fourth).toMatchObject({ removed: ['2026-11-22_02-30-00'], fault: undefined })
  expect(existsSync(object)).toBe(false)
  await close()
})

test('a backup whose rows would not fit is refused before it begins, and leaves nothing behind', async () => {
  const { owner, close } = await ownDatabase()
  await backUpOn('2026-11-22', owner)
  const last = join(place, backupName('2026-11-22 02:30:00'))
  const { tables, ...manifest } = await readManifest(last)
  await writeManifest(last, { ...manifest, tables: tables.map((table) => ({ ...table, size: 1e16 })) })
  const before = readdirSync(place)
  await expect(backUpOn('2026-11-23', owner)).rejects.toThrow(/磁盘空间不足：约需 .+ GB，只剩 .+，这次备份没有开始/)
  expect(readdirSync(place)).toEqual(before)
  await close()
})

test('a newest backup that cannot be read keeps nobody from making a new one, and loses nothing', async () => {
  const { owner, close } = await ownDatabase()
  for (const day of ['2026-11-21', '2026-11-22']) await backUpOn(day, owner)
  const newest = join(place, backupName('2026-11-22 02:30:00'))
  // leads to itself: nobody can look at it, root neither
  rmSync(partPath.manifest(newest))
  symlinkSync('manifest.json', partPath.manifest(newest))
  const next = await backUpOn('2026-11-23', owner)
  expect(next.manifest.name).toBe('2026-11-23_02-30-00')
  expect(next.fault).toContain(`读不到 ${partPath.manifest(newest)}：`)
  expect(existsSync(partPath.table(newest, 'person'))).toBe(true)
  await close()
})
