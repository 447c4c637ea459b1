import fc from 'fast-check'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { testDatabase } from '../../testing/database.ts'
import { fuzz } from '../../testing/fuzz.ts'
import { contains, nearerStretch, titleContains } from './paging.ts'

const text = fc.string({ unit: fc.constantFrom(...'赛区江苏Aaß％%_\\ 1２İκ', '𠮷', '\u0001'), maxLength: 9 })

test.each([
  ['names', contains],
  ['titles', titleContains],
])('substring search in %s finds what includes the text, whatever its characters', async (_, condition) => {
  const { db } = await testDatabase()
  await fc.assert(
    fc.asyncProperty(fc.array(text, { maxLength: 20 }), text.filter(Boolean), async (texts, needle) => {
      const all = [...texts, needle, `${texts[0] ?? ''}${needle}`, `${needle}${texts[0] ?? ''}`]
      const { rows } = await sql<{ text: string }>`
        select text
        from unnest(${all}::text[]) with ordinality as t(text, at)
        where ${condition('t.text' as never, needle)}
        order by at`.execute(db)
      expect(rows.map((row) => row.text)).toEqual(all.filter((one) => one.includes(needle)))
    }),
    fuzz(60),
  )
})

test.each([
  { page: [1, 20], total: 0, stretch: { offset: 0, limit: 0, isReversed: false } },
  { page: [1, 20], total: 7, stretch: { offset: 0, limit: 7, isReversed: false } },
  { page: [1, 20], total: 100, stretch: { offset: 0, limit: 20, isReversed: false } },
  { page: [3, 20], total: 100, stretch: { offset: 40, limit: 20, isReversed: false } },
  { page: [4, 20], total: 100, stretch: { offset: 20, limit: 20, isReversed: true } },
  { page: [5, 20], total: 100, stretch: { offset: 0, limit: 20, isReversed: true } },
  { page: [5, 20], total: 95, stretch: { offset: 0, limit: 15, isReversed: true } },
  { page: [6, 20], total: 100, stretch: { offset: 0, limit: 0, isReversed: true } },
  { page: [900, 20], total: 100, stretch: { offset: 0, limit: 0, isReversed: true } },
])('page $page of $total rows is read from the nearer end', ({ page, total, stretch }) => {
  expect(nearerStretch({ current: page[0]!, pageSize: page[1]! }, total)).toEqual(stretch)
})
