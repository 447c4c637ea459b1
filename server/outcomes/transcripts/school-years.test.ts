import { expect, test } from 'vitest'
import { schoolYears } from './school-years.ts'

const rules = { autumnStart: '08-16', yearPassHours: 1200, yearExcellentHours: 1800 }
const now = '2026-11-21 10:00:00'
test.each([
  ['nothing done', [], []],
  [
    'enough to pass',
    [
      ['2025-10-01', '7'],
      ['2026-08-15', '5'],
    ],
    [['2025—2026 学年', '12', '0', '1']],
  ],
  ['enough to excel', [['2025-10-01', '18']], [['2025—2026 学年', '18', '0', '2']]],
  ['a hundredth short of it', [['2025-10-01', '17.99']], [['2025—2026 学年', '17.99', '0', '1']]],
  ['short in a year that is over', [['2025-10-01', '11.99']], [['2025—2026 学年', '11.99', '0.01', '0']]],
  [
    'short in the year that runs, the latest first',
    [
      ['2025-10-01', '20'],
      ['2026-08-16', '3'],
    ],
    [
      ['2026—2027 学年', '3', '9', '3'],
      ['2025—2026 学年', '20', '0', '2'],
    ],
  ],
])('%s', (_, records, expected) => {
  const years = schoolYears(
    records.map(([day, hours]) => ({ startTime: `${day} 08:00:00`, hours: hours! })),
    rules,
    now,
  )
  expect(years.map(({ yearName, hours, gap, verdict }) => [yearName, hours, gap, verdict])).toEqual(expected)
})
