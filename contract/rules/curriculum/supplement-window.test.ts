import { describe, expect, test } from 'vitest'
import {
  isOpenOn,
  opensOn,
  openUntil,
  supplementWindow,
  windowText,
  type SupplementWindow,
} from './supplement-window.ts'

const months = (...list: number[]): SupplementWindow => ({ way: 'months', months: list, dates: [] })
const dates = (...list: [string, string][]): SupplementWindow => ({
  way: 'dates',
  months: [],
  dates: list.map(([start, end]) => ({ start, end })),
})

describe('a window', () => {
  test.each<[string, SupplementWindow | null, string, boolean, string | null, string | null]>([
    ['none', null, '2026-11-20', true, null, null],
    ['the whole year', { way: 'year', months: [], dates: [] }, '2026-02-29', true, null, null],
    ['inside a month', months(3, 9), '2026-03-31', true, '2026-03-31', null],
    ['first day of a month', months(3, 9), '2026-09-01', true, '2026-09-30', null],
    ['between two months', months(3, 9), '2026-04-01', false, null, '2026-09-01'],
    ['after the last month of the year', months(3, 9), '2026-11-20', false, null, '2027-03-01'],
    ['months over new year', months(12, 1, 2), '2026-12-31', true, '2027-02-28', null],
    ['leap year', months(2), '2028-02-01', true, '2028-02-29', null],
    ['all twelve months', months(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12), '2026-06-15', true, null, null],
    ['first of the dates', dates(['2026-11-20', '2026-11-30']), '2026-11-20', true, '2026-11-30', null],
    ['last of the dates', dates(['2026-11-10', '2026-11-20']), '2026-11-20', true, '2026-11-20', null],
    [
      'dates that join',
      dates(['2026-11-21', '2026-11-30'], ['2026-11-10', '2026-11-20']),
      '2026-11-15',
      true,
      '2026-11-30',
      null,
    ],
    [
      'before the dates',
      dates(['2026-12-10', '2026-12-20'], ['2026-12-01', '2026-12-05']),
      '2026-11-20',
      false,
      null,
      '2026-12-01',
    ],
    ['after all dates', dates(['2026-01-01', '2026-01-31']), '2026-11-20', false, null, null],
  ])('%s', (_, window, day, isOpen, until, opens) => {
    expect([
      isOpenOn(window, day),
      isOpenOn(window, day) ? openUntil(window, day) : null,
      opensOn(window, day),
    ]).toEqual([isOpen, until, opens])
  })

  test('is told in words', () => {
    expect([
      windowText(null),
      windowText(months(9, 3)),
      windowText(dates(['2026-12-01', '2026-12-05'], ['2026-11-01', '2026-11-01'])),
    ]).toEqual(['全年', '每年 3、9 月', '2026-11-01，2026-12-01 至 2026-12-05'])
  })

  test.each([
    [{ way: 'months' }, 'months', '请选择开放月份'],
    [{ way: 'months', months: [13] }, 'months.0', '月份不能大于 12'],
    [{ way: 'dates' }, 'dates', '请添加开放日期'],
    [{ way: 'dates', dates: [{ start: '2026-03-02', end: '2026-03-01' }] }, 'dates.0.end', '结束日期不能早于开始日期'],
  ])('%j is refused at %s', (input, field, message) => {
    const { error } = supplementWindow.safeParse(input)
    expect(error?.issues.map((issue) => [issue.path.join('.'), issue.message])).toEqual([[field, message]])
  })
})
