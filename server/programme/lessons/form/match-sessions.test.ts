import { expect, test } from 'vitest'
import { matchSessions } from './match-sessions.ts'

const [mon, wed, fri, sat] = ['23 08', '25 08', '27 08', '28 08']
const periods = (starts: (string | undefined)[]) =>
  starts.map((start) => ({ startTime: `2026-11-${start}:00:00`, endTime: `2026-11-${start}:50:00` }))

test.each([
  ['nothing changes', [mon, wed, fri], [mon, wed, fri], [0, 1, 2]],
  ['the first becomes the last', [mon, wed, fri], [wed, fri, sat], [2, 0, 1]],
  ['the first is removed', [mon, wed, fri], [wed, fri], [undefined, 0, 1]],
  ['one is added before', [wed, fri], [mon, wed, fri], [1, 2]],
  ['all move by hours', [mon, wed], ['23 14', '25 14'], [0, 1]],
  ['one moves within its day, the one before is removed', [mon, wed], ['25 14'], [undefined, 0]],
  ['all move to other days', [mon, wed], [fri, sat], [0, 1]],
  ['two of a day change places with one more', [mon, '23 14'], ['23 10', '23 14'], [0, 1]],
])('%s', (_, former, next, wanted) => {
  const matches = matchSessions(periods(former), periods(next))
  expect(former.map((_session, at) => matches.get(at))).toEqual(wanted)
})
