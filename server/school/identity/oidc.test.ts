import { createHash, randomBytes } from 'node:crypto'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { FailureName } from '../../../contract/core/failure.ts'
import { auditApi } from '../../../contract/school/audit/audit.calls.ts'
import { callbackPath, identityApi } from '../../../contract/school/identity/identity.calls.ts'
import { ownSessionApi } from '../../../contract/school/session/own-sessions.calls.ts'
import { sessionApi } from '../../../contract/school/session/session.calls.ts'
import { Client } from '../../testing/client.ts'
import { atFileEnd } from '../../testing/file-end.ts'
import { hostileOidc, type Wrong } from '../../testing/hostile-oidc.ts'
import { oidcClientId, oidcSecret, oidcServer, providerBrowser } from '../../testing/oidc-server.ts'
import { newSchool, type TestPerson, type TestSchool } from '../../testing/school.ts'

let school: TestSchool
let teacher: TestPerson
let real: Awaited<ReturnType<typeof oidcServer>>
let hostile: Awaited<ReturnType<typeof hostileOidc>>
/** Ids of the two providers. */
let realId: string
let hostileId: string

beforeAll(async () => {
  school = await newSchool()
  const { config } = school.services
  config.outboundPrivate = ['127.0.0.1']
  atFileEnd(() => void (config.outboundPrivate = []))
  teacher = await school.person('COUNSELOR')
  real = await oidcServer()
  hostile = await hostileOidc()
  realId = await save({ settings: { address: real.address, attribute: 'employee_number' } })
  hostileId = await save({ settings: { address: hostile.address, attribute: 'no' } })
  await real.register(callbackOf(realId), 'of monday')
})
beforeEach(() => {
  Object.assign(hostile.state, { wrong: {}, number: teacher.suiNumber })
  real.state.number = teacher.suiNumber
})

const callbackOf = (id: string) => `${school.address}${callbackPath}${id}`

async function save({ settings = {}, ...changes }: Record<string, unknown> & { settings?: object }) {
  const saved = await school.admin.send(identityApi.save, {
    kind: 'oidc',
    name: '校园账号',
    settings: { clientId: oidcClientId, signsOutThere: true, ...settings } as never,
    clientSecret: oidcSecret,
    audience: ['teacher'],
    enabled: true,
    ...changes,
  })
  return saved.providerId
}

/** A window of the console, or of the students' page, that goes to a provider and comes back. */
async function windowAt(id: string, page = '') {
  const verifier = randomBytes(32).toString('hex')
  const challenge = createHash('sha256').update(verifier).digest('hex')
  const go = async (address: string) => {
    const response = await fetch(new URL(address, school.address), { redirect: 'manual' })
    return response.headers.get('location') ?? ''
  }
  const login = await go(`/api/schoolbase/identity/start/${id}?challenge=${challenge}${page}`)
  const enter = async (landing: string) => {
    const code = new URL(landing, school.address).searchParams.get('identityCode')
    const reply = await school.nobody.ask(identityApi.exchange, { code, verifier })
    if (reply.code !== 200) throw new Error(`${landing} ${reply.reason}`)
    return new Client(school.address, reply.data.access_token)
  }
  return { go, login, enter }
}

/** What a sign-in at the hostile provider comes to: the name of a fault, or nothing. */
async function faultWith(wrong: Wrong, query?: Record<string, string>): Promise<string | null> {
  const { go, login } = await windowAt(hostileId)
  hostile.state.wrong = wrong
  const landing = await go(hostile.answered(login, query))
  return new URL(landing, school.address).searchParams.get('identityFault')
}

async function enterAtHostile(claims: object = {}) {
  const { go, login, enter } = await windowAt(hostileId)
  hostile.state.wrong = { claims: { ...claims } }
  const client = await enter(await go(hostile.answered(login)))
  hostile.state.wrong = {}
  return client
}

const isIn = async (client: Client) => (await client.ask(sessionApi.landLoad)).code === 200

describe('oidc-provider', () => {
  test('people come in by the number in a claim, keys may change, and its sign-out ends their session', async () => {
    const browser = providerBrowser()
    const { go, login, enter } = await windowAt(realId)
    const asked = new URL(login).searchParams
    expect([asked.get('code_challenge_method'), asked.get('scope')]).toEqual(['S256', 'openid profile'])
    const callback = await browser.through(login)
    const landing = await go(callback)
    expect(landing).toMatch(/^\/\?identityCode=[\w-]{43}$/)
    const client = await enter(landing)
    expect(await client.send(sessionApi.landLoad, {})).toMatchObject({ id: teacher.suId })
    expect(await go(callback)).toBe('/?identityFault=identity-expired')

    // the students' page is the one they come back to, known state or not
    const phone = await windowAt(realId, '&page=student')
    const back = await browser.through(phone.login)
    expect(await phone.go(back)).toMatch(/^\/m\/login\?identityCode=/)
    expect(await phone.go(back)).toBe('/m/login?identityFault=identity-expired')

    // from the console to the provider's page of signing out; its notice ends what it vouched for
    const second = await windowAt(realId)
    const other = await second.enter(await second.go(await browser.through(second.login)))
    expect(await other.send(sessionApi.logout, {})).toEqual({ affected: 1, leave: realId })
    const leaving = await go(`/api/schoolbase/identity/leave/${realId}`)
    expect(new URL(leaving).searchParams.get('post_logout_redirect_uri')).toBe(`${school.address}/`)
    const { text } = await browser.ask(leaving)
    const [, xsrf] = /name="xsrf" value="([^"]+)"/.exec(text)!
    const left = await browser.ask(`${real.address}/session/end/confirm`, { xsrf: xsrf!, logout: 'yes' })
    expect(left.location).toBe(`${school.address}/`)
    await expect.poll(() => isIn(client), { timeout: 5000 }).toBe(false)
    expect(await isIn(teacher.client)).toBe(true)

    await real.register(callbackOf(realId), 'of tuesday')
    const again = await windowAt(realId)
    expect(await isIn(await again.enter(await again.go(await providerBrowser().through(again.login))))).toBe(true)
  })

  test('the test tells step by step what is right and what is wrong', async () => {
    const tried = async (changes: Parameters<typeof save>[0]) => {
      const providerId = await save(changes)
      const { steps } = await school.admin.send(identityApi.test, { providerId })
      await school.admin.send(identityApi.remove, { providerId })
      return steps
    }
    const at = (address: string, more: object = {}) => ({ settings: { address, ...more } })
    expect(await tried(at(real.address))).toMatchObject([
      { name: '连接', isGood: true },
      { name: '协议', isGood: true },
      { name: '公钥', isGood: true, text: '有 1 个签名公钥' },
      { name: '客户端', isGood: true, text: expect.stringContaining('认可客户端编号与密钥') as string },
      { name: '退出', isGood: true, text: '支持后台退出通知，支持从本系统发起退出' },
    ])
    const lastOf = async (changes: Parameters<typeof save>[0]) => (await tried(changes)).at(-1)!.text
    expect(await lastOf({ ...at(real.address), clientSecret: 'another' })).toContain('不认可客户端编号或密钥')
    expect(await lastOf({ ...at(real.address), enabled: false })).toContain('尚未启用')
    expect(await lastOf(at(`${real.address}/elsewhere`))).toContain('没有 /.well-known/openid-configuration')
    expect(await lastOf(at('http://127.0.0.1:1'))).toBe('对方拒绝连接，请确认服务已启动、端口正确')
    const documents: [Record<string, unknown>, string][] = [
      [{ issuer: 'https://evil.example' }, '对方自称 https://evil.example'],
      [{ jwks_uri: undefined }, '配置不完整'],
      [{ id_token_signing_alg_values_supported: ['HS256'] }, '只提供 HS256 签名'],
      [{ code_challenge_methods_supported: ['plain'] }, 'PKCE'],
      [{ response_types_supported: ['id_token'] }, '不支持授权码方式'],
      [{ jwks_uri: `${hostile.address}/userinfo` }, '公钥地址的应答'],
    ]
    for (const [document, told] of documents) {
      hostile.state.wrong = { document }
      const steps = await tried(at(hostile.address))
      expect(steps.find(({ isGood }) => !isGood)?.text, told).toContain(told)
    }
    school.services.config.outboundPrivate = []
    expect(await lastOf(at(real.address))).toContain('OUTBOUND_PRIVATE')
    school.services.config.outboundPrivate = ['127.0.0.1']
  })
})

describe('a provider that answers wrongly', () => {
  const past = (seconds: number) => Math.floor(Date.now() / 1000) - seconds
  const refused: FailureName = 'identity-refused'
  const unavailable: FailureName = 'identity-unavailable'
  test.each<[string, () => Wrong, string | null]>([
    ['nothing wrong', () => ({}), null],
    ['not signed', () => ({ header: { alg: 'none' } }), refused],
    ['signed by another key of the same name', () => ({ isForged: true }), refused],
    ['signed by the secret of the client', () => ({ header: { alg: 'HS256' } }), refused],
    ['a key that is not published', () => ({ header: { kid: 'unknown' } }), refused],
    ['the nonce of another sign-in', () => ({ claims: { nonce: 'another' } }), refused],
    ['no nonce', () => ({ without: ['nonce'] }), refused],
    ['another issuer', () => ({ claims: { iss: 'https://evil.example' } }), refused],
    ['for another client', () => ({ claims: { aud: 'another' } }), refused],
    ['for several, and given to another', () => ({ claims: { aud: [oidcClientId, 'b'], azp: 'b' } }), refused],
    ['run out, but by less than clocks differ', () => ({ claims: { iat: past(90), exp: past(30) } }), null],
    ['run out', () => ({ claims: { iat: past(300), exp: past(120) } }), refused],
    ['good in a moment', () => ({ claims: { nbf: past(-30) } }), null],
    ['good later', () => ({ claims: { nbf: past(-120) } }), refused],
    ['nobody', () => ({ without: ['sub'] }), refused],
    ['no number', () => ({ without: ['no'], userInfo: { no: undefined } }), 'identity-no-number'],
    ['a number that it tells when asked', () => ({ without: ['no'] }), null],
    ['told of somebody else', () => ({ without: ['no'], userInfo: { sub: 'another' } }), refused],
    ['several numbers', () => ({ claims: { no: ['1', '2'] } }), 'identity-no-number'],
    ['a number that nobody has', () => ({ claims: { no: 'unknown' } }), 'identity-unknown'],
    ['no token', () => ({ body: '{"access_token":"a","token_type":"Bearer"}' }), refused],
    ['no JSON', () => ({ body: '<html>' }), unavailable],
    ['an error', () => ({ status: 500, body: '{}' }), unavailable],
    ['leads elsewhere', () => ({ status: 302, body: '{}' }), unavailable],
    ['too much', () => ({ body: 'x'.repeat(300_000) }), unavailable],
  ])('%s', async (_, wrong, fault) => expect(await faultWith(wrong())).toBe(fault))

  test.each<[string, Record<string, string>, string]>([
    ['an answer that names another issuer', { iss: 'https://evil.example' }, refused],
    ['an answer that names none, although it says it would', { iss: '' }, refused],
    ['somebody who did not agree', { error: 'access_denied' }, refused],
    ['a code of nobody', { code: 'bad' }, refused],
    ['a state of nobody', { state: 'x' }, 'identity-expired'],
  ])('%s', async (_, query, fault) => expect(await faultWith({}, query)).toBe(fault))

  test('an answer is good for the provider it was begun with, and leads nowhere else', async () => {
    const { go, login } = await windowAt(hostileId)
    const back = hostile.answered(login, { from: '//evil.example', page: 'https://evil.example' })
    expect(await go(back.replace(hostileId, realId))).toBe('/?identityFault=identity-expired')
    expect(await go(back)).toMatch(/^\/\?identityCode=[\w-]+$/)
    expect(await go(`/api/schoolbase/identity/leave/${hostileId}?page=//evil.example`)).toBe('/')
  })

  test('keys that have changed are asked for', async () => {
    await hostile.rotate('second')
    expect(await faultWith({})).toBeNull()
  })
})

describe('notices of sign-outs', () => {
  test('end the session or all of the person, once each', async () => {
    const [first, second] = [await enterAtHostile({ sid: 'a' }), await enterAtHostile({ sid: 'b' })]
    const other = await school.person('COUNSELOR')
    hostile.state.number = other.suiNumber
    const neighbour = await enterAtHostile({ sid: 'c', sub: 'li.si' })
    const all = async () => Promise.all([first, second, neighbour, teacher.client].map((client) => isIn(client)))
    expect(await hostile.notify(callbackOf(hostileId), { sid: 'a', jti: 'one' })).toBe(200)
    expect(await all()).toEqual([false, true, true, true])
    const third = await enterAtHostile({ sid: 'a', no: teacher.suiNumber })
    expect(await hostile.notify(callbackOf(hostileId), { sid: 'a', jti: 'one' })).toBe(400)
    expect(await isIn(third)).toBe(true)
    expect(await hostile.notify(callbackOf(hostileId), { sid: undefined, sub: 'zhang.san' })).toBe(200)
    expect([await isIn(third), ...(await all())]).toEqual([false, false, false, true, true])
    // and what was not exchanged yet
    const { go, login, enter } = await windowAt(hostileId)
    const landing = await go(hostile.answered(login))
    expect(await hostile.notify(callbackOf(hostileId), { sid: 's1' })).toBe(200)
    await expect(enter(landing)).rejects.toThrow('identity-expired')
  })

  test.each<[string, Wrong]>([
    ['not signed', { header: { alg: 'none' } }],
    ['signed by another', { isForged: true }],
    ['signed by the secret of the client', { header: { alg: 'HS256' } }],
    ['without the event', { claims: { events: {} } }],
    ['with a nonce, as tokens of sign-ins have', { claims: { nonce: 'x' } }],
    ['without a name', { without: ['jti'] }],
    ['of nobody', { without: ['sub', 'sid'] }],
    ['for another client', { claims: { aud: 'another' } }],
    ['of another issuer', { claims: { iss: 'https://evil.example' } }],
    ['of ten minutes ago', { claims: { iat: Math.floor(Date.now() / 1000) - 600 } }],
    ['of another kind', { header: { typ: 'at+jwt' } }],
  ])('%s: nothing ends', async (_, wrong) => {
    const client = await enterAtHostile()
    hostile.state.wrong = wrong
    expect(await hostile.notify(callbackOf(hostileId), {})).toBe(400)
    hostile.state.wrong = {}
    expect(await isIn(client)).toBe(true)
    await client.send(sessionApi.logout, {})
  })

  test('a token of a sign-in, and one for another provider, are none', async () => {
    const client = await enterAtHostile()
    expect(await hostile.notify(callbackOf(hostileId), {}, await hostile.token({ nonce: 'n' }))).toBe(400)
    expect(await hostile.notify(callbackOf(realId), { sid: 's1' })).toBe(400)
    expect(await isIn(client)).toBe(true)
  })
})

test('the secret is never told, and goes with its address', async () => {
  const settings = { clientId: oidcClientId, attribute: 'no', address: hostile.address }
  const input = { kind: 'oidc', name: '校园账号', audience: ['teacher'], enabled: true, settings } as const
  const ask = (changes: object) => school.admin.ask(identityApi.save, { ...input, ...changes })
  expect((await ask({})).reason).toBe('identity-secret-missing')
  expect((await ask({ settings: { ...settings, clientId: '' } })).reason).toBe('identity-client-missing')
  const listed = await school.admin.send(identityApi.list, {})
  const { version } = listed.records.find(({ providerId }) => providerId === hostileId)!
  const edited = { providerId: hostileId, version }
  expect((await ask({ ...edited, settings: { ...settings, address: real.address } })).reason).toBe(
    'identity-secret-missing',
  )
  expect((await ask(edited)).code).toBe(200)
  expect(await faultWith({})).toBeNull()
  const trail = await school.admin.send(auditApi.list, { bizType: 'settings', pageSize: 50 })
  const kept = await school.ctx.db.selectFrom('identityProvider').selectAll().execute()
  expect(listed.records.every(({ hasSecret }) => hasSecret)).toBe(true)
  expect(JSON.stringify([listed, trail, kept])).not.toContain('a secret of the client')
  expect((await teacher.client.send(ownSessionApi.list, {})).length).toBeGreaterThan(0)
})
