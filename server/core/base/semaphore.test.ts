import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { withSemaphore, createSemaphore } from './semaphore.ts'

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
  const oneAtATime = withSemaphore({ maxConcurrent: 1 })
  const results = await Promise.allSettled([
    oneAtATime(work('a1', 30), 'a'),
    oneAtATime(work('a2', 1), 'a'),
    oneAtATime(work('b1', 1), 'b'),
    oneAtATime(work('a3', 1), 'a'),
  ])
  expect(
    results.map((result) => (result.status === 'fulfilled' ? result.value : (result.reason as Error).message)),
  ).toEqual(['a1', 'a2', 'b1', 'a3'])
  expect(log.filter((line) => line.includes('a'))).toEqual(['+a1', '-a1', '+a2', '-a2', '+a3', '-a3'])
  expect(log.indexOf('-b1')).toBeLessThan(log.indexOf('-a1'))
})

test('never more than the allowed number run at once, also when somebody comes while a place changes hands', async () => {
  let running = 0
  let highest = 0
  const threeAtATime = withSemaphore({ maxConcurrent: 3 })
  const work = async () => {
    highest = Math.max(highest, ++running)
    await sleep(1)
    running--
  }
  const late: Promise<void>[] = []
  // whoever ends brings another who asks at the very moment the place is given on
  await Promise.all(Array.from({ length: 30 }, () => threeAtATime(work).then(() => void late.push(threeAtATime(work)))))
  await Promise.all(late)
  expect({ highest, running }).toEqual({ highest: 3, running: 0 })
})

test('where nobody may wait any more the next is refused, until a place is given back, which counts once', async () => {
  const acquire = createSemaphore({ maxConcurrent: 1, maxQueued: 1, onFull: () => new Error('full') })
  const first = await acquire('a')
  const second = acquire('a')
  await expect(acquire('a')).rejects.toThrow('full')
  await expect(acquire('b')).resolves.toBeTypeOf('function')
  first()
  first()
  const leave = await second
  const third = acquire('a')
  await expect(acquire('a')).rejects.toThrow('full')
  leave()
  await expect(third).resolves.toBeTypeOf('function')
})
