import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { holidayKind } from '../../../contract/core/codes/school.ts'
import { addDays } from '../../core/base/clock.ts'
import { nthWorkingDay, termByCut, termsFrom, workingDays } from './calendar.ts'

const special = [
  { hdDate: '2026-10-01', hdKind: holidayKind.dayOff },
  { hdDate: '2026-10-02', hdKind: holidayKind.dayOff },
  { hdDate: '2026-10-10', hdKind: holidayKind.workday },
]
const cut = { springStart: '02-15', autumnStart: '08-16' }

describe('working days', () => {
  test.each([
    ['2026-11-20', '2026-11-20', 1],
    ['2026-11-21', '2026-11-22', 0],
    ['2026-11-20', '2026-11-24', 3],
    ['2026-09-30', '2026-10-05', 2],
    ['2026-10-09', '2026-10-11', 2],
    ['2026-12-31', '2027-01-04', 3],
    ['2026-11-24', '2026-11-20', 0],
  ])('%s to %s: %d', (from, to, days) => expect(workingDays(from, to, special)).toBe(days))

  test.each([
    ['2026-11-20', 1, false, '2026-11-20'],
    ['2026-11-20', 1, true, '2026-11-23'],
    ['2026-11-20', 3, false, '2026-11-24'],
    ['2026-11-21', 1, false, '2026-11-23'],
    ['2026-09-30', 2, false, '2026-10-05'],
    ['2026-10-09', 2, false, '2026-10-10'],
  ])('from %s the %ith, after it %s: %s', (from, n, after, day) =>
    expect(nthWorkingDay(from, n, special, { after })).toBe(day),
  )

  test('counting to the n-th working day gives n', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 400 }), fc.integer({ min: 1, max: 40 }), (shift, n) => {
        const from = addDays('2026-01-01', shift)
        expect(workingDays(from, nthWorkingDay(from, n, special), special)).toBe(n)
      }),
    )
  })
})

describe('terms by the cut', () => {
  test.each([
    ['2026-02-14', '2025-2026学年第一学期', '2025-08-16', '2026-02-14'],
    ['2026-02-15', '2025-2026学年第二学期', '2026-02-15', '2026-08-15'],
    ['2026-08-15', '2025-2026学年第二学期', '2026-02-15', '2026-08-15'],
    ['2026-08-16', '2026-2027学年第一学期', '2026-08-16', '2027-02-14'],
    ['2026-12-31', '2026-2027学年第一学期', '2026-08-16', '2027-02-14'],
  ])('%s lies in %s', (day, tmName, tmStart, tmEnd) => expect(termByCut(day, cut)).toEqual({ tmName, tmStart, tmEnd }))
  test('another cut, other terms', () =>
    expect(termByCut('2026-02-20', { springStart: '03-01', autumnStart: '09-01' })).toEqual({
      tmName: '2025-2026学年第一学期',
      tmStart: '2025-09-01',
      tmEnd: '2026-02-28',
    }))
  test('two school years are four terms without a gap, whichever half they are asked in', () => {
    for (const day of ['2026-11-20', '2027-05-01', '2027-02-14', '2027-02-15']) {
      const terms = termsFrom(day, 2, cut)
      expect(terms.map(({ tmName }) => tmName)).toEqual([
        '2026-2027学年第一学期',
        '2026-2027学年第二学期',
        '2027-2028学年第一学期',
        '2027-2028学年第二学期',
      ])
      terms.forEach(({ tmStart }, at) => at > 0 && expect(tmStart).toBe(addDays(terms[at - 1]!.tmEnd, 1)))
    }
  })
})
