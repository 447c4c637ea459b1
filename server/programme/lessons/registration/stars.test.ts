import { expect, test } from 'vitest'
import { applyStatus, signStatus } from '../../../../contract/core/codes/programme.ts'
import { starsFault } from './stars.ts'

const there = { endTime: '2026-11-20 16:00:00', laStatus: applyStatus.accepted, laSignStatus: signStatus.signedIn }

test.each([
  [there, '2026-11-20 16:00:00', 7, undefined],
  [there, '2026-11-27 16:00:00', 7, undefined],
  [there, '2026-11-27 16:00:01', 7, 'stars-late'],
  [there, '2026-11-20 15:59:59', 7, 'stars-early'],
  [there, '2026-11-21 00:00:00', 0, 'stars-off'],
  [{ ...there, laSignStatus: signStatus.madeUp }, '2026-11-21 00:00:00', 7, undefined],
  [{ ...there, laSignStatus: signStatus.notSigned }, '2026-11-21 00:00:00', 7, 'stars-absent'],
  [{ ...there, laSignStatus: signStatus.exempt }, '2026-11-21 00:00:00', 7, 'stars-absent'],
  [{ ...there, laStatus: applyStatus.removed }, '2026-11-21 00:00:00', 7, 'stars-absent'],
  [{ ...there, laStatus: null, laSignStatus: null }, '2026-11-21 00:00:00', 7, 'stars-absent'],
])('%o at %s within %i days: %s', (facts, now, starDays, reason) =>
  expect(starsFault(facts, now, { starDays })?.reason).toBe(reason),
)
