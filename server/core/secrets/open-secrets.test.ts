import { mkdtempSync, readdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parseConfig } from '../base/config.ts'
import { prepareFolder } from '../base/data-folder.ts'
import { StartFault } from '../base/start-fault.ts'
import { testApp } from '../../testing/app.ts'
import { useOwnDatabase } from '../../testing/database.ts'
import { openSecrets } from './secrets.ts'

await useOwnDatabase()
const folder = () => mkdtempSync(join(tmpdir(), 'console-secrets-'))

test('secrets that a database was not used with are refused, and none are left behind', async () => {
  const { db } = (await testApp()).services
  const [own, empty] = [folder(), folder()]
  const first = await openSecrets(db, parseConfig({ DATA_DIR: own }))
  expect(await openSecrets(db, parseConfig({ DATA_DIR: own }))).toEqual(first)
  await expect(openSecrets(db, parseConfig({ DATA_DIR: empty }))).rejects.toThrow('密钥与数据库不符')
  expect(readdirSync(empty)).toEqual([])
  expect(readdirSync(own)).toEqual(['secrets.json'])
  // what somebody has put there stays
  const wrong = JSON.stringify({ pepper: 'ab'.repeat(32), fieldKey: 'cd'.repeat(32) })
  writeFileSync(join(empty, 'secrets.json'), wrong)
  await expect(openSecrets(db, parseConfig({ DATA_DIR: empty }))).rejects.toThrow('密钥与数据库不符')
  expect(readdirSync(empty)).toEqual(['secrets.json'])
})

test.each([
  [
    'within a file',
    () => {
      const path = join(folder(), 'file')
      writeFileSync(path, '')
      return join(path, 'data')
    },
  ],
  [
    'that is a file',
    () => {
      const path = join(folder(), 'file')
      writeFileSync(path, '')
      return path
    },
  ],
])('a data folder %s is refused in words', (_, path) => {
  const dataDir = path()
  expect(() => prepareFolder(dataDir)).toThrow(StartFault)
  expect(() => prepareFolder(dataDir)).toThrow(`数据目录 ${dataDir} 不可写`)
})
