import fc from 'fast-check'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { wholeSchool, type Scope } from '../../contract/core/scope.ts'
import { testDatabase } from '../testing/database.ts'
import { covers } from './covers.ts'
import { inScope } from './scope-sql.ts'

const ids = [1, 2, 3].map((n) => `00000000-0000-7000-8000-00000000000${n}`)
const some = fc.subarray(ids, { maxLength: 2 })
const scope: fc.Arbitrary<Scope> = fc.oneof(
  { weight: 1, arbitrary: fc.constant(wholeSchool) },
  { weight: 9, arbitrary: fc.array(fc.record({ scIds: some, smIds: some, scClassIds: some, sdIds: some, grades: fc.subarray(['2023', '2024']), lsIds: some }), { maxLength: 3 }).map((areas) => ({ whole: false, areas })) },
)
const place = fc.record({ college: fc.option(fc.constantFrom(...ids)), department: fc.option(fc.constantFrom(...ids)), grade: fc.option(fc.constantFrom('2023', '2024')), path: fc.subarray(ids) })

test('a row at hand is judged as the database judges it, whichever of its places are known', async () => {
  const { db } = await testDatabase()
  await fc.assert(
    fc.asyncProperty(scope, place, fc.subarray(['college', 'department', 'grade', 'path'] as const, { minLength: 1 }), async (within, where, columns) => {
      const known = Object.fromEntries(columns.map((name) => [name, where[name]]))
      const condition = inScope(within, Object.fromEntries(columns.map((name) => [name, `r.${name}`])))
      const { rows } = await sql<{ covered: boolean | null }>`select ${condition} as "covered" from (values (${where.college}::uuid, ${where.department}::uuid, ${where.grade}::text, ${where.path}::uuid[])) r ("college", "department", "grade", "path")`.execute(db)
      expect(covers(within, known)).toBe(rows[0]!.covered === true)
    }),
    { numRuns: 300 },
  )
})
