import { expect, test } from 'vitest'
import { changesOf, lackOf, shownRights, type RightsGroup, type RightsSelection } from './rights-view.ts'

const right = (permit: string, name: string, acts: string[] = [], held: 'whole' | 'part' | 'none' = 'whole') => ({
  permit,
  name,
  acts,
  opens: false,
  held,
})
const tree: RightsGroup[] = [
  {
    title: '人员管理',
    pages: [
      {
        path: '/a',
        title: '学生管理',
        elements: [
          right('student:list', '查看', ['学生列表']),
          right('student:resetPwd', '重置密码', ['重置学生密码']),
        ],
      },
      { path: '/b', title: '班级管理', elements: [right('class:list', '查看'), right('class:delete', '删除')] },
    ],
  },
  { title: '课程管理', pages: [{ path: '/c', title: '课程列表', elements: [right('lesson:list', '查看')] }] },
]
const held = new Set(['student:list', 'lesson:list'])
const found = (selection: Partial<RightsSelection>, changed: string[] = []) =>
  shownRights(tree, { word: '', show: 'all', ...selection }, held, new Set(changed)).flatMap(({ pages }) =>
    pages.flatMap(({ elements }) => elements.map(({ permit }) => permit)),
  )

test.each<[string, Partial<RightsSelection>, string[], string[]]>([
  [
    'everything without a choice',
    {},
    [],
    ['student:list', 'student:resetPwd', 'class:list', 'class:delete', 'lesson:list'],
  ],
  ['a whole page by its name', { word: '班级' }, [], ['class:list', 'class:delete']],
  ['a whole group by its name', { word: '课程管理' }, [], ['lesson:list']],
  ['a right by its name', { word: '密码' }, [], ['student:resetPwd']],
  ['a right by an act it opens', { word: '学生列表' }, [], ['student:list']],
  ['a right by its code, whatever the case', { word: 'RESETPWD' }, [], ['student:resetPwd']],
  ['nothing for what no right says', { word: '圈子' }, [], []],
  ['only what the role has', { show: 'chosen' }, [], ['student:list', 'lesson:list']],
  ['only what has changed', { show: 'changed' }, ['class:delete'], ['class:delete']],
  ['both wishes together', { show: 'chosen', word: '学生' }, [], ['student:list']],
])('the matrix shows %s', (_, selection, changed, permits) => expect(found(selection, changed)).toEqual(permits))

test('differences are told in both directions, and what is lacked with its reason', () => {
  expect(changesOf(new Set(['a', 'b']), new Set(['b', 'c']))).toEqual({ added: ['c'], removed: ['a'] })
  expect([lackOf(right('a', '')), lackOf(right('a', '', [], 'none')), lackOf(right('a', '', [], 'part'))]).toEqual([
    undefined,
    expect.stringContaining('没有'),
    expect.stringContaining('部分范围'),
  ])
})
