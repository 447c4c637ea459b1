import { expect, test } from 'vitest'
import { collegeApi } from '../../../contract/school/organisation/colleges.calls.ts'
import { buildApp } from '../../app.ts'
import { Client } from '../../testing/client.ts'
import { atFileEnd } from '../../testing/file-end.ts'
import { newSchool, type TestSchool } from '../../testing/school.ts'
import { telemetry } from '../base/telemetry.ts'
import { createFairQueue, type Turn } from './fair-queue.ts'

/** Turns by a clock of the test's own, with what is running and what has been given in which order. */
function world(options: { atOnce: number; mostWaiting?: number }) {
  let time = 0
  const turnOf = createFairQueue({ ...options, now: () => time })
  const given: string[] = []
  const ends: Record<string, Turn[]> = {}
  const ask = (schoolId: string, times = 1) => {
    for (let at = 0; at < times; at++) {
      const turn = turnOf(schoolId)
      const run = (end: Turn) => {
        given.push(schoolId)
        ;(ends[schoolId] ??= []).push(end)
      }
      if (typeof turn === 'function') run(turn)
      else void turn.then(run)
    }
  }
  const settled = () => new Promise((done) => setTimeout(done, 0))
  const end = async (schoolId: string, times = 1) => {
    for (let at = 0; at < times; at++) {
      ends[schoolId]!.shift()!()
      await settled()
    }
  }
  const count = (schoolId: string) => given.filter((one) => one === schoolId).length
  return { ask, end, count, given, settled, pass: (ms: number) => (time += ms) }
}

test('a school that asks alone runs as much as it asks for, at once', () => {
  const { ask, count } = world({ atOnce: 4 })
  ask('a', 50)
  expect(count('a')).toBe(50)
})

test('without a number there are no turns', () => {
  const { ask, given } = world({ atOnce: 0 })
  ask('a', 20)
  ask('b', 20)
  expect(given).toHaveLength(40)
})

test('what one took while it was alone does not keep another waiting; from then on it has its share', async () => {
  const { ask, end, count } = world({ atOnce: 4 })
  ask('noisy', 20)
  ask('quiet', 2)
  expect(count('quiet')).toBe(2)
  ask('noisy', 10)
  expect(count('noisy')).toBe(20)
  await end('noisy', 18)
  expect(count('noisy')).toBe(20)
  await end('noisy', 1)
  expect(count('noisy')).toBe(21)
  // the quiet one goes at once, each time
  await end('quiet', 2)
  ask('quiet', 2)
  expect(count('quiet')).toBe(4)
})

test('of more schools than places each goes in turn, however much one asks', async () => {
  const { ask, end, given } = world({ atOnce: 2 })
  ask('a')
  ask('b')
  ask('c', 6)
  ask('d', 2)
  ask('e')
  expect(given).toEqual(['a', 'b'])
  await end('a')
  await end('b')
  for (const next of ['c', 'd', 'e', 'c']) await end(next)
  expect(given.slice(2, 5).toSorted()).toEqual(['c', 'd', 'e'])
  expect(given.slice(5, 7).toSorted()).toEqual(['c', 'd'])
})

test('a request that takes long no longer counts, and a school that asks no more takes no share', async () => {
  const { ask, given, count, pass, settled } = world({ atOnce: 4 })
  ask('a')
  ask('b', 4)
  expect(count('b')).toBe(2)
  pass(1500)
  ask('a')
  await new Promise((done) => setTimeout(done, 250))
  // the two long ones of b, and the one of a, are over the time of a turn
  expect(count('b')).toBe(4)
  pass(5000)
  ask('c', 10)
  await settled()
  expect(given.filter((one) => one === 'c')).toHaveLength(10)
})

test('who would wait behind too many of their own school is told when to come again; others are not', () => {
  const { ask, count } = world({ atOnce: 2, mostWaiting: 3 })
  ask('a')
  ask('b', 4)
  expect(() => ask('b')).toThrow(expect.objectContaining({ reason: 'unavailable', status: 503, retryAfter: 2 }))
  ask('c', 3)
  expect(() => ask('c')).toThrow(/unavailable/)
  expect([count('a'), count('b'), count('c')]).toEqual([1, 1, 0])
})

test('through the service: all are answered, those of several schools in turns, those of one at once', async () => {
  const [one, other] = [await newSchool(), await newSchool()]
  const config = { ...one.services.config, requestsAtOnce: 2 }
  const app = await buildApp({ ...one.services, config })
  atFileEnd(() => app.close())
  await app.listen({ port: 0, host: '127.0.0.1' })
  const address = `http://127.0.0.1:${(app.server.address() as { port: number }).port}`
  let waited = 0
  atFileEnd(telemetry.turn.subscribe(({ waiting }) => (waited += Math.max(0, waiting))))
  const asking = ({ admin }: TestSchool) =>
    Array.from({ length: 15 }, () => new Client(address, admin.token).ask(collegeApi.list, {}))
  const statuses = async (asked: Promise<{ status: number }>[]) =>
    new Set((await Promise.all(asked)).map(({ status }) => status))
  expect(await statuses(asking(one))).toEqual(new Set([200]))
  expect(waited).toBe(0)
  expect(await statuses([...asking(one), ...asking(other)])).toEqual(new Set([200]))
  expect(waited).toBeGreaterThan(0)
})
