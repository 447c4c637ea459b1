import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { testApp, type TestApp } from '../testing/app.ts'
import { leapYearToCome } from '../testing/clock.ts'
import { useOwnDatabase } from '../testing/database.ts'
import { checkDemoSchool } from '../testing/demo-checks.ts'
import { fuzz } from '../testing/fuzz.ts'
import { unique } from '../testing/school.ts'
import { demoSize, makeDemoSchool, type DemoSize } from './demo-school.ts'

let app: TestApp
beforeAll(async () => {
  await useOwnDatabase()
  app = await testApp()
})

/** What is wrong with a demo school that is made at a moment of that year. */
async function faultsOf(students: number, moment: string, more: Partial<DemoSize> = {}): Promise<string[]> {
  const now = `${leapYearToCome}-${moment}`
  const schoolId = `d${unique()}`
  const ctx = { ...app.ctx, clock: { now: () => now } }
  await makeDemoSchool(ctx, schoolId, '演示大学', demoSize(students, more), { seed: students })
  return checkDemoSchool(app.ctx.db, schoolId, now)
}

test.each([
  [1, '02-29 10:00:00', '29 February'],
  [2, '09-01 00:00:00', 'the first moment of a school year'],
  [7, '08-31 22:30:00', 'the eve of the school year'],
  [23, '08-15 23:59:59', 'the last second before the autumn term'],
  [40, '09-01 06:30:00', 'the first morning of the school year'],
  [99, '01-01 00:20:00', 'New Year’s night'],
  [100, '02-06 21:00:00', 'a Sunday evening between the terms'],
  [300, '07-15 22:00:00', 'the last evening of a term'],
])('a demo school of %i students has no fault on %s, %s', async (students, now) => {
  expect(await faultsOf(students, now)).toEqual([])
})

test('a demo school of any size has no fault on any day', async () => {
  const minutes = fc.integer({ min: 0, max: 366 * 1440 - 1 })
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 400 }), minutes, async (students, after) => {
      const moment = new Date(Date.UTC(leapYearToCome, 0, 1) + after * 60_000)
        .toISOString()
        .slice(5, 19)
        .replace('T', ' ')
      expect(await faultsOf(students, moment)).toEqual([])
    }),
    fuzz(2),
  )
}, 120_000)

test.each([
  // what the sizes next to the default change are people and classes, not how much is recorded of them
  [5900, '09-01 06:30:00', { registrations: 3000, supplements: 300 }],
  [6000, '11-22 15:00:00', {}],
  [12_000, '12-31 23:50:00', { registrations: 12_000, supplements: 1000 }],
])(
  'a demo school of %i students has no fault on %s',
  async (students, now, more) => {
    expect(await faultsOf(students, now, more)).toEqual([])
  },
  300_000,
)
