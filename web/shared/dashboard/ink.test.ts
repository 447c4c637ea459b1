import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { contrast, inkOn, mix, rgb } from './ink.ts'

const tokens = readFileSync(new URL('../../styles/tokens.css', import.meta.url), 'utf8')
const values = (name: string) =>
  [...tokens.matchAll(new RegExp(`--${name}: (#[0-9a-f]{6});`, 'g'))].map(([, hex]) => hex!)
const strong = values('chart-1')
const themes = values('raised').map((card, at) => [card, strong[at]!] as const)

test('both themes are there', () => {
  expect(themes.length).toBeGreaterThanOrEqual(2)
  expect(strong).toHaveLength(themes.length)
})

test('a colour as the build shortens it is the same colour', () => {
  expect(rgb('#fff')).toEqual([255, 255, 255])
  expect(rgb('#1a0')).toEqual(rgb('#11aa00'))
  expect(inkOn('#fff', '#2458c5', 0.2)).toBe('#000000')
  expect(inkOn('#fff', '#2458c5', 1)).toBe('#ffffff')
})

test.each(themes)('figures of a heat map from %s to %s can be read at every strength', (card, colour) => {
  for (let share = 0; share <= 1; share += 0.01)
    expect(
      contrast(rgb(inkOn(card, colour, share)), mix(rgb(card), rgb(colour), share)),
      `at ${share}`,
    ).toBeGreaterThanOrEqual(4.5)
})
