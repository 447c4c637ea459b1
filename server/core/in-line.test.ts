import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { inLine } from './in-line.ts'

test('work of one key runs in its order and never at once, other keys do not wait, and a failure holds up nobody', async () => {
  const log: string[] = []
  let running = 0
  const work = (name: string, ms: number) => async () => {
    expect(++running).toBeLessThanOrEqual(2)
    log.push(`+${name}`)
    await sleep(ms)
    log.push(`-${name}`)
    running--
    if (name === 'a2') throw new Error(name)
    return name
  }
  const results = await Promise.allSettled([inLine('a', work('a1', 30)), inLine('a', work('a2', 1)), inLine('b', work('b1', 1)), inLine('a', work('a3', 1))])
  expect(results.map((result) => (result.status === 'fulfilled' ? result.value : (result.reason as Error).message))).toEqual(['a1', 'a2', 'b1', 'a3'])
  expect(log.filter((line) => line.includes('a'))).toEqual(['+a1', '-a1', '+a2', '-a2', '+a3', '-a3'])
  expect(log.indexOf('-b1')).toBeLessThan(log.indexOf('-a1'))
})
