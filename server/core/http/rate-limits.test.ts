import { request } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { collegeApi } from '../../../contract/school/organisation/colleges.calls.ts'
import { fullPath, type Call } from '../../../contract/core/call.ts'
import { studentApi } from '../../../contract/school/people/students.calls.ts'
import { teacherApi } from '../../../contract/school/people/teachers.calls.ts'
import { sessionApi } from '../../../contract/school/session/session.calls.ts'
import { lessonStatApi } from '../../../contract/outcomes/statistics/lesson-statistics.calls.ts'
import { allCalls } from '../../../contract/index.ts'
import { buildApp } from '../../app.ts'
import { testApp } from '../../testing/app.ts'
import { Client, signIn } from '../../testing/client.ts'
import { newSchool, unique, type TestSchool } from '../../testing/school.ts'
import { parseConfig } from '../base/config.ts'
import { forgetActors } from '../request/actor-cache.ts'
import { createRateLimiter } from './rate-limiter.ts'

const password = 'Test-2026!x'
let school: TestSchool
const running: (() => Promise<unknown>)[] = []

beforeAll(async () => {
  school = await newSchool()
})
afterAll(async () => {
  for (const stop of running) await stop()
})

/** The service with these settings, on the database of all tests. */
async function serviceWith(
  settings: Record<string, string>,
): Promise<{ address: string; close: () => Promise<unknown> }> {
  const { services } = await testApp()
  const config = { ...parseConfig({ BUSY_AFTER_MS: '0', ...settings }), dataDir: services.config.dataDir }
  const app = await buildApp({ ...services, config })
  await app.listen({ port: 0, host: '127.0.0.1' })
  running.push(() => app.close())
  return { address: `http://127.0.0.1:${(app.server.address() as { port: number }).port}`, close: () => app.close() }
}

/** `count` calls one after another; how often each status was answered. */
async function statuses(count: number, ask: () => Promise<{ status: number }>): Promise<Record<number, number>> {
  const seen: Record<number, number> = {}
  for (let at = 0; at < count; at++) {
    const { status } = await ask()
    seen[status] = (seen[status] ?? 0) + 1
  }
  return seen
}

const bearing = (address: string, call: Call, token: string, headers: Record<string, string> = {}) =>
  fetch(address + fullPath(call), { method: call.method, headers: { authorization: `Bearer ${token}`, ...headers } })
const noToken = () => `${unique()}${'x'.repeat(30)}`

describe('the address of whoever asks', () => {
  /** Asks for recovery codes, of which an address gets five an hour; gives the status of the last answer. */
  async function sixCodes(address: string, forwarded: (at: number) => string): Promise<number> {
    let last = 0
    for (let at = 0; at < 6; at++) {
      const body = JSON.stringify({ schoolId: school.schoolId, username: `nobody${unique()}` })
      last = (
        await fetch(address + fullPath(sessionApi.retrievePwd), {
          method: 'POST',
          headers: { 'content-type': 'application/json', 'x-forwarded-for': forwarded(at) },
          body,
        })
      ).status
    }
    return last
  }
  const one = `10.9.${Math.floor(Math.random() * 200)}`
  const home = Math.floor(Math.random() * 60_000).toString(16)
  test.each<[string, string, (at: number) => string, number]>([
    ['one proxy, one client', '1', () => `${one}.1`, 429],
    ['one proxy, several clients', '1', (at) => `${one}.${20 + at}`, 200],
    ['one proxy, a client that invents the first entry', '1', (at) => `8.8.8.${at}, ${one}.2`, 429],
    ['two proxies, one client', '2', () => `${one}.3, 10.0.0.1`, 429],
    ['two proxies, several clients', '2', (at) => `${one}.${30 + at}, 10.0.0.1`, 200],
    ['two proxies, a client that invents the first entry', '2', (at) => `8.8.8.${at}, ${one}.4, 10.0.0.1`, 429],
    ['a named proxy, a client that invents the first entry', '127.0.0.1', (at) => `8.8.8.${at}, ${one}.5`, 429],
    ['one proxy that adds ports', '1', (at) => `${one}.6:${4000 + at}`, 429],
    ['one proxy, a household that changes its IPv6 address', '1', (at) => `2001:db8:${home}:1::${at + 1}`, 429],
    ['one proxy, several households with IPv6', '1', (at) => `2001:db8:${home}:${at + 2}::1`, 200],
    ['one proxy, what is no address', '1', (at) => `nobody-${at}`, 429],
  ])('%s', async (_, TRUST_PROXY, forwarded, status) => {
    expect(await sixCodes((await serviceWith({ TRUST_PROXY })).address, forwarded)).toBe(status)
  })
})

describe('an address', () => {
  test('that tries tokens is told to wait, and whoever is signed in behind it is not', async () => {
    const { address } = await serviceWith({ ADDRESS_REQUESTS_PER_MINUTE: '20' })
    const known = new Client(address, school.admin.token)
    await known.send(sessionApi.menuTree, {})
    const seen = await statuses(60, () => bearing(address, sessionApi.menuTree, noToken()))
    expect(seen[401]).toBeLessThan(30)
    expect(seen[429]).toBeGreaterThan(30)
    expect(await statuses(3, () => known.ask(sessionApi.menuTree))).toEqual({ 200: 3 })
    const refused = await bearing(address, sessionApi.menuTree, noToken())
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(((await refused.json()) as { msg: string }).msg).toMatch(/请 \d+ 秒后再试/)
  })
})

test('a lecture hall behind one address is not sent away: tokens that are good do not count for it', async () => {
  const { address } = await serviceWith({ ADDRESS_REQUESTS_PER_MINUTE: '3' })
  const people = []
  for (let at = 0; at < 6; at++) people.push(await school.person('SIGN_MGR'))
  // as if none of them had been seen by this process
  forgetActors(school.schoolId)
  const seen = await Promise.all(people.map(({ client }) => new Client(address, client.token).ask(sessionApi.menuTree)))
  expect(seen.map(({ status }) => status)).toEqual(people.map(() => 200))
  // and whoever guesses behind it still is
  expect((await statuses(6, () => bearing(address, sessionApi.menuTree, noToken())))[429]).toBeGreaterThan(0)
})

describe('somebody who is refused', () => {
  test('is limited like for anything else, and leaves one row and their number', async () => {
    const { address, close } = await serviceWith({ REQUESTS_PER_MINUTE: '50' })
    const person = await school.person('SIGN_MGR')
    const client = new Client(address, person.client.token)
    const seen = await statuses(80, () => client.ask(collegeApi.remove, { ids: [] }))
    expect(seen[403]).toBeGreaterThanOrEqual(50)
    expect(seen[403]).toBeLessThan(60)
    expect(seen[429]).toBeGreaterThan(20)
    const rows = async () =>
      await school.ctx.db
        .selectFrom('auditLog')
        .select(['action', 'after', 'reason'])
        .where('schoolId', '=', school.schoolId)
        .where('actorId', '=', person.suId)
        .where('result', '=', 'refused')
        .orderBy('logId')
        .execute()
    expect(await rows()).toHaveLength(1)
    await close()
    expect(await rows()).toMatchObject([
      { action: collegeApi.remove.summary },
      { action: collegeApi.remove.summary, after: { times: seen[403]! - 1 } },
    ])
  })
  test('for everything they try leaves a bounded number of rows', async () => {
    const { address, close } = await serviceWith({
      REQUESTS_PER_MINUTE: '0',
      STATISTICS_PER_MINUTE: '0',
      EXPORTS_PER_MINUTE: '0',
      SEARCHES_PER_MINUTE: '0',
    })
    const person = await school.person('SIGN_MGR')
    const client = new Client(address, person.client.token)
    for (const { call } of allCalls
      .filter(({ call: each }) => each.takes === 'json' && each.gives !== 'events' && each.permit.includes(':'))
      .slice(0, 90))
      await client.ask(call, {})
    await close()
    const { n } = await school.ctx.db
      .selectFrom('auditLog')
      .select((eb) => eb.fn.countAll<number>().as('n'))
      .where('schoolId', '=', school.schoolId)
      .where('actorId', '=', person.suId)
      .where('result', '=', 'refused')
      .executeTakeFirstOrThrow()
    expect(Number(n)).toBeGreaterThan(10)
    expect(Number(n)).toBeLessThanOrEqual(52)
  })
})

test('a rate limiter remembers a bounded number of keys', () => {
  const checkRate = createRateLimiter(1, 60)
  checkRate('first')
  expect(() => checkRate('first')).toThrow(/too-often/)
  for (let at = 0; at < 60_000; at++) checkRate(`other ${at}`)
  expect(() => checkRate('other 59999')).toThrow(/too-often/)
  expect(() => checkRate('first')).not.toThrow()
})

describe('a person', () => {
  test('has one allowance, however often they sign in', async () => {
    const { address } = await serviceWith({ REQUESTS_PER_MINUTE: '30' })
    const person = await school.person('SIGN_MGR')
    const first = new Client(address, person.client.token)
    const second = await signIn(address, school.schoolId, person.suiNumber, password)
    expect((await statuses(32, () => first.ask(sessionApi.menuTree)))[429]).toBeGreaterThan(0)
    expect(await statuses(1, () => second.ask(sessionApi.menuTree))).toEqual({ 429: 1 })
    const other = new Client(address, school.admin.token)
    expect(await statuses(1, () => other.ask(sessionApi.menuTree))).toEqual({ 200: 1 })
  })
  test.each<[string, string, Call, object]>([
    ['statistics', 'STATISTICS_PER_MINUTE', lessonStatApi.info, {}],
    ['exports', 'EXPORTS_PER_MINUTE', collegeApi.exportList, {}],
    ['searches', 'SEARCHES_PER_MINUTE', teacherApi.search, {}],
  ])('may ask for so many %s a minute, and for other things all the same', async (_, setting, call, input) => {
    const { address } = await serviceWith({ [setting]: '4' })
    const client = new Client(address, school.admin.token)
    const seen = await statuses(6, () => client.ask(call, input))
    expect(seen[429]).toBeGreaterThanOrEqual(1)
    expect(seen[200]).toBeGreaterThanOrEqual(4)
    expect(await statuses(1, () => client.ask(sessionApi.menuTree))).toEqual({ 200: 1 })
  })
  test('without settings has what docs/security.md S8 says', () => {
    expect(parseConfig({})).toMatchObject({ statisticsPerMinute: 120, searchesPerMinute: 60, exportsPerMinute: 10 })
  })
  test('takes out three files at a time; the next waits until one of them has gone', async () => {
    const { address } = await serviceWith({})
    const students = 3000
    const scId = await school.college()
    const smId = await school.major(scId)
    await school.students(students, {
      suiCollegeId: scId,
      majorId: smId,
      scClassId: await school.schoolClass(smId, scId),
    })
    const slow = await Promise.all(
      [1, 2, 3].map(() => unread(address, studentApi.exportList, { reason: '并发导出测试' })),
    )
    expect(slow.map(({ status }) => status)).toEqual([200, 200, 200])
    const client = new Client(address, school.admin.token)
    expect(await client.ask(collegeApi.exportList, {})).toMatchObject({
      status: 429,
      msg: expect.stringMatching(/同时.*3.*稍后|3 .*正在/) as string,
    })
    slow[0]!.end()
    await expect.poll(async () => (await client.ask(collegeApi.exportList, {})).status).toBe(200)
    for (const one of slow) one.end()
  })

  /** Begins to fetch a file and reads none of it. */
  const unread = (address: string, call: Call, input: object) =>
    new Promise<{ status: number; end: () => void }>((resolve, reject) => {
      const asking = request(
        address + fullPath(call),
        {
          method: call.method,
          headers: { authorization: `Bearer ${school.admin.token}`, 'content-type': 'application/json' },
        },
        (response) => {
          response.pause()
          resolve({ status: response.statusCode ?? 0, end: () => asking.destroy() })
        },
      )
      asking.on('error', reject)
      asking.end(JSON.stringify(input))
    })
})
