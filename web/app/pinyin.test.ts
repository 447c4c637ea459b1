import { expect, test } from 'vitest'
import { screenGroups, screens } from '../../contract/screens.ts'
import { meansTitle, withoutReading } from './pinyin.ts'

test('every title and group can be read', () =>
  expect([...new Set([...screens.map(({ title }) => title), ...screenGroups].flatMap(withoutReading))]).toEqual([]))

test.each([
  ['课程列表', 'kclb', true],
  ['课程列表', 'kecheng', true],
  ['课程列表', 'lieb', true],
  ['课程列表', '列表', true],
  ['课程列表', 'lb', true],
  ['课程列表', 'KCLB', true],
  ['课程列表', 'kcb', false],
  ['素质标签', 'szbq', true],
  ['角色管理', 'jueseguanli', true],
  ['我的消息', '学生', false],
])('%s by %s: %s', (title, typed, found) => expect(meansTitle(title, typed)).toBe(found))
