// @vitest-environment jsdom
import { expect, test } from 'vitest'
import { donut } from './chart-options.ts'

const theme = { card: '#ffffff', colors: ['#1f6fd6'], text: '#111111', soft: '#555555', line: '#dddddd' }
const name = '中国共产主义青年团团员（含保留团籍的中共党员与预备党员）'

interface Option {
  legend: { formatter: (name: string) => string; tooltip: { formatter: (of: { name: string }) => HTMLElement } }
  tooltip: { valueFormatter: (value: unknown) => string }
}

test('a name that the legend cuts short is told whole where the pointer rests on it', () => {
  const parts = [
    { name, value: 12_345 },
    { name: '群众', value: 12_345 },
  ]
  const { legend, tooltip } = donut(parts, '人').option(theme as never, 480) as unknown as Option
  expect(legend.formatter(name)).toMatch(/^中国.*…\s+12,345（50%）$/)
  expect(legend.tooltip.formatter({ name }).textContent).toBe(`${name}  12,345（50%）`)
  expect(tooltip.valueFormatter(12_345)).toBe('12,345 人')
})
