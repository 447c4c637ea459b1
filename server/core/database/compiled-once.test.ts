import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { testDatabase } from '../../testing/database.ts'
import { compiledOnce } from './compiled-once.ts'
import { from } from './tenant.ts'

test('a statement is built once and takes the values of each use, also of those who use it at once', async () => {
  const { db } = await testDatabase()
  let built = 0
  const rows = compiledOnce((reader, { schoolId, word }: { schoolId: string; word: string }) => {
    built++
    return from({ db: reader, schoolId }, 'school')
      .select(sql<string>`${word}::text`.as('word'))
      .union(reader.selectNoFrom(sql<string>`concat(${word}::text, '/', ${schoolId}::text)`.as('word')))
  })
  const words = ['一', '二', "'; select 1; --"]
  const found = await Promise.all(words.map((word) => rows(db, { schoolId: `none-${word}`, word })))
  expect(found).toEqual(words.map((word) => [{ word: `${word}/none-${word}` }]))
  expect(built).toBe(1)
})
