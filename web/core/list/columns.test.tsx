// @vitest-environment jsdom
import { expect, test } from 'vitest'
import { draw } from '../../testing/draw.ts'
import { cellOf, type Column } from './columns.tsx'

const number: Column<object> = { title: '学时', number: true }
const words: Column<object> = { title: '学号' }

test.each<[Column<object>, unknown, string]>([
  [number, 12_345, '12,345'],
  [number, '12345.50', '12,345.50'],
  [number, '-0.5', '-0.5'],
  [number, '-1234', '-1,234'],
  [number, '12345 / 30', '12345 / 30'],
  [number, '', '—'],
  [words, '2023110001', '2023110001'],
])('a cell of %o shows %o as %s', (column, value, shown) => {
  expect(draw(<p>{cellOf(column, value, {}, 0)}</p>).textContent).toBe(shown)
})
