import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { atMost } from './at-most.ts'

/** Whether a wait is over within a tenth of a second. */
const isOver = (wait: Promise<void>) => Promise.race([wait.then(() => true), sleep(100, false)])

test.each<[string, number, () => Promise<unknown>, boolean]>([
  ['work that ends', 60_000, () => sleep(5), true],
  ['work that fails', 60_000, () => sleep(5).then(() => Promise.reject(new Error('gone'))), true],
  ['work that never ends, given up', 5, () => new Promise(() => {}), true],
  ['work that never ends, until then', 60_000, () => new Promise(() => {}), false],
  [
    'work that fails when nobody waits any more',
    5,
    () => sleep(50).then(() => Promise.reject(new Error('late'))),
    true,
  ],
])('%s', async (_, ms, work, expected) => {
  expect(await isOver(atMost(ms, work()))).toBe(expected)
})
