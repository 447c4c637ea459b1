import { expect, test } from 'vitest'
import { reaches, requiredHours, shortOf, type Goal } from './goal.ts'

const goal: Goal = {
  modules: [
    { lsId: 'a', lsName: '思想成长', required: true, minHours: 800 },
    { lsId: 'b', lsName: '技能特长', required: false, minHours: 200 },
  ],
  totalHours: 2000,
}

test.each([
  ['everything reached', { a: 800 }, 2000, []],
  ['a module short', { a: 799 }, 2000, [['思想成长', 800, 799]]],
  ['hours in all short', { a: 900 }, 1999, [['总学时', 2000, 1999]]],
  [
    'both short',
    {},
    0,
    [
      ['思想成长', 800, 0],
      ['总学时', 2000, 0],
    ],
  ],
] as const)('%s', (_, hours, total, short) => {
  const of = (lsId: string) => (hours as Record<string, number>)[lsId] ?? 0
  expect(shortOf(goal, of, total).map(({ lsName, required, have }) => [lsName, required, have])).toEqual(short)
  expect(reaches(goal, of, total)).toBe(short.length === 0)
})

test.each([
  [2000, 2000],
  [500, 800],
  [0, 800],
])('of %i hours in all and 800 of a module %i are asked for', (totalHours, hours) =>
  expect(requiredHours({ ...goal, totalHours })).toBe(hours),
)
