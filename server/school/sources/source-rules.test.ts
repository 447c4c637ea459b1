import { expect, test } from 'vitest'
import { nextRunAfter, reasonsToWait, type RunCounts } from './source-rules.ts'

const none: RunCounts = { rows: 0, new: 0, update: 0, same: 0, conflict: 0, fault: 0, leavers: 0 }

test.each<[why: string, counts: Partial<RunCounts>, changesLeavers: boolean, reasons: number]>([
  ['the first run of a school', { rows: 5000, new: 5000 }, true, 0],
  ['few changes', { rows: 100, update: 20, same: 80 }, true, 0],
  ['many changes', { rows: 100, update: 21, same: 79 }, true, 1],
  ['few rows that cannot be written', { rows: 100, same: 80, fault: 10, conflict: 10 }, true, 0],
  ['many of them', { rows: 100, same: 79, fault: 11, conflict: 10 }, true, 1],
  ['few leavers', { rows: 95, same: 95, leavers: 5 }, true, 0],
  ['many leavers', { rows: 94, same: 94, leavers: 6 }, true, 1],
  ['many leavers that are only told', { rows: 1, same: 1, leavers: 99 }, false, 0],
  ['an empty file', { leavers: 100 }, true, 1],
  ['everything at once', { rows: 10, update: 5, fault: 5, leavers: 9 }, true, 3],
])('%s', (_, counts, changesLeavers, reasons) => {
  expect(reasonsToWait({ ...none, ...counts }, { changeLimit: 20, leaverLimit: 5, changesLeavers })).toHaveLength(
    reasons,
  )
})

test.each([
  ['2026-11-25 02:59:59', '03:00', '2026-11-25 03:00:00'],
  ['2026-11-25 03:00:00', '03:00', '2026-11-26 03:00:00'],
  ['2026-12-31 23:00:00', '22:30', '2027-01-01 22:30:00'],
  ['2026-12-31 23:00:00', '', null],
])('after %s, at %s: %s', (now, runAt, next) => {
  expect(nextRunAfter(now, runAt)).toBe(next)
})
