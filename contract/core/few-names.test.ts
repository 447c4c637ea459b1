import { expect, test } from 'vitest'
import { fewNames, namesOf } from './few-names.ts'

const people = Array.from({ length: 1234 }, (_, at) => `甲${at + 1}`)

test.each([
  [0, ''],
  [1, '甲1'],
  [3, '甲1、甲2、甲3'],
  [4, '甲1、甲2、甲3 等 4 人'],
  [1234, '甲1、甲2、甲3 等 1,234 人'],
])('of %i people the first three are named', (count, text) => {
  expect(fewNames(people.slice(0, count))).toBe(text)
})

test('where only the first few are known, the rest are told by number', () => {
  expect(namesOf(['张三', '李四'], 2)).toBe('张三、李四')
  expect(namesOf(['张三', '李四'], 29_414)).toBe('张三、李四 等 29,414 人')
})
