import { expect, test } from 'vitest'
import { differencesBetween, wordsOf, type ContentField } from './submitted-content.ts'

const said = (...values: [string, string][]): ContentField[] =>
  values.map(([field, value]) => ({ field, label: `标签${field}`, value }))

test('what is said otherwise, anew or no longer, in the order of the later submission', () => {
  expect(
    differencesBetween(said(['a', '一'], ['b', '二'], ['c', '三']), said(['d', '四'], ['b', '贰'], ['a', '一'])),
  ).toEqual([
    { field: 'd', label: '标签d', before: '未填写', after: '四' },
    { field: 'b', label: '标签b', before: '二', after: '贰' },
    { field: 'c', label: '标签c', before: '三', after: '未填写' },
  ])
})

test('of long texts the part that differs is shown with what stands around it', () => {
  const [head, tail] = ['前'.repeat(400), '后'.repeat(400)]
  const [one] = differencesBetween(said(['a', `${head}旧文${tail}`]), said(['a', `${head}新写的${tail}`]))
  expect(one).toMatchObject({
    before: `…${'前'.repeat(30)}旧文${'后'.repeat(30)}…`,
    after: `…${'前'.repeat(30)}新写的${'后'.repeat(30)}…`,
  })
  const [added] = differencesBetween(said(['a', head]), said(['a', `${head}。`]))
  expect(added).toMatchObject({ before: `…${'前'.repeat(30)}`, after: `…${'前'.repeat(30)}。` })
})

test('more differences than anybody reads are counted', () => {
  const rows = (value: string) => said(...Array.from({ length: 250 }, (_, n): [string, string] => [`p${n}`, value]))
  const told = differencesBetween(rows('合格'), rows('不合格'))
  expect([told.length, told.at(-1)!.after]).toEqual([201, '另有 50 处不同，见完整内容'])
})

test.each([
  [undefined, {}, '未填写'],
  [[], { none: '不限' }, '不限'],
  [['1', '7'], { dictionary: 'sign_type' as const }, '活动码、'],
  [true, {}, '是'],
  [0, { unit: ' 人' }, '0 人'],
  ['2026-03-01 08:30:00', {}, '2026-03-01 08:30'],
  [['x', 'y'], {}, '甲、y'],
])('%j as %j reads %s', (value, wording, words) =>
  expect(wordsOf(value, wording, new Map([['x', '甲']]))).toContain(words),
)
