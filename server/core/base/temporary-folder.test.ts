import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { atFileEnd } from '../../testing/file-end.ts'
import { makeTemporaryFolder, sweepTemporaryFolders } from './temporary-folder.ts'

const usual = process.env['TMPDIR']
const place = (process.env['TMPDIR'] = mkdtempSync(join(tmpdir(), 'sweep-test-')))
atFileEnd(() => {
  if (usual === undefined) delete process.env['TMPDIR']
  else process.env['TMPDIR'] = usual
  rmSync(place, { recursive: true })
})

/** The number of a process that has ended. */
const ended = spawnSync(process.execPath, ['-e', '']).pid
const hour = 3600

function folder(name: string, ageSeconds: number): string {
  const path = join(place, name)
  mkdirSync(path)
  writeFileSync(join(path, 'content'), 'x')
  const at = Date.now() / 1000 - ageSeconds
  utimesSync(path, at, at)
  return name
}

test('folders of processes that have ended are swept, and nothing else is', () => {
  const gone = [
    folder(`console-upload-${ended}-abc123`, 2 * hour),
    folder(`console-source-${ended}-abc123`, 2 * hour),
    folder(`console-outgoing-${ended}-abc123`, 2 * hour),
    folder(`console-wal-${ended}-abc123`, 2 * hour),
    folder(`console-drill-${process.ppid}-abc123`, 25 * hour),
    // made before this process began, under the number that it has got since
    folder(`console-upload-${process.pid}-old111`, 20 * hour),
  ]
  const own = makeTemporaryFolder('upload').split('/').at(-1)!
  const kept = [
    own,
    folder(`console-upload-${ended}-young1`, hour / 2),
    folder(`console-restore-${process.ppid}-abc123`, 2 * hour),
    folder(`console-test-db-${ended}-abc123`, 48 * hour),
    folder(`upload-${ended}`, 48 * hour),
  ]
  expect(sweepTemporaryFolders().sort()).toEqual(gone.sort())
  expect(readdirSync(place).sort()).toEqual(kept.sort())
  expect(sweepTemporaryFolders()).toEqual([])
})
