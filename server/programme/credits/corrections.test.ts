import { expect, test } from 'vitest'
import { correctionsIn, reversalText, type HistoryEntry } from './corrections.ts'

const at = (second: number) => `2028-11-23 09:00:${String(second).padStart(2, '0')}`
const granted = (second: number, clValue: number, kind: HistoryEntry['kind'] = 'hours'): HistoryEntry => ({
  kind,
  clValue,
  isReversal: false,
  grantedAt: at(second),
  text: '基础',
})
const takenBack = (second: number, clValue: number, why = '质疑成立'): HistoryEntry => ({
  ...granted(second, -clValue),
  isReversal: true,
  text: reversalText(why),
})
const told = (entries: HistoryEntry[]) =>
  correctionsIn(entries).map(({ time, before, after, why }) => [time, before.hours, after.hours, why])

test.each<[string, HistoryEntry[], unknown[]]>([
  ['nothing was taken back', [granted(0, 300)], []],
  [
    'what is granted in its place comes a second later',
    [granted(0, 300), takenBack(10, 300), granted(11, 150)],
    [[at(10), 300, 150, '质疑成立']],
  ],
  ['nothing comes in its place', [granted(0, 300), takenBack(10, 300)], [[at(10), 300, 0, '质疑成立']]],
  [
    'calculated anew to what it was',
    [granted(0, 300), takenBack(10, 300, '上限或就高按活动时间先后重新计算'), granted(10, 300)],
    [],
  ],
  [
    'corrected twice',
    [granted(0, 300), takenBack(10, 300), granted(10, 150), takenBack(20, 150, '补录已删除：重复')],
    [
      [at(10), 300, 150, '质疑成立'],
      [at(20), 150, 0, '补录已删除：重复'],
    ],
  ],
  [
    'only another kind of value changes',
    [granted(0, 300), granted(0, 30, 'credit'), takenBack(10, 300), granted(10, 300), granted(10, 10, 'points')],
    [[at(10), 300, 300, '质疑成立']],
  ],
])('%s', (_, entries, wanted) => {
  expect(told(entries)).toEqual(wanted)
})
