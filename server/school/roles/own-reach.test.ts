import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Area, Scope } from '../../../contract/core/scope.ts'
import { scopeIncludes } from '../../core/request/scope-check.ts'
import { within, type Parents } from './own-reach.ts'

// college A has majors a1, a2; college B has b1. Classes of a1: a1x (2023), a1y (2024); of b1: b1x (2023)
const parents: Parents = {
  majors: new Map([
    ['a1', { scId: 'A' }],
    ['a2', { scId: 'A' }],
    ['b1', { scId: 'B' }],
  ]),
  classes: new Map([
    ['a1x', { scId: 'A', smId: 'a1', grade: '2023' }],
    ['a1y', { scId: 'A', smId: 'a1', grade: '2024' }],
    ['b1x', { scId: 'B', smId: 'b1', grade: '2023' }],
  ]),
  nodes: new Map([
    ['M', ['M']],
    ['m', ['M', 'm']],
    ['N', ['N']],
  ]),
}
const empty: Area = { scIds: [], smIds: [], scClassIds: [], sdIds: [], grades: [], lsIds: [] }
const scope = (...areas: Partial<Area>[]): Scope => ({
  whole: false,
  areas: areas.map((area) => ({ ...empty, ...area })),
})
const whole: Scope = { whole: true, areas: [] }

describe('what one may give away', () => {
  test.each<[string, Scope, Scope, boolean]>([
    ['anything of the whole school', whole, scope({ scIds: ['A'] }), true],
    ['the whole school, of the whole school', whole, whole, true],
    ['the whole school, of a college', scope({ scIds: ['A'] }), whole, false],
    ['nothing, of nothing', scope(), scope(), true],
    ['a college, of nothing', scope(), scope({ scIds: ['A'] }), false],
    ['a college, of itself', scope({ scIds: ['A'] }), scope({ scIds: ['A'] }), true],
    ['another college', scope({ scIds: ['A'] }), scope({ scIds: ['B'] }), false],
    ['a major of the college', scope({ scIds: ['A'] }), scope({ smIds: ['a1'] }), true],
    ['a class of the college', scope({ scIds: ['A'] }), scope({ scClassIds: ['a1x', 'a1y'] }), true],
    [
      'a class of another college among own ones',
      scope({ scIds: ['A'] }),
      scope({ scClassIds: ['a1x', 'b1x'] }),
      false,
    ],
    ['the college, of a major of it', scope({ smIds: ['a1', 'a2'] }), scope({ scIds: ['A'] }), false],
    ['a year of the college', scope({ scIds: ['A'] }), scope({ scIds: ['A'], grades: ['2023'] }), true],
    ['the college, of a year of it', scope({ scIds: ['A'], grades: ['2023'] }), scope({ scIds: ['A'] }), false],
    [
      'another year',
      scope({ scIds: ['A'], grades: ['2023'] }),
      scope({ scIds: ['A'], grades: ['2023', '2024'] }),
      false,
    ],
    ['a class of the own year', scope({ scIds: ['A'], grades: ['2023'] }), scope({ scClassIds: ['a1x'] }), true],
    ['a class of another year', scope({ scIds: ['A'], grades: ['2023'] }), scope({ scClassIds: ['a1y'] }), false],
    ['a year of the whole school, of a college', scope({ scIds: ['A'] }), scope({ grades: ['2023'] }), false],
    ['a college in the own year', scope({ grades: ['2023'] }), scope({ scIds: ['B'], grades: ['2023'] }), true],
    ['a node below the own module', scope({ lsIds: ['M'] }), scope({ lsIds: ['m'] }), true],
    ['another module', scope({ lsIds: ['M'] }), scope({ lsIds: ['m', 'N'] }), false],
    [
      'a college without the own narrowing to a module',
      scope({ scIds: ['A'], lsIds: ['M'] }),
      scope({ scIds: ['A'] }),
      false,
    ],
    ['a department, of a college', scope({ scIds: ['A'] }), scope({ sdIds: ['D'] }), false],
    [
      'a part of two own areas that neither holds alone',
      scope({ scIds: ['A'] }, { scIds: ['B'] }),
      scope({ scIds: ['A', 'B'] }),
      false,
    ],
    ['a class that is not known', scope({ scIds: ['A'] }), scope({ scClassIds: ['zz'] }), false],
  ])('%s', (_, own, given, may) => {
    expect(within(own, given, parents)).toBe(may)
  })

  test('never covers a place that the giver’s own area does not', () => {
    const some = (values: string[]) => fc.subarray(values)
    const area = fc.record({
      scIds: some(['A', 'B']),
      smIds: some(['a1', 'a2', 'b1']),
      scClassIds: some(['a1x', 'a1y', 'b1x']),
      sdIds: some([]),
      grades: some(['2023', '2024']),
      lsIds: some([]),
    })
    const scopes = fc.record({ whole: fc.constant(false), areas: fc.array(area, { maxLength: 2 }) })
    const places = [...parents.classes].map(([id, { scId, smId, grade }]) => ({
      college: scId,
      major: smId,
      class: id,
      grade,
    }))
    fc.assert(
      fc.property(scopes, scopes, (own, given) => {
        if (within(own, given, parents))
          for (const place of places) expect(!scopeIncludes(given, place) || scopeIncludes(own, place)).toBe(true)
      }),
      { numRuns: 2000 },
    )
  })
})
