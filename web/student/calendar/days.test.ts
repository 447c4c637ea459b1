import { expect, test } from 'vitest'
import type { CalendarSession } from '../../../contract/student/calendar.calls.ts'
import { byDay, dayName, daysOfMonth, daysOfWeek, moved } from './days.ts'

test.each([
  ['2026-11', 42, '2026-10-26', '2026-12-06'],
  ['2027-02', 28, '2027-02-01', '2027-02-28'],
  ['2028-02', 35, '2028-01-31', '2028-03-05'],
])('the month %s has %i days in its weeks', (month, count, first, last) => {
  const days = daysOfMonth(month)
  expect([days.length, days[0], days.at(-1)]).toEqual([count, first, last])
})

test('weeks begin on Monday, and months away keep to days that exist', () => {
  expect(daysOfWeek('2026-11-22')).toMatchObject({ 0: '2026-11-16', 6: '2026-11-22' })
  expect([moved('2026-01-31', 1, 'month'), moved('2026-11-22', -1, 'week')]).toEqual(['2026-02-28', '2026-11-15'])
  expect(dayName('2026-11-22')).toBe('11 月 22 日 星期日')
})

test('what lasts over midnight stands on both days', () => {
  const session = { liId: 'a', startTime: '2026-11-22 22:00:00', endTime: '2026-11-23 02:00:00' } as CalendarSession
  expect([...byDay([session]).keys()]).toEqual(['2026-11-22', '2026-11-23'])
})
