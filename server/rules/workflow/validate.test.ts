import { describe, expect, test } from 'vitest'
import { yesNo } from '../../../contract/core/codes/platform.ts'
import { conflictsOf, gapsOf, type RangedFlow, type RangeWords } from './validate.ts'

const words: RangeWords = {
  roles: [
    { id: 'r1', name: '指导老师' },
    { id: 'r2', name: '团支书' },
  ],
  classes: [
    { lsId: 'A', lsName: '甲', lsPath: ['A'] },
    { lsId: 'B', lsName: '乙', lsPath: ['B'] },
    { lsId: 'A1', lsName: '甲一', lsPath: ['A', 'A1'] },
    { lsId: 'A2', lsName: '甲二', lsPath: ['A', 'A2'] },
  ],
  levels: [
    { id: '5', name: '校级' },
    { id: '6', name: '院级' },
  ],
}
const flow = (
  wfId: string,
  roleIds: string[] = [],
  lsIds: string[] = [],
  levels: string[] = [],
  isDefault: string = yesNo.no,
  needCreditOnly: string = yesNo.no,
): RangedFlow => ({ wfId, wfName: wfId, isDefault, roleIds, lsIds, levels, needCreditOnly })
const linesOf = (flowOne: RangedFlow, other: RangedFlow) =>
  conflictsOf(flowOne, [other], words).map((one) => `${one.role}/${one.class}/${one.level}`)

describe('conflicts', () => {
  test.each([
    ['two open flows', flow('x'), flow('y'), ['全部角色/全部课程体系/全部级别']],
    ['an open one and one with a role', flow('x'), flow('y', ['r1']), []],
    ['an open one and one with a module', flow('x'), flow('y', [], ['A']), []],
    ['an open one and one with a level', flow('x'), flow('y', [], [], ['5']), []],
    ['the same role', flow('x', ['r1', 'r2']), flow('y', ['r2']), ['团支书/全部课程体系/全部级别']],
    ['different roles', flow('x', ['r1']), flow('y', ['r2']), []],
    ['a module and a node below it', flow('x', [], ['A']), flow('y', [], ['A1']), []],
    [
      'a node both name beside its module',
      flow('x', [], ['A', 'A1']),
      flow('y', [], ['A1']),
      ['全部角色/甲一/全部级别'],
    ],
    [
      'a product of two and two',
      flow('x', ['r1', 'r2'], ['A', 'B'], ['5']),
      flow('y', ['r1', 'r2'], ['A', 'B'], ['5', '6']),
      ['指导老师/甲/校级', '指导老师/乙/校级', '团支书/甲/校级', '团支书/乙/校级'],
    ],
    ['same module, other level', flow('x', [], ['A'], ['5']), flow('y', [], ['A'], ['6']), []],
    [
      'two defaults, whatever their ranges',
      flow('x', [], [], [], yesNo.yes),
      flow('y', [], [], [], yesNo.yes),
      ['全部角色/全部课程体系/全部级别'],
    ],
    ['a default and an open one', flow('x', [], [], [], yesNo.yes), flow('y'), []],
    ['the same range, one only with credit', flow('x', ['r1']), flow('y', ['r1'], [], [], yesNo.no, yesNo.yes), []],
    [
      'both only with credit',
      flow('x', ['r1'], [], [], yesNo.no, yesNo.yes),
      flow('y', ['r1'], [], [], yesNo.no, yesNo.yes),
      ['指导老师/全部课程体系/全部级别'],
    ],
    ['itself', flow('x'), flow('x'), []],
  ])('%s', (_, one, other, expected) => {
    expect(linesOf(one, other)).toEqual(expected)
    expect(linesOf(other, one).toSorted()).toEqual(expected.toSorted())
  })

  test('a range value that is gone is told as such', () => {
    expect(linesOf(flow('x', ['gone']), flow('y', ['gone']))).toEqual(['已删除/全部课程体系/全部级别'])
  })
})

describe('gaps', () => {
  const gaps = (...flows: RangedFlow[]) =>
    gapsOf(flows, words).map((one) => `${one.role}/${one.class}/${one.level}${one.noCredit ? '/不授学分' : ''}`)
  test.each([
    ['no flow at all', [], ['全部角色/全部课程体系/全部级别']],
    ['a default behind everything', [flow('d', [], [], [], yesNo.yes)], []],
    ['an open flow', [flow('x')], []],
    ['one level', [flow('x', [], [], ['5'])], ['全部角色/全部课程体系/院级']],
    ['one module', [flow('x', [], ['A'])], ['全部角色/乙/全部级别']],
    ['one node of a module', [flow('x', [], ['A1', 'B'])], ['全部角色/甲二/全部级别']],
    ['one role', [flow('x', ['r1'])], ['团支书/全部课程体系/全部级别']],
    ['both roles in two flows', [flow('x', ['r1']), flow('y', ['r2'])], []],
    ['only with credit', [flow('x', [], [], [], yesNo.no, yesNo.yes)], ['全部角色/全部课程体系/全部级别/不授学分']],
    [
      'only with credit at one level',
      [flow('x', [], [], ['5'], yesNo.no, yesNo.yes), flow('y', [], [], ['6'])],
      ['全部角色/全部课程体系/校级/不授学分'],
    ],
    ['a module at one level, all else open', [flow('x', [], ['A'], ['5']), flow('y', [], ['B'])], ['全部角色/甲/院级']],
  ])('%s', (_, flows, expected) => {
    expect(gaps(...flows)).toEqual(expected)
  })
})
