import fc from 'fast-check'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { testDatabase } from '../../testing/database.ts'
import { scopeCovers, scopeIncludes } from './scope-check.ts'
import { newId } from '../base/ids.ts'
import { inScope } from './scope-sql.ts'

const [a, b] = [newId(), newId()]
const some = (values: string[]) => fc.subarray(values)
const area = fc.record({
  scIds: some([a, b]),
  smIds: some([a, b]),
  scClassIds: some([a]),
  sdIds: some([b]),
  grades: some(['2023', '2024']),
  lsIds: some([a]),
})
const scope = fc.record({ whole: fc.boolean(), areas: fc.array(area, { maxLength: 2 }) })
const location = fc.record({
  college: fc.constantFrom(a, b, null),
  major: fc.constantFrom(a, b, null),
  class: fc.constantFrom(a, null),
  grade: fc.constantFrom('2023', '2025', null),
})

test('a record at hand is judged as the database would judge it', async () => {
  const { db } = await testDatabase()
  await fc.assert(
    fc.asyncProperty(scope, location, async (within, at) => {
      const condition = inScope(within, { college: 'p.college', major: 'p.major', class: 'p.class', grade: 'p.grade' })
      const row = await sql<{
        inside: boolean
      }>`
        select coalesce(${condition}, false) "inside"
        from (
          select ${at.college}::uuid "college", ${at.major}::uuid "major", ${at.class}::uuid "class",
            ${at.grade}::text "grade"
        ) p`.execute(db)
      expect(scopeIncludes(within, at)).toBe(row.rows[0]!.inside)
    }),
    { numRuns: 300 },
  )
})

test('a scope that covers another includes every record that the other includes', () => {
  fc.assert(
    fc.property(scope, scope, location, (outer, inner, at) => {
      fc.pre(scopeCovers(outer, inner) && scopeIncludes(inner, at))
      expect(scopeIncludes(outer, at)).toBe(true)
    }),
    { numRuns: 300 },
  )
})

test.each([
  ['itself', { scClassIds: [a] }, { scClassIds: [a] }, true],
  ['one of its classes', { scClassIds: [a, b] }, { scClassIds: [b] }, true],
  ['another class', { scClassIds: [a] }, { scClassIds: [b] }, false],
  ['one of its years', { scIds: [a] }, { scIds: [a], grades: ['2024'] }, true],
  ['all years', { scIds: [a], grades: ['2024'] }, { scIds: [a] }, false],
  ['a college, of years alone', { grades: ['2024'] }, { scIds: [a], grades: ['2024'] }, true],
  ['years alone, of a college', { scIds: [a], grades: ['2024'] }, { grades: ['2024'] }, false],
])('an area covers %s: %j, %j', (_, outer, inner, isCovered) => {
  const nowhere = { scIds: [], smIds: [], scClassIds: [], sdIds: [], grades: [], lsIds: [] }
  const only = (area: object) => ({ whole: false, areas: [{ ...nowhere, ...area }] })
  expect(scopeCovers(only(outer), only(inner))).toBe(isCovered)
  expect(scopeCovers({ whole: true, areas: [] }, only(inner))).toBe(true)
  expect(scopeCovers(only(outer), { whole: true, areas: [] })).toBe(false)
})
