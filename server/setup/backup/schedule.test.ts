import { expect, test } from 'vitest'
import { backupStatus } from '../../../contract/core/codes/platform.ts'
import { isBackupDue } from './schedule.ts'

const { done, failed, running } = backupStatus
const run = (brStatus: string, startTime: string, endTime: string | null = startTime) => ({
  brStatus,
  startTime,
  endTime,
})

test.each([
  ['there never was one', '2026-11-23 12:00:00', [], true],
  ['last night’s was made', '2026-11-23 12:00:00', [run(done, '2026-11-23 02:30:10')], false],
  ['its moment has not come yet', '2026-11-23 02:29:59', [run(done, '2026-11-22 02:30:10')], false],
  ['its moment has come', '2026-11-23 02:30:00', [run(done, '2026-11-22 02:30:10')], true],
  ['it was missed', '2026-11-23 09:00:00', [run(done, '2026-11-21 02:30:10')], true],
  ['it failed just now', '2026-11-23 03:00:00', [run(failed, '2026-11-23 02:30:10', '2026-11-23 02:31:00')], false],
  ['it failed an hour ago', '2026-11-23 03:31:00', [run(failed, '2026-11-23 02:30:10', '2026-11-23 02:31:00')], true],
  [
    'a later one succeeded',
    '2026-11-23 05:00:00',
    [run(done, '2026-11-23 03:31:00'), run(failed, '2026-11-23 02:30:10')],
    false,
  ],
  ['it is under way', '2026-11-23 02:40:00', [run(running, '2026-11-23 02:30:10', null)], false],
  ['it was made tomorrow, by a clock that was wrong', '2026-11-23 02:30:00', [run(done, '2026-11-24 02:30:10')], true],
  [
    'a failure of tomorrow is the newest',
    '2026-11-23 09:00:00',
    [run(failed, '2027-11-23 02:30:10'), run(done, '2026-11-23 02:30:10')],
    false,
  ],
  ['it was killed long ago', '2026-11-23 04:40:00', [run(running, '2026-11-23 02:30:10', null)], true],
])('%s: due or not', (_, now, runs, due) => {
  expect(isBackupDue(now, '02:30', runs)).toBe(due)
})
