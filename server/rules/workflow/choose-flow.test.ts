import { expect, test } from 'vitest'
import { yesNo } from '../../../contract/core/codes/platform.ts'
import { flowStatus, flowType } from '../../../contract/core/codes/rules.ts'
import { chooseFlow, rankFlows, type FlowRange } from './choose-flow.ts'

const flow = (wfId: string, ranges: Partial<FlowRange> = {}): FlowRange => ({
  wfId,
  wfType: flowType.lesson,
  wfStatus: flowStatus.enabled,
  isDefault: yesNo.no,
  roleIds: [],
  lsIds: [],
  levels: [],
  needCreditOnly: yesNo.no,
  ...ranges,
})
const wanted = {
  wfType: flowType.lesson,
  initiatorRoleIds: ['teacher'],
  lsPath: ['module', 'node'],
  level: '5',
  credit: 100,
}

const cases: [string, FlowRange[], string | undefined][] = [
  ['nothing configured', [], undefined],
  ['one open flow', [flow('a')], 'a'],
  ['disabled flows do not count', [flow('a', { wfStatus: flowStatus.disabled })], undefined],
  ['other types do not count', [flow('a', { wfType: flowType.supplement })], undefined],
  ['another role does not fit', [flow('a', { roleIds: ['student'] })], undefined],
  ['another level does not fit', [flow('a', { levels: ['1'] })], undefined],
  ['a module covers its nodes', [flow('a', { lsIds: ['module'] })], 'a'],
  ['a node elsewhere does not fit', [flow('a', { lsIds: ['other'] })], undefined],
  ['role beats level', [flow('a', { levels: ['5'] }), flow('b', { roleIds: ['teacher'] })], 'b'],
  ['role beats module', [flow('a', { lsIds: ['node'] }), flow('b', { roleIds: ['teacher'] })], 'b'],
  ['deeper node beats module', [flow('a', { lsIds: ['module'] }), flow('b', { lsIds: ['node'] })], 'b'],
  ['module beats level', [flow('a', { levels: ['5'] }), flow('b', { lsIds: ['module'] })], 'b'],
  ['specific beats default', [flow('a', { isDefault: yesNo.yes }), flow('b', { levels: ['5'] })], 'b'],
  ['open flow beats the default that is a fallback', [flow('a', { isDefault: yesNo.yes }), flow('b')], 'b'],
  ['a draft does not count', [flow('a', { wfStatus: flowStatus.draft })], undefined],
  ['level beats credit', [flow('a', { needCreditOnly: yesNo.yes }), flow('b', { levels: ['5'] })], 'b'],
  ['credit beats an open flow', [flow('a'), flow('b', { needCreditOnly: yesNo.yes })], 'b'],
  [
    'default when nothing else fits',
    [flow('a', { isDefault: yesNo.yes, levels: ['1'] }), flow('b', { levels: ['2'] })],
    'a',
  ],
]
test.each(cases)('%s', (_, flows, chosen) => {
  expect(chooseFlow(flows, wanted)?.wfId).toBe(chosen)
  expect(chooseFlow(flows.toReversed(), wanted)?.wfId).toBe(chosen)
})

test('a flow for matters with credit is passed over where none is given, and taken where it is not known', () => {
  const flows = [flow('a', { needCreditOnly: yesNo.yes }), flow('d', { isDefault: yesNo.yes })]
  expect(chooseFlow(flows, { ...wanted, credit: 0 })?.wfId).toBe('d')
  expect(chooseFlow(flows, { ...wanted, credit: undefined })?.wfId).toBe('a')
})

test('every flow is told with its reason', () => {
  const flows = [
    flow('chosen', { lsIds: ['node'] }),
    flow('less', { levels: ['5'] }),
    flow('same', { lsIds: ['node'] }),
    flow('role', { roleIds: ['student'] }),
    flow('class', { lsIds: ['other'] }),
    flow('level', { levels: ['1'] }),
    flow('off', { wfStatus: flowStatus.disabled }),
    flow('type', { wfType: flowType.supplement }),
    flow('d', { isDefault: yesNo.yes }),
  ]
  expect(rankFlows(flows, wanted).map(({ flow: { wfId }, reason }) => `${wfId}: ${reason}`)).toEqual([
    'chosen: chosen',
    'less: less-specific',
    'same: same',
    'role: role',
    'class: class',
    'level: level',
    'off: disabled',
    'type: type',
    'd: less-specific',
  ])
  expect(rankFlows([flow('d', { isDefault: yesNo.yes })], wanted)[0]!.reason).toBe('default')
})
