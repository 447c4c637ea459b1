import { expect, test } from 'vitest'
import { areTold, hiddenRows, partsTold, stepsTold } from './suppression.ts'

const hidden = (...rows: number[][]) => [...hiddenRows(rows)].toSorted((a, b) => a - b)

test.each<[number[], boolean]>([
  [[], true],
  [[0, 10, 500], true],
  [[9], false],
  [[1, 500], false],
])('people counted as %j are told: %s', (counts, told) => expect(areTold(...counts)).toBe(told))

test.each<[string, number[][], number[]]>([
  ['nothing is hidden where nobody is few', [[10], [200], [0]], []],
  ['one few takes the smallest other with it', [[100], [3], [40]], [1, 2]],
  ['several few that are enough together need no other', [[100], [3], [8]], [1, 2]],
  ['several few that are not take another', [[100], [3], [2]], [0, 1, 2]],
  ['a part without anybody hides nothing', [[100], [0], [3], [20]], [2, 3]],
  ['the only part is hidden alone', [[4]], [0]],
  // of 30 people 28 signed in: the two who did not are few, and the 30 are not
  [
    'few in another way of counting take the smallest with them',
    [
      [30, 28, 2],
      [60, 40, 20],
      [50, 25, 25],
    ],
    [0, 2],
  ],
  // the people there are hide the first two whatever is counted of them, so that a table of people alone says the same
  [
    'the people there are decide first',
    [
      [5, 0],
      [12, 12],
      [100, 4],
      [200, 200],
    ],
    [0, 1, 2],
  ],
])('%s', (_, rows, expected) => expect(hidden(...rows)).toEqual(expected))

test.each<[string, number[], boolean[]]>([
  ['enough people come and go at each step', [100, 80, 60], [true, true, true]],
  ['few are at the last step', [100, 80, 4], [true, true, false]],
  ['few did not come to the last step', [100, 80, 77], [true, true, false]],
  [
    'few differ from a step that is told, though not from the one before',
    [100, 95, 90, 99],
    [true, false, true, false],
  ],
  ['all or nobody go on', [100, 100, 0], [true, true, true]],
  ['what is hidden does not hide what follows', [100, 97, 90], [true, false, true]],
])('of steps: %s', (_, steps, expected) => expect(stepsTold(steps)).toEqual(expected))

test('what is hidden cannot be found by subtraction, whatever the parts', () => {
  for (let a = 0; a < 25; a += 3)
    for (let b = 0; b < 25; b += 2)
      for (let c = 0; c < 25; c++) {
        const parts = { a, b, c }
        const told = partsTold(parts)
        const rest = (['a', 'b', 'c'] as const).filter((key) => !told[key]).reduce((sum, key) => sum + parts[key], 0)
        expect(rest === 0 || rest >= 10 || rest === a + b + c, JSON.stringify(parts)).toBe(true)
        for (const key of ['a', 'b', 'c'] as const) if (told[key]) expect(areTold(parts[key])).toBe(true)
      }
})
