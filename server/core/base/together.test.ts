import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { together } from './together.ts'

const after = async <R>(ms: number, result: R): Promise<R> => {
  await sleep(ms)
  if (result instanceof Error) throw result
  return result
}

test('gives the results in the order of the tasks', async () => {
  expect(await together(after(5, 'a'), 2, after(0, undefined))).toEqual(['a', 2, undefined])
})

test('tells the first failure of that order, not of time, when all have ended', async () => {
  let ended = false
  const tasks = together(
    after(0, 'fine'),
    after(10, new Error('first in order')),
    after(0, new Error('first in time')),
    after(20, 'last').then(() => (ended = true)),
  )
  await expect(tasks).rejects.toThrow('first in order')
  expect(ended).toBe(true)
})
