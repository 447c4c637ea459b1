import { expect, test } from 'vitest'
import { chooseFlow, rankFlows, type FlowRange } from './choose-flow.ts'

const flow = (wfId: string, ranges: Partial<FlowRange> = {}): FlowRange => ({
  wfId,
  wfType: '1',
  wfStatus: '1',
  isDefault: '0',
  roleIds: [],
  lsIds: [],
  levels: [],
  needCreditOnly: '0',
  ...ranges,
})
const wanted = { wfType: '1', initiatorRoleIds: ['teacher'], lsPath: ['module', 'node'], level: '5', credit: 100 }

const cases: [string, FlowRange[], string | undefined][] = [
  ['nothing configured', [], undefined],
  ['one open flow', [flow('a')], 'a'],
  ['disabled flows do not count', [flow('a', { wfStatus: '0' })], undefined],
  ['other types do not count', [flow('a', { wfType: '2' })], undefined],
  ['another role does not fit', [flow('a', { roleIds: ['student'] })], undefined],
  ['another level does not fit', [flow('a', { levels: ['1'] })], undefined],
  ['a module covers its nodes', [flow('a', { lsIds: ['module'] })], 'a'],
  ['a node elsewhere does not fit', [flow('a', { lsIds: ['other'] })], undefined],
  ['role beats level', [flow('a', { levels: ['5'] }), flow('b', { roleIds: ['teacher'] })], 'b'],
  ['role beats module', [flow('a', { lsIds: ['node'] }), flow('b', { roleIds: ['teacher'] })], 'b'],
  ['deeper node beats module', [flow('a', { lsIds: ['module'] }), flow('b', { lsIds: ['node'] })], 'b'],
  ['module beats level', [flow('a', { levels: ['5'] }), flow('b', { lsIds: ['module'] })], 'b'],
  ['specific beats default', [flow('a', { isDefault: '1' }), flow('b', { levels: ['5'] })], 'b'],
  ['open flow beats the default that is a fallback', [flow('a', { isDefault: '1' }), flow('b')], 'b'],
  ['a draft does not count', [flow('a', { wfStatus: '2' })], undefined],
  ['level beats credit', [flow('a', { needCreditOnly: '1' }), flow('b', { levels: ['5'] })], 'b'],
  ['credit beats an open flow', [flow('a'), flow('b', { needCreditOnly: '1' })], 'b'],
  ['default when nothing else fits', [flow('a', { isDefault: '1', levels: ['1'] }), flow('b', { levels: ['2'] })], 'a'],
]
test.each(cases)('%s', (_, flows, chosen) => {
  expect(chooseFlow(flows, wanted)?.wfId).toBe(chosen)
  expect(chooseFlow(flows.toReversed(), wanted)?.wfId).toBe(chosen)
})

test('a flow for matters with credit is passed over where none is given, and taken where it is not known', () => {
  const flows = [flow('a', { needCreditOnly: '1' }), flow('d', { isDefault: '1' })]
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
    flow('off', { wfStatus: '0' }),
    flow('type', { wfType: '2' }),
    flow('d', { isDefault: '1' }),
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
  expect(rankFlows([flow('d', { isDefault: '1' })], wanted)[0]!.reason).toBe('default')
})
