import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { testDatabase } from '../../testing/database.ts'
import { compiledByShape, compiledOnce } from './compiled-once.ts'
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

test('a statement with filters has a text for each set of filters and each order', async () => {
  const { db } = await testDatabase()
  let built = 0
  const rows = compiledByShape(
    (
      reader,
      { least, most }: { least?: number | undefined; most?: number | undefined },
      { order }: { order: string },
    ) => {
      built++
      let query = reader.selectFrom(sql<{ n: number }>`generate_series(1, 4)`.as<'s'>(sql.raw('s(n)'))).select('s.n')
      if (least !== undefined) query = query.where('s.n', '>=', least)
      if (most !== undefined) query = query.where('s.n', '<=', most)
      return query.orderBy(sql.raw(`"n" ${order}`))
    },
  )
  const found = async (values: { least?: number | undefined; most?: number | undefined }, order = 'asc') =>
    (await rows(db, values, { order })).map(({ n }) => n)
  expect(await found({})).toEqual([1, 2, 3, 4])
  expect(await found({ least: 2, most: undefined })).toEqual([2, 3, 4])
  expect(await found({ least: 4 })).toEqual([4])
  expect(await found({ least: 2, most: 3 }, 'desc')).toEqual([3, 2])
  expect(await found({ least: undefined, most: 2 })).toEqual([1, 2])
  expect(built).toBe(4)
})
