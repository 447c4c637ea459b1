import { expect, test } from 'vitest'
import { rounded } from './rounding.ts'

test.each<[string, Record<string, number>, string[], Record<string, number>]>([
  ['people to the nearest five', { people: 10, times: 12, month: 13 }, [], { people: 10, times: 10, month: 15 }],
  ['nobody stays nobody', { people: 0 }, [], { people: 0 }],
  ['hours and credit in hundredths to five of them', { hours: 249, credit: 250 }, [], { hours: 0, credit: 500 }],
  ['time to five hours', { seconds: 3600 * 8, decided: 12 }, [], { seconds: 3600 * 10, decided: 10 }],
  [
    'scores by the first word of their key',
    { 'label 好学': 1240, 'having 好学': 43 },
    [],
    { 'label 好学': 1000, 'having 好学': 45 },
  ],
  ['less than nothing too', { hours: -249, score: -260 }, [], { hours: 0, score: -500 }],
  ['courses count nobody', { count: 3, applied: 13 }, ['count'], { count: 3, applied: 15 }],
])('%s', (_, sums, exact, expected) => expect(rounded(sums, exact)).toEqual(expected))
