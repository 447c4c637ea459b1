import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { testApp } from '../../testing/app.ts'
import { useOwnDatabase } from '../../testing/database.ts'
import { newSchool } from '../../testing/school.ts'
import { newId } from '../base/ids.ts'
import type { Db } from '../database/pool.ts'
import { folderStore, type FileStore } from './files.ts'
import { assertOwnStore, checkFileStore } from './store-mark.ts'

await useOwnDatabase()

const log = pino({ level: 'silent' })
const folder = mkdtempSync(join(tmpdir(), 'store-mark-'))
let made = 0
let db: Db
const newStore = (): FileStore => folderStore(join(folder, String(made++)))
const check = (files: FileStore) => checkFileStore(db, files, log)

beforeEach(async () => {
  db = (await testApp()).ctx.db
  await db.deleteFrom('installation').where('inKey', '=', 'files').execute()
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

test('the first store is the database’s, another one is refused, also beside a file that is nowhere', async () => {
  const [own, other] = [newStore(), newStore()]
  await check(own)
  await check(own)
  await expect(check(other)).rejects.toThrow(/文件存储与数据库不符.*FILES_URL.*DATA_DIR/)
  const school = await newSchool()
  await noteFile(school.schoolId, await other.put(Buffer.from('x'), { schoolId: school.schoolId, kind: 'attachment' }))
  await db.deleteFrom('file').execute()
  await expect(check(other)).rejects.toThrow('文件存储与数据库不符')
})

test('of two that start at once on stores of their own, one is refused', async () => {
  const outcomes = await Promise.allSettled([newStore(), newStore()].map(check))
  expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
})

test('a store that is another database’s is refused', async () => {
  const theirs = newStore()
  await check(theirs)
  await db.deleteFrom('installation').where('inKey', '=', 'files').execute()
  await check(newStore())
  await expect(check(theirs)).rejects.toThrow('文件存储与数据库不符')
})

test('a command writes into, and removes from, the database’s own store alone', async () => {
  const [own, other, unmarked] = [newStore(), newStore(), newStore()]
  await check(own)
  const { inValue } = await db
    .selectFrom('installation')
    .select('inValue')
    .where('inKey', '=', 'files')
    .executeTakeFirstOrThrow()
  await assertOwnStore(inValue, own)
  await other.put(Buffer.from('another one'), { storeKey: `_/installation/00/00/${'0'.repeat(32)}` })
  for (const store of [other, unmarked])
    await expect(assertOwnStore(inValue, store)).rejects.toThrow('不是同一个安装的')
  await assertOwnStore(undefined, unmarked)
})

test('a store into which the files were copied without the mark is known by them and gets it back', async () => {
  await check(newStore())
  const school = await newSchool()
  const moved = newStore()
  await noteFile(school.schoolId, await moved.put(Buffer.from('x'), { schoolId: school.schoolId, kind: 'attachment' }))
  await check(moved)
  await db.deleteFrom('file').execute()
  await check(moved)
})

test('a store that does not answer is no reason not to start', async () => {
  const deaf: FileStore = { ...newStore(), get: () => Promise.reject(new Error('the file service answered 500')) }
  await check(deaf)
})

const noteFile = (schoolId: string, storeKey: string) =>
  db
    .insertInto('file')
    .values({
      schoolId,
      fileId: newId(),
      storeKey,
      fileName: 'x.txt',
      mime: 'text/plain',
      size: 1,
      sha256: 'x',
      kind: 'attachment',
    })
    .execute()
