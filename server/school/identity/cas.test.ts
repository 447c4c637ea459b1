import { createHash, randomBytes } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { accountStatus } from '../../../contract/core/codes/school.ts'
import type { FailureName } from '../../../contract/core/failure.ts'
import { identityApi, type Audience } from '../../../contract/school/identity/identity.calls.ts'
import { ownSessionApi } from '../../../contract/school/session/own-sessions.calls.ts'
import { sessionApi } from '../../../contract/school/session/session.calls.ts'
import { casLogout, casServer } from '../../testing/cas-server.ts'
import { Client } from '../../testing/client.ts'
import { atFileEnd } from '../../testing/file-end.ts'
import { newSchool, type TestPerson, type TestSchool } from '../../testing/school.ts'
import { readCasAnswer, readLogoutRequest } from './cas.ts'
import { isProviderAddress } from './ask-provider.ts'

let school: TestSchool
let cas: Awaited<ReturnType<typeof casServer>>
let teacher: TestPerson
let providerId: string

beforeAll(async () => {
  school = await newSchool()
  const { config } = school.services
  config.outboundPrivate = ['127.0.0.1']
  atFileEnd(() => void (config.outboundPrivate = []))
  cas = await casServer()
  teacher = await school.person('COUNSELOR')
  providerId = await save({})
})

async function save(changes: { providerId?: string; enabled?: boolean; attribute?: string; audience?: Audience[] }) {
  const { attribute = 'employeeNumber', ...rest } = changes
  const saved = await school.admin.send(identityApi.save, {
    kind: 'cas',
    name: '统一身份认证',
    settings: { address: cas.address, attribute },
    audience: ['teacher'],
    enabled: true,
    ...rest,
  })
  return saved.providerId
}

/** A browser that follows the way to the provider and back, a step at a time. */
async function browser(id = providerId) {
  const verifier = randomBytes(32).toString('hex')
  const challenge = createHash('sha256').update(verifier).digest('hex')
  const go = async (address: string) => {
    const response = await fetch(new URL(address, school.address), { redirect: 'manual' })
    return response.headers.get('location') ?? ''
  }
  const login = await go(`/api/schoolbase/identity/start/${id}?challenge=${challenge}`)
  return { verifier, go, login }
}

async function signIn(number: string, id = providerId) {
  cas.state.person = { user: 'zhang.san', attributes: { employeeNumber: [number], cn: ['张<三>&'] } }
  const { verifier, go, login } = await browser(id)
  const callback = await go(login)
  const landing = await go(callback)
  const query = new URL(landing, school.address).searchParams
  return { verifier, go, callback, landing, code: query.get('identityCode'), fault: query.get('identityFault') }
}

const exchange = (code: string | null, verifier: string) => school.nobody.ask(identityApi.exchange, { code, verifier })

test('whoever CAS vouches for is signed in by their number, on record, and signed out when CAS says so', async () => {
  const shown = await school.nobody.send(identityApi.buttons, { schoolId: school.schoolId })
  expect(shown).toEqual([{ providerId, name: '统一身份认证', asksHere: false }])
  const { verifier, callback, landing, code } = await signIn(teacher.suiNumber)
  expect(landing).toMatch(/^\/\?identityCode=[\w-]{43}$/)
  const reply = await exchange(code, verifier)
  expect(reply.code).toBe(200)
  const client = new Client(school.address, reply.data.access_token)
  expect(await client.send(sessionApi.landLoad, {})).toMatchObject({ id: teacher.suId })
  const session = await school.ctx.db
    .selectFrom('auditLog')
    .select('reason')
    .where('schoolId', '=', school.schoolId)
    .where('actorId', '=', teacher.suId)
    .orderBy('logTime', 'desc')
    .orderBy('logId', 'desc')
    .executeTakeFirst()
  expect(session?.reason).toBe('通过统一身份认证')

  // a ticket that nobody has does nothing, and neither does one of another provider
  const ticket = new URL(callback).searchParams.get('ticket')!
  await casLogout(callback, 'ST-unknown')
  await casLogout(callback.replace(providerId, await save({})), ticket)
  expect((await client.ask(sessionApi.landLoad)).code).toBe(200)
  expect((await casLogout(callback, ticket)).status).toBe(200)
  expect((await client.ask(sessionApi.landLoad)).status).toBe(401)
  expect((await teacher.client.ask(sessionApi.landLoad)).code).toBe(200)
  expect((await teacher.client.send(ownSessionApi.list, {})).length).toBe(1)
})

test('state, code and ticket are good once, for the browser in which they began, and for ten minutes', async () => {
  const first = await signIn(teacher.suiNumber)
  // the same answer again, and the ticket with a state of another sign-in
  expect(await first.go(first.callback)).toBe('/?identityFault=identity-expired')
  const ticket = new URL(first.callback).searchParams.get('ticket')!
  const other = await browser()
  const service = new URL(new URL(other.login).searchParams.get('service')!)
  service.searchParams.set('ticket', ticket)
  expect(await other.go(service.href)).toBe('/?identityFault=identity-refused')
  // somebody else's browser, and a second exchange
  expect((await exchange(first.code, other.verifier)).reason).toBe('identity-expired')
  const both = await Promise.all([exchange(first.code, first.verifier), exchange(first.code, first.verifier)])
  expect(both.map(({ code }) => code).sort()).toEqual([200, 300])
  // a ticket for another service, another provider's callback (mix-up), and a state that has run out
  const late = await browser()
  const mixed = (await late.go(late.login)).replace(providerId, await save({}))
  expect(await late.go(mixed)).toBe('/?identityFault=identity-expired')
  const callback = await late.go(late.login)
  school.clock.travel(601)
  expect(await late.go(callback)).toBe('/?identityFault=identity-expired')
})

test('nobody is created, let in without an account in use, or led elsewhere', async () => {
  const faultOf = async (number: string, id?: string) => (await signIn(number, id)).fault
  expect(await faultOf('no-such-number')).toBe('identity-unknown')
  expect(await faultOf(teacher.suiNumber, await save({ audience: ['student', 'administrator'] }))).toBe(
    'identity-not-for-you',
  )
  expect(await faultOf(teacher.suiNumber, await save({ attribute: 'studentNo' }))).toBe('identity-no-number')
  expect(await faultOf('', await save({ attribute: '' }))).toBe('identity-unknown')
  const elsewhere = await newSchool()
  expect(await faultOf((await elsewhere.person('COUNSELOR')).suiNumber)).toBe('identity-unknown')
  const off = await save({ enabled: false })
  expect((await browser(off)).login).toBe('/?identityFault=identity-off')
  const gone = await school.person('COUNSELOR')
  const held = await signIn(gone.suiNumber)
  await school.ctx.db
    .updateTable('account')
    .set({ suStatus: accountStatus.disabled })
    .where('schoolId', '=', school.schoolId)
    .where('suId', '=', gone.suId)
    .execute()
  expect((await exchange(held.code, held.verifier)).reason).toBe('identity-unknown')
  expect(await faultOf(gone.suiNumber)).toBe('identity-unknown')
  const { go } = await browser()
  expect(await go(`/api/schoolbase/identity/callback/${providerId}?state=x&ticket=y&from=//evil.example`)).toBe(
    '/?identityFault=identity-expired',
  )
})

test('somebody who never had a password works at once, since none was given to them', async () => {
  const never = await school.person('COUNSELOR')
  await school.ctx.db
    .updateTable('account')
    .set({ mustChangePwd: true })
    .where('schoolId', '=', school.schoolId)
    .where('suId', '=', never.suId)
    .execute()
  const { code, verifier } = await signIn(never.suiNumber)
  const client = new Client(school.address, (await exchange(code, verifier)).data.access_token)
  expect((await client.send(sessionApi.landLoad, {})).mustChangePwd).toBe(false)
  expect((await client.ask(ownSessionApi.list)).code).toBe(200)
})

test('a provider that fails is told as such, and the password goes on to work', async () => {
  const broken: [Partial<typeof cas.state>, FailureName][] = [
    [{ status: 302 }, 'identity-unavailable'],
    [{ status: 500 }, 'identity-unavailable'],
    [{ answer: 'x'.repeat(300_000) }, 'identity-unavailable'],
    [{ answer: '<html>' }, 'identity-unavailable'],
  ]
  for (const [state, fault] of broken) {
    Object.assign(cas.state, { answer: undefined, status: 200 }, state)
    expect((await signIn(teacher.suiNumber)).fault).toBe(fault)
  }
  Object.assign(cas.state, { answer: undefined, status: 200 })
  school.services.config.outboundPrivate = ['10.0.0.0/8']
  expect((await signIn(teacher.suiNumber)).fault).toBe('identity-unavailable')
  school.services.config.outboundPrivate = ['127.0.0.1']
  expect((await signIn(teacher.suiNumber)).fault).toBeNull()
})

test('only whoever holds the right sets providers up, with addresses that are addresses', async () => {
  expect((await teacher.client.ask(identityApi.list)).code).toBe(403)
  const settings = { address: 'https://a:b@cas.example/cas', attribute: '' }
  const faulty = { kind: 'cas', name: 'CAS', audience: ['teacher'], settings }
  expect((await school.admin.ask(identityApi.save, faulty)).reason).toBe('identity-address')
  const spare = await save({})
  const { code } = await new Client(school.address, (await newSchool()).admin.token).ask(identityApi.remove, {
    providerId: spare,
  })
  expect(code).toBe(404)
  await school.admin.send(identityApi.remove, { providerId: spare })
  expect((await school.admin.send(identityApi.list, {})).records.map((row) => row.providerId)).not.toContain(spare)
})

test('a test of a provider tells in words whether it is a CAS server, and changes nothing', async () => {
  const tried = () => school.admin.send(identityApi.test, { providerId })
  expect(await tried()).toEqual({
    steps: [
      { name: '连接', isGood: true, text: expect.stringContaining('127.0.0.1') as string },
      { name: '协议', isGood: true, text: expect.stringContaining('INVALID_TICKET') as string },
    ],
  })
  cas.state.answer = '<html></html>'
  expect((await tried()).steps.at(-1)).toMatchObject({ name: '协议', isGood: false })
  cas.state.answer = success('<c:user>anybody</c:user>')
  expect((await tried()).steps.at(-1)!.text).toContain('不存在的票据')
  Object.assign(cas.state, { answer: undefined, status: 500 })
  expect((await tried()).steps).toMatchObject([
    { name: '连接', isGood: false, text: expect.stringContaining('500') as string },
  ])
  cas.state.status = 200
  // what the operator has not opened is not asked at all, and what is open cannot be searched for what listens there
  school.services.config.outboundPrivate = []
  const asked = cas.state.asked
  expect((await tried()).steps).toEqual([
    { name: '连接', isGood: false, text: expect.stringContaining('OUTBOUND_PRIVATE') as string },
  ])
  expect(cas.state.asked).toBe(asked)
  school.services.config.outboundPrivate = ['127.0.0.1']
  const answers = []
  for (let time = 0; time < 30; time++) answers.push(await school.admin.ask(identityApi.test, { providerId }))
  expect(answers.at(-1)).toMatchObject({ status: 429, reason: 'too-often' })
  const stranger = await newSchool()
  expect((await stranger.admin.ask(identityApi.test, { providerId })).status).toBe(404)
})

const success = (inner: string, space = 'http://www.yale.edu/tp/cas') =>
  `<c:serviceResponse xmlns:c="${space}"><c:authenticationSuccess>${inner}</c:authenticationSuccess></c:serviceResponse>`

describe('answers of CAS', () => {
  test.each([
    ['a user', success('<c:user> 2024001 </c:user>'), '2024001'],
    ['CDATA', success('<c:user><![CDATA[2024001]]></c:user>'), '2024001'],
    ['a comment inside', success('<c:user>2024<!-- -->001</c:user>'), '2024001'],
    [
      'a refusal',
      success('').replace(/<c:auth.*Success>/, '<c:authenticationFailure code="INVALID_TICKET"/>'),
      'INVALID_TICKET',
    ],
    [
      'a proxied ticket',
      success('<c:user>a</c:user><c:proxies><c:proxy>b</c:proxy></c:proxies>'),
      'INVALID_TICKET_SPEC',
    ],
    ['another namespace', success('<c:user>a</c:user>', 'urn:other'), undefined],
    ['a user among the attributes', success('<c:attributes><c:user>a</c:user></c:attributes>'), undefined],
    ['two users', success('<c:user>a</c:user><c:user>b</c:user>'), undefined],
    ['an entity of its own', `<!DOCTYPE a [<!ENTITY e "a">]>${success('<c:user>&e;</c:user>')}`, undefined],
    ['half of it', success('<c:user>a</c:user>').slice(0, -30), undefined],
    ['nothing', '', undefined],
  ])('%s', (_, xml, told) => {
    if (told === undefined) return expect(() => readCasAnswer(xml)).toThrow()
    const answer = readCasAnswer(xml)
    expect('code' in answer ? answer.code : answer.user).toBe(told)
  })

  test('a logout request that is none ends nothing', () => {
    expect(readLogoutRequest('<a>ST-1</a>')).toBeUndefined()
    expect(readLogoutRequest('<')).toBeUndefined()
  })

  test.each([
    ['https://cas.example.edu.cn/cas', true],
    ['http://10.0.0.1:8080/cas', true],
    ['ftp://cas.example.edu.cn', false],
    ['https://cas.example.edu.cn/cas?a=1', false],
    ['cas.example.edu.cn', false],
  ])('%s may be an address: %s', (address, may) => expect(isProviderAddress(address)).toBe(may))
})
