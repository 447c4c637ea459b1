import fc from 'fast-check'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { testDatabase } from '../../testing/database.ts'
import { scopeIncludes } from './scope-check.ts'
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
