import { expect, test } from 'vitest'
import { applyStatus, lessonStatus } from '../../../../contract/core/codes/programme.ts'
import { workFault } from './works.ts'

const there = {
  workRequest: '一篇心得',
  liStatus: lessonStatus.published,
  startTime: '2026-11-20 14:00:00',
  laStatus: applyStatus.accepted,
}

test.each([
  [there, '2026-11-20 14:00:00', undefined],
  [there, '2026-11-20 13:59:59', 'work-early'],
  // there is no end but that of the results
  [there, '2027-01-20 00:00:00', undefined],
  [{ ...there, liStatus: lessonStatus.resultRefused }, '2026-11-25 00:00:00', undefined],
  [{ ...there, liStatus: lessonStatus.resultInReview }, '2026-11-25 00:00:00', 'work-late'],
  [{ ...there, liStatus: lessonStatus.completed }, '2026-11-25 00:00:00', 'work-late'],
  [{ ...there, liStatus: lessonStatus.cancelled }, '2026-11-25 00:00:00', 'work-late'],
  [{ ...there, workRequest: '' }, '2026-11-25 00:00:00', 'work-not-asked'],
  [{ ...there, laStatus: applyStatus.waitlisted }, '2026-11-25 00:00:00', 'work-not-participant'],
  [{ ...there, laStatus: null }, '2026-11-25 00:00:00', 'work-not-participant'],
])('%o at %s: %s', (facts, now, reason) => expect(workFault(facts, now)?.reason).toBe(reason))
