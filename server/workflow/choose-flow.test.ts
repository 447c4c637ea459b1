import { expect, test } from 'vitest'
import { chooseFlow, type FlowRange } from './choose-flow.ts'

const flow = (wfId: string, ranges: Partial<FlowRange> = {}): FlowRange => ({ wfId, wfType: '1', wfStatus: '1', isDefault: '0', roleIds: [], lsIds: [], levels: [], ...ranges })
const wanted = { wfType: '1', initiatorRoleIds: ['teacher'], lsPath: ['module', 'node'], level: '5' }

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
  ['default when nothing else fits', [flow('a', { isDefault: '1', levels: ['1'] }), flow('b', { levels: ['2'] })], 'a'],
]
test.each(cases)('%s', (_, flows, chosen) => {
  expect(chooseFlow(flows, wanted)?.wfId).toBe(chosen)
  expect(chooseFlow(flows.toReversed(), wanted)?.wfId).toBe(chosen)
})
