import { expect, test } from 'vitest'
import { addSeconds, epochOf } from '../../../core/base/clock.ts'
import { scanMoment } from './scan-moment.ts'

// a step of 30 seconds that begins at 14:00:00 and counts until 14:00:59
const begins = '2026-12-01 14:00:00'
const step = epochOf(begins) / 30_000
const after = (seconds: number) => addSeconds(begins, seconds)

test.each([
  ['at once in its step', undefined, 0, { at: after(0), heldBack: false }],
  ['at once in the step after it', undefined, 59, { at: after(59), heldBack: false }],
  ['at once, a second too late', undefined, 60, { refusal: 'code-wrong', age: 1 }],
  ['before anybody can have had it', undefined, -1, { refusal: 'code-wrong', age: 0 }],
  ['kept, before anybody can have had it', -30, -1, { refusal: 'code-wrong', age: 0 }],
  ['kept for a moment', 20, 40, { at: after(20), heldBack: false }],
  ['kept for five minutes', 20, 320, { at: after(20), heldBack: true }],
  ['kept for ten minutes', 20, 620, { at: after(20), heldBack: true }],
  ['kept for a second more', 20, 621, { refusal: 'scan-expired', age: 562 }],
  ['a clock that is behind counts from the beginning of the code', -3600, 500, { at: after(0), heldBack: true }],
  ['and wins no time by that', -3600, 601, { refusal: 'scan-expired', age: 542 }],
  ['a clock that is ahead counts until the end of the code', 3600, 500, { at: after(59), heldBack: true }],
  ['and wins none either', 3600, 660, { refusal: 'scan-expired', age: 601 }],
  ['a clock that is ahead, at once', 3600, 10, { at: after(10), heldBack: false }],
] as const)('%s', (_, scanned, arrives, outcome) => {
  const scannedAt = scanned === undefined ? undefined : after(scanned)
  expect(scanMoment({ step, every: 30, scannedAt, now: after(arrives) })).toEqual(outcome)
})
