import { expect, test } from 'vitest'
import { changeText, toneOf } from './change.ts'

test.each([
  ['more of what is wanted', 12, 'welcome', 'is-up'],
  ['less of it', -12, 'welcome', 'is-down'],
  ['more of what is not wanted', 355, 'unwelcome', 'is-down'],
  ['less of it', -100, 'unwelcome', 'is-up'],
  ['what is neither', 40, 'neutral', ''],
  ['no change', 0, 'unwelcome', ''],
  ['nothing to compare with', null, 'unwelcome', ''],
] as const)('%s', (_, rate, rise, tone) => {
  expect(toneOf(rate, rise)).toBe(tone)
})

test.each([
  [null, 0, '—'],
  [0, 7, '持平'],
  [12.5, 8, '↑ 12.5%'],
  [-86, 700, '↓ 86%'],
  [999, 10, '↑ 999%'],
  [2186, 7, '↑ 原为 7 门'],
])('a change of %s per cent from %s is told as %s', (rate, before, text) => {
  expect(changeText(rate, before, '门')).toBe(text)
})
