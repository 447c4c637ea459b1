import { expect, test } from 'vitest'
import { heat } from './chart-options.ts'

const theme = {
  card: '#ffffff',
  colors: ['#1f6fd6'],
  text: '#111111',
  soft: '#555555',
  line: '#dddddd',
  cue: () => ({}),
}

test('the figures of a heat map are written as all others are', () => {
  const option = heat(['国家级'], ['体育学院'], [[0, 0, 12345]]).option(theme as never, 900)
  const [series] = option.series as { label: { formatter: (cell: { value: number[] }) => string } }[]
  expect(series!.label.formatter({ value: [0, 0, 12345] })).toBe('12,345')
  expect(option.visualMap).toMatchObject({ text: ['12,345', '0'] })
})
