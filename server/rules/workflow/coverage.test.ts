import fc from 'fast-check'
import { expect, test } from 'vitest'
import { yesNo } from '../../../contract/core/codes/platform.ts'
import { flowStatus, flowType } from '../../../contract/core/codes/rules.ts'
import { chooseFlow } from './choose-flow.ts'
import { coverageOf } from './coverage.ts'
import { conflictsOf, gapsOf, type RangedFlow, type RangeWords } from './validate.ts'

const words: RangeWords = {
  roles: [
    { id: 'r1', name: '指导老师' },
    { id: 'r2', name: '团支书' },
  ],
  classes: [
    { lsId: 'A', lsName: '甲', lsPath: ['A'] },
    { lsId: 'A1', lsName: '甲一', lsPath: ['A', 'A1'] },
    { lsId: 'B', lsName: '乙', lsPath: ['B'] },
  ],
  levels: [
    { id: '5', name: '校级' },
    { id: '6', name: '院级' },
  ],
}
const flow = (wfId: string, more: Partial<RangedFlow> = {}): RangedFlow => ({
  wfId,
  wfName: wfId,
  isDefault: yesNo.no,
  roleIds: [],
  lsIds: [],
  levels: [],
  needCreditOnly: yesNo.no,
  ...more,
})
/** A line a node: `A: flow x, hole`. */
const linesOf = (...flows: RangedFlow[]) =>
  coverageOf(flows, words).map(
    ({ lsId, cells }) => `${lsId}: ${cells.map(({ kind, wfIds }) => [kind, ...wfIds].join(' ')).join(', ')}`,
  )

test.each<[string, RangedFlow[], string[]]>([
  ['nothing', [], ['A: hole, hole', 'A1: hole, hole', 'B: hole, hole']],
  [
    'a default',
    [flow('d', { isDefault: yesNo.yes })],
    ['A: default d, default d', 'A1: default d, default d', 'B: default d, default d'],
  ],
  [
    'a module at one level',
    [flow('x', { lsIds: ['A'], levels: ['5'] })],
    ['A: flow x, hole', 'A1: flow x, hole', 'B: hole, hole'],
  ],
  [
    'a node below is more specific',
    [flow('x', { lsIds: ['A'] }), flow('y', { lsIds: ['A1'] })],
    ['A: flow x, flow x', 'A1: flow y, flow y', 'B: hole, hole'],
  ],
  [
    'one role of two',
    [flow('x', { roleIds: ['r1'], levels: ['5'] })],
    ['A: partial x, hole', 'A1: partial x, hole', 'B: partial x, hole'],
  ],
  [
    'one role of two, a default behind',
    [flow('x', { roleIds: ['r1'] }), flow('d', { isDefault: yesNo.yes })],
    ['A: flow x d, flow x d', 'A1: flow x d, flow x d', 'B: flow x d, flow x d'],
  ],
  [
    'two of the same weight',
    [flow('x', { levels: ['5'] }), flow('y', { levels: ['5', '6'] })],
    ['A: overlap x y, flow y', 'A1: overlap x y, flow y', 'B: overlap x y, flow y'],
  ],
  [
    'two defaults',
    [flow('d', { isDefault: yesNo.yes }), flow('e', { isDefault: yesNo.yes })],
    ['A: overlap d e, overlap d e', 'A1: overlap d e, overlap d e', 'B: overlap d e, overlap d e'],
  ],
  [
    'only with credit',
    [flow('x', { needCreditOnly: yesNo.yes })],
    ['A: partial x, partial x', 'A1: partial x, partial x', 'B: partial x, partial x'],
  ],
])('%s', (_, flows, expected) => expect(linesOf(...flows)).toEqual(expected))

const anyFlow = fc.record({
  isDefault: fc.constantFrom(yesNo.no, yesNo.no, yesNo.no, yesNo.yes),
  roleIds: fc.subarray(['r1', 'r2']),
  lsIds: fc.subarray(['A', 'A1', 'B']),
  levels: fc.subarray(['5', '6']),
  needCreditOnly: fc.constantFrom(yesNo.no, yesNo.no, yesNo.yes),
})

test('the map says what the choice does, overlaps are conflicts, and holes are gaps', () => {
  fc.assert(
    fc.property(fc.array(anyFlow, { maxLength: 5 }), (shapes) => {
      const flows = shapes.map((shape, at) =>
        flow(`f${at}`, shape.isDefault === yesNo.yes ? { isDefault: yesNo.yes } : shape),
      )
      for (const role of words.roles) {
        for (const { lsId, cells } of coverageOf(flows, { ...words, roles: [role] })) {
          const { lsPath } = words.classes.find((one) => one.lsId === lsId)!
          for (const { level, kind, wfIds } of cells) {
            const chosen = chooseFlow(
              flows.map((one) => ({ ...one, wfType: flowType.lesson, wfStatus: flowStatus.enabled })),
              { wfType: flowType.lesson, initiatorRoleIds: [role.id], lsPath, level },
            )
            expect(chosen === undefined).toBe(kind === 'hole')
            if (chosen) expect(wfIds).toContain(chosen.wfId)
            if (kind === 'overlap')
              expect(
                conflictsOf(
                  flows.find(({ wfId }) => wfId === wfIds[0])!,
                  flows.filter(({ wfId }) => wfId === wfIds[1]),
                  words,
                ),
              ).not.toEqual([])
          }
        }
      }
      // where two collide, what is not covered without credit is not told as well
      const kinds = words.roles
        .flatMap((role) => coverageOf(flows, { ...words, roles: [role] }))
        .filter(({ lsId }) => lsId !== 'A')
        .flatMap(({ cells }) => cells.map(({ kind }) => kind))
      if (!kinds.includes('overlap'))
        expect(gapsOf(flows, words).length > 0).toBe(kinds.includes('hole') || kinds.includes('partial'))
    }),
    { numRuns: 300 },
  )
})
