import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fuzz } from '../../testing/fuzz.ts'
import { lowerBound, Slices } from './slices.ts'

test('owners keep what was put last, however often pieces grow and shrink', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.nat(12), fc.array(fc.nat(65_535), { maxLength: 9 })), { maxLength: 80 }),
      (puts) => {
        const slices = new Slices({ value: new Int32Array(0), half: new Uint16Array(0) })
        const model = new Map<number, number[]>()
        for (const [owner, values] of puts) {
          const start = slices.piece(owner, values.length)
          for (const [at, value] of values.entries()) {
            slices.columns.value[start + at] = -value
            slices.columns.half[start + at] = value
          }
          model.set(owner, values)
        }
        for (const [owner, values] of model) {
          const [start, end] = [slices.start[owner]!, slices.start[owner]! + slices.count[owner]!]
          expect([...slices.columns.value.subarray(start, end)]).toEqual(values.map((value) => 0 - value))
          expect([...slices.columns.half.subarray(start, end)]).toEqual(values)
        }
      },
    ),
    fuzz(200),
  )
})

test('an owner who grows again and again wears the columns out', () => {
  const slices = new Slices({ value: new Int32Array(0) })
  slices.piece(0, 100)
  expect(slices.isWorn).toBe(false)
  for (let rows = 1; rows <= 40; rows++) slices.piece(1, rows)
  expect(slices.isWorn).toBe(true)
})

test.each([
  [[], 5, 0],
  [[1, 3, 3, 7], 0, 0],
  [[1, 3, 3, 7], 3, 1],
  [[1, 3, 3, 7], 4, 3],
  [[1, 3, 3, 7], 8, 4],
])('in %j the first that is not below %i is at %i', (values, value, at) => {
  // what lies before and after a piece belongs to others
  const column = Int32Array.from([9, ...values, 0])
  expect(lowerBound(column, 1, 1 + values.length, value)).toBe(1 + at)
})
