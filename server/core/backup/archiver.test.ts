import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { archiverOf, assertArchiver, assertOwner, takeOver } from './archiver.ts'
import { walPath } from './wal-archive.ts'

const root = mkdtempSync(join(tmpdir(), 'console-archiver-'))
afterAll(() => rmSync(root, { recursive: true }))
let place = ''
let first = ''
let copy = ''
beforeEach(() => {
  const folder = mkdtempSync(join(root, 'case-'))
  ;[place, first, copy] = ['place', 'first', 'copy'].map((name) => join(folder, name)) as [string, string, string]
  for (const made of [place, first, copy]) mkdirSync(made)
})
const writes = (dataDir: string, database = '7') => assertOwner(place, database, archiverOf(dataDir))

test('the data folder that writes first has the archive; a copy of the database is refused, at its start already', async () => {
  await assertArchiver(place, copy)
  await writes(first)
  await writes(first)
  await assertArchiver(place, first)
  await expect(assertArchiver(place, copy)).rejects.toThrow(/属于另一个数据目录[^]*dekt backup --take-over/)
  await expect(writes(copy)).rejects.toThrow(/属于另一个数据目录/)
  await expect(writes(first, '8')).rejects.toThrow(/另一个数据库的日志/)
})

test('a copy that takes over goes on, and the one before is refused from then on', async () => {
  await writes(first)
  await expect(takeOver(place, '8', copy)).rejects.toThrow(/另一个数据库的日志/)
  await takeOver(place, '7', copy)
  await assertArchiver(place, copy)
  await writes(copy)
  await expect(writes(first)).rejects.toThrow(/属于另一个数据目录/)
})

test('an archive of before belongs to whoever writes next; one that cannot be read keeps nobody from starting', async () => {
  writeFileSync(walPath.owner(place), '{"systemIdentifier":"7"}\n')
  await assertArchiver(place, copy)
  await writes(first)
  expect(JSON.parse(readFileSync(walPath.owner(place), 'utf8'))).toEqual({
    systemIdentifier: '7',
    archiver: archiverOf(first),
  })
  rmSync(place, { recursive: true })
  writeFileSync(place, '')
  await assertArchiver(place, copy)
})
