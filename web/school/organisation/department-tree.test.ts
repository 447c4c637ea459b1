import { expect, test } from 'vitest'
import { departmentType } from '../../../contract/core/codes/school.ts'
import type { DepartmentNode } from '../../../contract/school/organisation/organisation.schema.ts'
import { moved } from '../../core/parts/sortable.tsx'
import { flat, found, spotAt, spotOf } from './department-tree.ts'

const node = (sdId: string, sdPid: string | null, children: DepartmentNode[] = []): DepartmentNode => ({
  sdId,
  sdPid,
  sdName: `名${sdId}`,
  sdCode: sdId,
  sdType: departmentType.administration,
  version: 0,
  userCount: 0,
  children,
})
const tree = [node('a', null, [node('a1', 'a'), node('a2', 'a')]), node('b', null), node('c', null)]
const at = (sdId: string) => flat(tree).find((one) => one.sdId === sdId)!

test.each([
  ['into another as its last', 'b', 'a', 'on', { sdPid: 'a', at: 2 }],
  ['into the one it is in already, to its end', 'a1', 'a', 'on', { sdPid: 'a', at: 1 }],
  ['before the first', 'c', 'a', 'before', { sdPid: undefined, at: 0 }],
  ['after one that stood behind it', 'a', 'b', 'after', { sdPid: undefined, at: 1 }],
  ['after one that stood before it', 'c', 'a', 'after', { sdPid: undefined, at: 1 }],
  ['out to the top', 'a1', 'b', 'before', { sdPid: undefined, at: 1 }],
  ['among the children of another', 'c', 'a2', 'before', { sdPid: 'a', at: 1 }],
] as const)('a department moves %s', (_, moved, target, side, spot) =>
  expect(spotAt(tree, moved, at(target), side)).toEqual(spot),
)

test('where a department stands is told, and found by name or code', () => {
  expect([spotOf(tree, at('a2')), spotOf(tree, at('c'))]).toEqual([
    { sdPid: 'a', at: 1 },
    { sdPid: undefined, at: 2 },
  ])
  expect(found(tree, 'a2').map(({ sdId, children }) => [sdId, children.map((one) => one.sdId)])).toEqual([
    ['a', ['a2']],
  ])
})

test('a row is taken from one place to another', () => {
  expect([moved(['a', 'b', 'c'], 0, 2), moved(['a', 'b', 'c'], 2, 0), moved(['a', 'b'], 1, 1)]).toEqual([
    ['b', 'c', 'a'],
    ['c', 'a', 'b'],
    ['a', 'b'],
  ])
})
