import { expect, test } from 'vitest'
import { dayNumber, dayText, weekdayOf } from './sign-ins-asked.ts'
import { withoutSmall } from './political-status.queries.ts'
import { comparedSpans, isByDay, lastYearSpan, previousSpan, spanAround, stepsOf } from './periods.ts'

const terms = [
  { tmStart: '2025-08-16', tmEnd: '2026-02-14' },
  { tmStart: '2026-02-15', tmEnd: '2026-08-15' },
  { tmStart: '2026-08-16', tmEnd: '2027-02-14' },
]
const span = (from: string, to: string) => ({ startTime: `${from} 00:00:00`, endTime: `${to} 23:59:59` })

test.each([
  [
    'a term: the one before, and the same one of the year before',
    ['2026-08-16', '2027-02-14'],
    ['2026-02-15', '2026-08-15'],
    ['2025-08-16', '2026-02-14'],
  ],
  [
    'the first term there is: as many days',
    ['2025-08-16', '2026-02-14'],
    ['2025-02-14', '2025-08-15'],
    ['2024-08-16', '2025-02-14'],
  ],
  ['a month', ['2026-03-01', '2026-03-31'], ['2026-02-01', '2026-02-28'], ['2025-03-01', '2025-03-31']],
  ['February of a leap year', ['2024-02-01', '2024-02-29'], ['2024-01-01', '2024-01-31'], ['2023-02-01', '2023-02-28']],
  [
    'February after a leap year',
    ['2025-02-01', '2025-02-28'],
    ['2025-01-01', '2025-01-31'],
    ['2024-02-01', '2024-02-29'],
  ],
  ['any days', ['2026-05-04', '2026-05-10'], ['2026-04-27', '2026-05-03'], ['2025-05-04', '2025-05-10']],
  ['one day', ['2026-01-01', '2026-01-01'], ['2025-12-31', '2025-12-31'], ['2025-01-01', '2025-01-01']],
] as [string, [string, string], [string, string], [string, string]][])('%s', (_, own, before, year) => {
  expect(previousSpan(span(...own), terms)).toEqual(span(...before))
  expect(lastYearSpan(span(...own), terms)).toEqual(span(...year))
})

test.each([
  [
    'a term on its first day',
    ['2026-08-16', '2027-02-14'],
    '2026-08-16',
    ['2026-02-15', '2026-02-15'],
    ['2025-08-16', '2025-08-16'],
    true,
  ],
  [
    'a term after 99 days',
    ['2026-08-16', '2027-02-14'],
    '2026-11-22',
    ['2026-02-15', '2026-05-24'],
    ['2025-08-16', '2025-11-22'],
    true,
  ],
  [
    'a term on its last day',
    ['2026-08-16', '2027-02-14'],
    '2027-02-14',
    ['2026-02-15', '2026-08-15'],
    ['2025-08-16', '2026-02-14'],
    false,
  ],
  [
    'a term that is over',
    ['2026-02-15', '2026-08-15'],
    '2026-11-22',
    ['2025-08-16', '2026-02-14'],
    ['2025-02-15', '2025-08-15'],
    false,
  ],
  [
    'a term but for its last days, the one before being shorter',
    ['2026-02-15', '2026-08-15'],
    '2026-08-14',
    ['2025-08-16', '2026-02-12'],
    ['2025-02-15', '2025-08-14'],
    true,
  ],
  [
    'a month of which 22 days have passed',
    ['2026-11-01', '2026-11-30'],
    '2026-11-22',
    ['2026-10-01', '2026-10-22'],
    ['2025-11-01', '2025-11-22'],
    true,
  ],
  [
    'more days of a month than the one before has',
    ['2026-03-01', '2026-03-31'],
    '2026-03-30',
    ['2026-02-01', '2026-02-28'],
    ['2025-03-01', '2025-03-30'],
    true,
  ],
  [
    'a week of which three days have passed',
    ['2026-11-16', '2026-11-22'],
    '2026-11-18',
    ['2026-11-09', '2026-11-11'],
    ['2025-11-16', '2025-11-18'],
    true,
  ],
  [
    'up to today',
    ['2026-11-01', '2026-11-22'],
    '2026-11-22',
    ['2026-10-10', '2026-10-31'],
    ['2025-11-01', '2025-11-22'],
    false,
  ],
  [
    "over the end of a leap year's February",
    ['2025-02-01', '2025-03-31'],
    '2025-03-01',
    ['2024-12-04', '2025-01-01'],
    ['2024-02-01', '2024-02-29'],
    true,
  ],
] as [string, [string, string], string, [string, string], [string, string], boolean][])(
  'what is compared of %s',
  (_, own, today, before, year, part) => {
    expect(comparedSpans(span(...own), terms, `${today} 09:30:00`)).toEqual({
      previous: { ...span(...before), part },
      lastYear: { ...span(...year), part },
    })
  },
)

test('a period that has not begun is compared with nothing', () => {
  expect(comparedSpans(span('2026-12-01', '2026-12-31'), terms, '2026-11-22 09:30:00')).toBeNull()
})

test('a trend has no gaps, by day up to three months and by month beyond', () => {
  expect(stepsOf(span('2026-02-27', '2026-03-02'))).toEqual(['2026-02-27', '2026-02-28', '2026-03-01', '2026-03-02'])
  expect([isByDay(span('2026-01-01', '2026-04-02')), isByDay(span('2026-01-01', '2026-04-03'))]).toEqual([true, false])
  expect(stepsOf(span('2025-11-20', '2026-03-01'))).toEqual(['2025-11', '2025-12', '2026-01', '2026-02', '2026-03'])
  expect(stepsOf(span('2026-03-11', '2026-03-01'), false)).toEqual([])
})

test.each([
  ['2000-01-01', 0, 5],
  ['2024-02-29', 8825, 3],
  ['2026-11-22', 9822, 6],
  ['2026-11-23', 9823, 0],
])('%s is day %i since 2000 and weekday %i from Monday on', (day, number, weekday) => {
  expect([dayNumber(`${day} 23:59:59`), dayText(number), weekdayOf(number)]).toEqual([number, day, weekday])
})

test.each([
  [[30, 20, 7], [30, 20, 7], []],
  [
    [30, 20, 3, 4],
    [30, 20],
    [4, 3],
  ],
  [[30, 20, 3], [30], [3, 20]],
  [[3], [], [3]],
  [[], [], []],
])('groups under five of %j: shown %j, put together %j', (sizes, shown, joined) => {
  const answer = withoutSmall(sizes.map((value, at) => ({ key: String(at), value })))
  expect(answer.shown.map(({ value }) => value)).toEqual(shown)
  expect(answer.joined.map(({ value }) => value)).toEqual(joined)
})

test.each([
  ['a Monday', 'week', '2026-11-09', ['2026-11-09', '2026-11-15']],
  ['a Sunday', 'week', '2026-11-15', ['2026-11-09', '2026-11-15']],
  ['a week over the turn of the year', 'week', '2027-01-01', ['2026-12-28', '2027-01-03']],
  ['a day of February', 'month', '2024-02-29', ['2024-02-01', '2024-02-29']],
  ['December', 'month', '2026-12-05', ['2026-12-01', '2026-12-31']],
] as const)('the %2$s around %1$s', (_, kind, day, [from, to]) => expect(spanAround(kind, day)).toEqual(span(from, to)))
