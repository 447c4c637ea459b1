import { expect, test } from 'vitest'
import { z } from 'zod'
import { allCalls } from '../index.ts'

/** The names of all fields that a schema takes, at any depth: within lists, alternatives and shared parts as well. */
function fieldNames(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return []
  return Object.entries(schema).flatMap(([key, part]) => [
    ...(key === 'properties' ? Object.keys(part as object) : []),
    ...fieldNames(part),
  ])
}

const isOwn = ({ call }: (typeof allCalls)[number]) => call.permit === 'student:self'
const isStudentsAddress = ({ call }: (typeof allCalls)[number]) => call.path.startsWith('/student/')
const label = ({ call }: (typeof allCalls)[number]) => `${call.method} ${call.path}`

test('what students call for themselves has an address and a right of its own, shared with no call of staff', () => {
  expect(allCalls.filter(isOwn).map(label)).toEqual(allCalls.filter(isStudentsAddress).map(label))
})

/**
 * Where a student may tell a whole number of somebody: to find a row of a public list, which answers masked, and to say
 * whose result a question is about. Each is said here, so that no other one comes in unseen.
 */
const numbersTaken = [
  'GET /student/noticedPeople: suiNumber',
  'GET /student/noticedSupplements: suiNumber',
  'POST /student/ask: targetNumber',
]

test('no call of a student takes the id of somebody at any depth, and their number only where this page says so', () => {
  const taken = allCalls.filter(isOwn).flatMap((one) =>
    fieldNames(z.toJSONSchema(one.call.input, { io: 'input', unrepresentable: 'any' }))
      .filter((name) => /sui?Ids?$|suLoginName|number|person|reporter|schoolId/i.test(name))
      .map((name) => `${label(one)}: ${name}`),
  )
  expect(taken.toSorted()).toEqual(numbersTaken)
})
