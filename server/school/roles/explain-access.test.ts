import { describe, expect, test } from 'vitest'
import { reachOf } from '../../../contract/school/roles/access.schema.ts'
import type { Area, Scope } from '../../../contract/core/scope.ts'
import { explainAccess, type Holding, type Question, type Subject } from './explain-access.ts'
import type { Parents } from './own-reach.ts'

// college A has major a1 with classes x (2023) and y (2024); college B has major b1 with class z
const parents: Parents = {
  majors: new Map([
    ['a1', { scId: 'A' }],
    ['b1', { scId: 'B' }],
  ]),
  classes: new Map([
    ['x', { scId: 'A', smId: 'a1', grade: '2023' }],
    ['y', { scId: 'A', smId: 'a1', grade: '2024' }],
    ['z', { scId: 'B', smId: 'b1', grade: '2023' }],
  ]),
  nodes: new Map([
    ['M', ['M']],
    ['m', ['M', 'm']],
  ]),
}
const none: Area = { scIds: [], smIds: [], scClassIds: [], sdIds: [], grades: [], lsIds: [] }
const over = (area: Partial<Area>): Scope => ({ whole: false, areas: [{ ...none, ...area }] })
const whole: Scope = { whole: true, areas: [] }
const nothing: Scope = { whole: false, areas: [] }
const role = (srName: string, scope: Scope, areaText: string, more: Partial<Holding> = {}): Holding => ({
  srName,
  has: true,
  off: null,
  scope,
  areaText,
  ...more,
})
const student = (college: string, major: string, scClass: string, grade: string): Subject => ({
  title: '学生“张三”',
  hint: `${college}院`,
  place: { college, major, class: scClass, grade },
  relations: [],
  hasTask: false,
})
const lesson = (college: string | null, path: string[], more: Partial<Subject> = {}): Subject => ({
  title: '课程“讲座”',
  hint: 'EK-1',
  place: { college, department: null, path },
  relations: [],
  hasTask: false,
  ...more,
})
const ask = (permit: string, holdings: Holding[], subject?: Subject, more: Partial<Question> = {}) =>
  explainAccess({
    who: '李四',
    right: '查看',
    accountOff: null,
    holdings,
    reach: reachOf(permit),
    subject,
    parents,
    ...more,
  })

const college = role('院系团委', over({ scIds: ['A'] }), 'A院')
const counselor = role('辅导员', over({ scClassIds: ['x'] }), '一班')
const guide = role('指导老师', nothing, '本人的记录')

describe('whether a right reaches a record', () => {
  test.each<[string, string, Holding[], Subject | undefined, 'yes' | 'part' | 'no', string | null, RegExp]>([
    ['without any role', 'student:list', [], undefined, 'no', 'right', /没有任何角色/],
    [
      'by roles that lack the right',
      'student:list',
      [role('签到负责人', nothing, '', { has: false })],
      undefined,
      'no',
      'right',
      /（签到负责人）都不含“查看”权限/,
    ],
    [
      'by a role that is off',
      'student:list',
      [role('辅导员', whole, '全校', { off: '该角色已停用' })],
      undefined,
      'no',
      'right',
      /但该角色已停用/,
    ],
    [
      'by a membership that is over',
      'student:list',
      [role('辅导员', whole, '全校', { off: '有效期至 2026-01-01，已到期' })],
      undefined,
      'no',
      'right',
      /已到期/,
    ],
    ['without a record asked about', 'student:list', [college], undefined, 'yes', null, /管理范围：A院/],
    [
      'without a record and without an area',
      'student:list',
      [role('辅导员', nothing, '')],
      undefined,
      'yes',
      null,
      /没有设置管理范围/,
    ],
    ['of configuration', 'award:list', [guide], undefined, 'yes', null, /角色“指导老师”/],
    [
      'a student of the own college',
      'student:list',
      [college],
      student('A', 'a1', 'y', '2024'),
      'yes',
      null,
      /管理范围“A院”包括学生“张三”（A院）/,
    ],
    [
      'a student of another college',
      'student:list',
      [college],
      student('B', 'b1', 'z', '2023'),
      'no',
      'area',
      /不包括学生“张三”/,
    ],
    ['a student of the own class', 'student:list', [counselor], student('A', 'a1', 'x', '2023'), 'yes', null, /一班/],
    [
      'a student of the class beside',
      'student:list',
      [counselor],
      student('A', 'a1', 'y', '2024'),
      'no',
      'area',
      /不包括/,
    ],
    [
      'a student by the second of two roles',
      'student:list',
      [counselor, college],
      student('A', 'a1', 'y', '2024'),
      'yes',
      null,
      /院系团委/,
    ],
    [
      'a student of the whole school',
      'student:list',
      [role('校级管理员', whole, '全校')],
      student('B', 'b1', 'z', '2023'),
      'yes',
      null,
      /“全校”包括/,
    ],
    [
      'a student with an empty area',
      'student:list',
      [role('辅导员', nothing, '')],
      student('A', 'a1', 'x', '2023'),
      'no',
      'area',
      /没有设置管理范围/,
    ],
    [
      'a student of another year',
      'student:list',
      [role('辅导员', over({ scIds: ['A'], grades: ['2023'] }), 'A院，限 2023级')],
      student('A', 'a1', 'y', '2024'),
      'no',
      'area',
      /不包括/,
    ],
    [
      'a right one role has and the area another',
      'student:edit',
      [
        role('辅导员', over({ scClassIds: ['x'] }), '一班'),
        role('院系团委', over({ scIds: ['A'] }), 'A院', { has: false }),
      ],
      student('A', 'a1', 'y', '2024'),
      'no',
      'area',
      /角色“辅导员”/,
    ],
    [
      'all students of the own college',
      'student:list',
      [college],
      { ...student('A', 'a1', 'x', '2023'), title: '学院“A”', area: { ...none, scIds: ['A'] } },
      'yes',
      null,
      /包括/,
    ],
    [
      'the students of a college of which one class is covered',
      'student:list',
      [counselor],
      { ...student('A', 'a1', 'x', '2023'), title: '学院“A”', area: { ...none, scIds: ['A'] } },
      'part',
      'area',
      /只包括学院“A”（A院）的一部分/,
    ],
    [
      'the students of a college of which one year is covered',
      'student:list',
      [role('年级辅导员', over({ grades: ['2023'] }), '2023级')],
      { ...student('B', 'b1', 'z', '2023'), title: '学院“B”', area: { ...none, scIds: ['B'] } },
      'part',
      'area',
      /一部分/,
    ],
    [
      'the students of a major in the own college',
      'student:list',
      [college],
      { ...student('A', 'a1', 'x', '2023'), title: '专业“a1”', area: { ...none, smIds: ['a1'] } },
      'yes',
      null,
      /包括/,
    ],
    [
      'the students of another college',
      'student:list',
      [counselor],
      { ...student('B', 'b1', 'z', '2023'), title: '学院“B”', area: { ...none, scIds: ['B'] } },
      'no',
      'area',
      /不包括/,
    ],
    ['a course of the own college', 'lesson:publish', [college], lesson('A', ['M', 'm']), 'yes', null, /包括课程/],
    [
      'a course of the own module',
      'lesson:publicity',
      [role('模块负责人', over({ lsIds: ['M'] }), '课程体系 M')],
      lesson('B', ['M', 'm']),
      'yes',
      null,
      /包括课程/,
    ],
    [
      'a course of another module',
      'lesson:publicity',
      [role('模块负责人', over({ lsIds: ['M'] }), '课程体系 M')],
      lesson('B', ['N']),
      'no',
      'area',
      /不包括/,
    ],
    [
      'a course they lead themselves',
      'lesson:edit',
      [guide],
      lesson('B', ['N'], { relations: ['负责人'] }),
      'yes',
      null,
      /李四 是课程“讲座”的负责人/,
    ],
    [
      'a course they lead, without the right',
      'lesson:delete',
      [role('签到负责人', nothing, '本人的记录', { has: false })],
      lesson('B', ['N'], { relations: ['负责人'] }),
      'no',
      'right',
      /都不含/,
    ],
    ['a course of others', 'lesson:edit', [guide], lesson('A', ['N']), 'no', 'area', /“本人的记录”不包括/],
    [
      'an approval that waits for them',
      'approval:publish',
      [guide],
      lesson('B', ['N'], { hasTask: true }),
      'yes',
      null,
      /当前步骤的审批人/,
    ],
    [
      'an approval that waits for others',
      'approval:publish',
      [role('校级审核员', whole, '全校')],
      lesson('B', ['N']),
      'no',
      'task',
      /审批由流程指派/,
    ],
  ])('%s', (_, permit, holdings, subject, verdict, missing, why) => {
    const answer = ask(permit, holdings, subject)
    expect([answer.verdict, answer.missing]).toEqual([verdict, missing])
    expect(answer.reasons.join('')).toMatch(why)
  })

  test('nothing is reached from an account that is off', () => {
    expect(
      ask('student:list', [role('校级管理员', whole, '全校')], undefined, { accountOff: '李四 的账号已停用' }),
    ).toMatchObject({ verdict: 'no', missing: 'account' })
  })
})
