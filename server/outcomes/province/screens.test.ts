import { expect, test } from 'vitest'
import type { ProvinceScreen } from '../../../contract/outcomes/province/province-tables.ts'
import {
  isProvincePeriod,
  monthsBefore,
  provincePeriods,
  schoolYearAt,
} from '../../../contract/outcomes/province/province-periods.ts'
import { screens } from './school-figures.ts'

/** What many people did, of which a case changes something. */
const many: Partial<Record<ProvinceScreen, Record<string, number>>> = {
  login: { people: 250, students: 200, staff: 50, week: 60, month: 120, all: 400, active: 300 },
  lesson: {
    applied: 500,
    passed: 400,
    signed: 300,
    qualified: 200,
    granted: 150,
    heldSigned: 250,
    heldPassed: 350,
    starTimes: 80,
    decided: 30,
  },
  supplement: {
    apply: 150,
    pass: 100,
    refuse: 30,
    pending: 20,
    publicty: 20,
    granted: 60,
    twice: 20,
    decided: 130,
  },
  student: {
    people: 300,
    recorded: 200,
    met: 100,
    zero: 100,
    black: 20,
    counted: 250,
    earning: 180,
    active: 150,
  },
  ability: { students: 250, covered: 180, scoring: 180 },
  teacher: { people: 40, all: 90, times: 900, starTimes: 100 },
  circle: { members: 200, persons: 150, joined: 140, students: 300, teachers: 20 },
}

test.each<[string, ProvinceScreen, Record<string, number>, string[]]>([
  ['many are told', 'login', {}, []],
  ['few who came in the period and not on its last 30 days', 'login', { month: 247 }, ['month']],
  ['few who came in the month and not in its last week', 'login', { week: 115 }, ['week']],
  [
    'few staff, whom all less the students of each grade are',
    'login',
    { people: 205, staff: 5 },
    ['day', 'month', 'people', 'staff', 'times', 'week'],
  ],
  ['many are told', 'lesson', {}, []],
  ['few who were rated and got nothing', 'lesson', { granted: 197 }, ['granted', 'hours']],
  ['one record, whose the hours are', 'lesson', { granted: 1 }, ['granted', 'hours']],
  ['few approvals, whose the time is', 'lesson', { decided: 1 }, ['decideHours']],
  ['many are told', 'supplement', {}, []],
  ['one record that gave hours', 'supplement', { granted: 1 }, ['hours']],
  ['many are told', 'student', {}, []],
  ['one student who has hours', 'student', { earning: 1 }, ['avgHours']],
  ['one student who was at an activity', 'student', { active: 1 }, ['avgActivities']],
  ['many are told', 'ability', {}, []],
  ['one student who has scores', 'ability', { scoring: 1 }, ['total']],
  ['few with an ability', 'ability', { covered: 4, scoring: 4 }, ['coverage', 'covered', 'total']],
  ['many are told', 'teacher', {}, []],
  ['few sign-ins of those who are guided', 'teacher', { times: 3 }, ['times']],
  ['many are told', 'circle', {}, []],
  ['few who belong to two circles', 'circle', { members: 153 }, ['members', 'persons']],
])('%s: %s', (_, screen, change, hidden) => {
  const told = screens[screen].told({ ...many[screen], ...change })
  expect(
    Object.keys(told)
      .filter((key) => !told[key])
      .toSorted(),
  ).toEqual(hidden)
})

test.each<[string, string, boolean]>([
  ['2026-02-01 00:00:00', '2026-02-28 23:59:59', true],
  ['2025-09-01 00:00:00', '2026-02-28 23:59:59', true],
  ['2026-03-01 00:00:00', '2026-08-31 23:59:59', true],
  ['2025-09-01 00:00:00', '2026-08-31 23:59:59', true],
  ['2026-02-01 00:00:00', '2026-02-27 23:59:59', false],
  ['2026-02-02 00:00:00', '2026-02-28 23:59:59', false],
  ['2025-09-01 00:00:00', '2026-03-31 23:59:59', false],
  ['2025-10-01 00:00:00', '2026-03-31 23:59:59', false],
  ['2026-01-01 00:00:00', '2026-12-31 23:59:59', false],
  ['2024-09-01 00:00:00', '2026-08-31 23:59:59', false],
  ['9999-09-01 00:00:00', '2026-08-31 23:59:59', false],
  ['2026-13-01 00:00:00', '2027-01-31 23:59:59', false],
  ['infinity', '2026-08-31 23:59:59', false],
])('a period from %s to %s may be asked for: %s', (startTime, endTime, isOne) =>
  expect(isProvincePeriod({ startTime, endTime })).toBe(isOne),
)

test('of two periods one lies in the other or beside it, and each is compared with one of them', () => {
  const periods = provincePeriods('2026-11-26 10:00:00', 3)
  expect(periods.filter(({ name }) => !/^\d{4}-\d\d$/.test(name)).map(({ name }) => name)).toEqual([
    '2026—2027 学年',
    '2025—2026 学年',
    '2024—2025 学年',
    '2026—2027 学年上学期',
    '2025—2026 学年下学期',
    '2025—2026 学年上学期',
    '2024—2025 学年下学期',
    '2024—2025 学年上学期',
  ])
  expect(periods).toHaveLength(8 + 27)
  for (const one of periods) {
    expect(isProvincePeriod(one), one.name).toBe(true)
    for (const other of periods) {
      const isBeside = one.endTime < other.startTime || other.endTime < one.startTime
      const isWithin =
        (one.startTime <= other.startTime && other.endTime <= one.endTime) ||
        (other.startTime <= one.startTime && one.endTime <= other.endTime)
      expect(isBeside || isWithin, `${one.name} ${other.name}`).toBe(true)
    }
  }
  const year = schoolYearAt('2026-01-15 00:00:00')
  expect(year).toEqual({ startTime: '2025-09-01 00:00:00', endTime: '2026-08-31 23:59:59' })
  const may = { startTime: '2026-05-01 00:00:00', endTime: '2026-05-31 23:59:59' }
  expect(monthsBefore(may, 3)).toEqual({ startTime: '2026-02-01 00:00:00', endTime: '2026-02-28 23:59:59' })
})
