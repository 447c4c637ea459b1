import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, test, vi } from 'vitest'
import { fullPath } from '../contract/core/call.ts'
import { jobStatus } from '../contract/core/codes/platform.ts'
import { collegeApi } from '../contract/school/organisation/colleges.calls.ts'
import { rowsOf } from './testing/backup.ts'
import { badNetwork, type BadNetwork } from './testing/bad-network.ts'
import { signIn, type Client } from './testing/client.ts'
import { ownDatabase } from './testing/database.ts'
import { addressOf, programs, type Program } from './testing/program.ts'

/**
 * The program as operators run it, with its own patience, before a database that is reached over a bad network: people
 * who are signed in are answered again within half a minute, jobs are done, and what was acknowledged is there once.
 */

vi.setConfig({ testTimeout: 120_000 })
/** Milliseconds after which everything works again, whatever the network does. */
const patientMs = 30_000
/** Seconds for which a program that is to stop still answers. */
const drainSeconds = 1

const { launch } = programs({
  SCHOOL_ID: 'net',
  SCHOOL_NAME: '网络学校',
  ADMIN_PASSWORD: 'Bad-Network-1',
  DRAIN_SECONDS: String(drainSeconds),
})
/** Writes that are sent together. */
const atOnce = 12
let network: BadNetwork
let running: Program
let admin: Client
const { owner, close } = await ownDatabase('empty')
/** Names of what was written and acknowledged, and of what nobody knows whether it took effect (decision 113). */
const acknowledged: string[] = []
const unsure: string[] = []
afterAll(() => close())

test('the program starts over the network', async () => {
  network = await badNetwork(owner)
  const { port, database, user } = network.connection
  running = launch({ DATABASE_URL: `postgres://${user}@127.0.0.1:${port}/${database}` })
  admin = await signIn(await addressOf(running), 'net', 'admin', 'Bad-Network-1')
})

/** Asks as a browser does: with the same key until it is told what became of it, or that this is not known. */
async function write(name: string, until: number): Promise<void> {
  const request = {
    method: 'POST',
    headers: {
      authorization: `Bearer ${admin.token}`,
      'content-type': 'application/json',
      'idempotency-key': randomUUID(),
    },
    body: JSON.stringify({ scName: name, scCode: name }),
  }
  for (let isBroken = false; performance.now() < until; await sleep(200)) {
    const answer = await fetch(admin.address + fullPath(collegeApi.save), request)
    const { code, reason } = (await answer.json()) as { code: number; reason?: string }
    if (code === 200) return void acknowledged.push(name)
    if (isBroken && (reason === 'request-running' || reason === 'request-unsure')) return void unsure.push(name)
    expect(answer.headers.has('retry-after'), `${name}: ${answer.status} ${reason}`).toBe(true)
    isBroken ||= answer.status === 503
  }
  expect.unreachable(`${name} was not taken in time`)
}

/** Sends some writes at once, and waits until all of them are taken. */
const writeSome = (what: string, until: number) =>
  Promise.all(Array.from({ length: atOnce }, (_, at) => write(`${what}${at}`, until)))

const makeDue = `
  update job
  set "runAt" = now() - interval '1 second'
  where "jobKind" = 'runtime:watch' and "jobStatus" = '${jobStatus.waiting}'
  returning "jobId"`
const stillDue = `
  select
  from job
  where "jobId" = $1 and "jobStatus" = '${jobStatus.waiting}' and "runAt" <= now()`
let jobId = ''

test.each([
  ['falls silent', 'S', () => network.fallSilent()],
  ['breaks off', 'R', () => network.reset()],
  ['is half closed', 'H', () => network.halfClose()],
  ['takes 20 ms more either way', 'D', () => network.delay(20)],
  ['is quick again', 'Q', () => network.delay(0)],
])('where the network %s, all is taken within half a minute, and jobs are done', async (_, what, happens) => {
  const early = writeSome(`${what}A`, performance.now() + 2 * patientMs)
  await sleep(20)
  happens()
  const since = performance.now()
  await Promise.all([early, writeSome(`${what}B`, since + patientMs)])
  const before = acknowledged.length
  await writeSome(`${what}C`, since + patientMs)
  expect(acknowledged.length - before).toBe(atOnce)
  // one that runs at this moment is made due a little later
  const dueJob = async () => (await rowsOf<{ jobId: string }>(owner, makeDue))[0]?.jobId
  await expect.poll(async () => (jobId = (await dueJob()) ?? ''), { timeout: patientMs }).not.toBe('')
  const isDone = async () => (await rowsOf(owner, stillDue, [jobId])).length === 0
  await expect.poll(isDone, { timeout: patientMs, interval: 200 }).toBe(true)
})

test('where new connections get no answer, people are told to come later, and are answered once they do', async () => {
  network.swallow(true)
  network.reset()
  const answer = await fetch(admin.address + fullPath(collegeApi.list), {
    method: 'POST',
    headers: { authorization: `Bearer ${admin.token}`, 'content-type': 'application/json' },
    body: '{}',
    signal: AbortSignal.timeout(patientMs),
  })
  expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '5'])
  expect((await fetch(`${admin.address}/readyz`)).status).toBe(503)
  network.swallow(false)
  await writeSome('N', performance.now() + patientMs)
})

test('what was acknowledged is there, once', async () => {
  const kept = await rowsOf<{ scName: string }>(owner, `select "scName" from college where "schoolId" = 'net'`)
  const names = kept.map(({ scName }) => scName)
  expect(names).toHaveLength(new Set(names).size)
  expect(acknowledged.filter((name) => !names.includes(name))).toEqual([])
  expect(names.filter((name) => !acknowledged.includes(name) && !unsure.includes(name))).toEqual([])
  // only what was under way at such a moment is not known of
  expect(acknowledged.length).toBeGreaterThan(100)
})

test('in silence the program stops within ten seconds after it has finished what it could', async () => {
  network.swallow(true)
  network.fallSilent()
  const began = performance.now()
  running.child.kill('SIGTERM')
  await running.ended
  expect((performance.now() - began) / 1000).toBeLessThan(10 + drainSeconds)
})
