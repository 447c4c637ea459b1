import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { inLine, places } from './in-line.ts'

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
  const inOne = inLine({ most: 1 })
  const results = await Promise.allSettled([
    inOne(work('a1', 30), 'a'),
    inOne(work('a2', 1), 'a'),
    inOne(work('b1', 1), 'b'),
    inOne(work('a3', 1), 'a'),
  ])
  expect(
    results.map((result) => (result.status === 'fulfilled' ? result.value : (result.reason as Error).message)),
  ).toEqual(['a1', 'a2', 'b1', 'a3'])
  expect(log.filter((line) => line.includes('a'))).toEqual(['+a1', '-a1', '+a2', '-a2', '+a3', '-a3'])
  expect(log.indexOf('-b1')).toBeLessThan(log.indexOf('-a1'))
})

test('never more than the allowed number run at once, also when somebody comes while a place changes hands', async () => {
  let running = 0
  let most = 0
  const inThree = inLine({ most: 3 })
  const work = async () => {
    most = Math.max(most, ++running)
    await sleep(1)
    running--
  }
  const late: Promise<void>[] = []
  // whoever ends brings another who asks at the very moment the place is given on
  await Promise.all(Array.from({ length: 30 }, () => inThree(work).then(() => void late.push(inThree(work)))))
  await Promise.all(late)
  expect({ most, running }).toEqual({ most: 3, running: 0 })
})

test('where nobody may wait any more the next is refused, until a place is given back, which counts once', async () => {
  const take = places({ most: 1, longest: 1, full: () => new Error('full') })
  const first = await take('a')
  const second = take('a')
  await expect(take('a')).rejects.toThrow('full')
  await expect(take('b')).resolves.toBeTypeOf('function')
  first()
  first()
  const leave = await second
  const third = take('a')
  await expect(take('a')).rejects.toThrow('full')
  leave()
  await expect(third).resolves.toBeTypeOf('function')
})
