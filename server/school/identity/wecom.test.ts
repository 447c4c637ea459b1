import { beforeAll, beforeEach, expect, test } from 'vitest'
import { identityApi, type Audience } from '../../../contract/school/identity/identity.calls.ts'
import { sessionApi } from '../../../contract/school/session/session.calls.ts'
import { Client } from '../../testing/client.ts'
import { atFileEnd } from '../../testing/file-end.ts'
import { newSchool, type TestPerson, type TestSchool } from '../../testing/school.ts'
import { signedInAt, wayToProvider } from '../../testing/way-to-provider.ts'
import { wecomApp, wecomServer } from '../../testing/wecom-server.ts'

const inClient = 'Mozilla/5.0 (iPhone) MicroMessenger/7.0.1 wxwork/4.1.22 MicroMessenger/7.0.1'

let school: TestSchool
let wecom: Awaited<ReturnType<typeof wecomServer>>
let teacher: TestPerson
let providerId: string

beforeAll(async () => {
  school = await newSchool()
  const { config } = school.services
  config.outboundPrivate = ['127.0.0.1']
  atFileEnd(() => void (config.outboundPrivate = []))
  wecom = await wecomServer()
  teacher = await school.person('COUNSELOR')
  providerId = await save()
})
beforeEach(() => {
  wecom.state.person = { userid: teacher.suiNumber }
  wecom.state.answer = undefined
})

interface Changes {
  providerId?: string
  audience?: Audience[]
  clientSecret?: string
  settings?: Record<string, string>
}

const filled = ({ settings, ...rest }: Changes = {}) => ({
  kind: 'wecom' as const,
  name: '企业微信',
  audience: ['teacher'] as Audience[],
  enabled: true,
  clientSecret: wecomApp.secret,
  ...rest,
  settings: {
    address: wecom.address,
    pageAddress: wecom.address,
    insideAddress: wecom.address,
    clientId: wecomApp.corpId,
    agentId: wecomApp.agentId,
    ...settings,
  },
})
const save = async (changes?: Changes) => (await school.admin.send(identityApi.save, filled(changes))).providerId

test('a member scans at a desk or is led through in the client, and is signed in by their number', async () => {
  expect(await school.nobody.send(identityApi.buttons, { schoolId: school.schoolId })).toEqual([
    { providerId, name: '企业微信', asksHere: false },
  ])
  wecom.state.pages = []
  const desk = await signedInAt(school, providerId)
  const inside = await signedInAt(school, providerId, { agent: inClient, query: '&page=student' })
  expect(wecom.state.pages).toEqual(['/wwlogin/sso/login', '/connect/oauth2/authorize'])
  expect(inside.login).toMatch(/scope=snsapi_base&.*#wechat_redirect$/)
  expect(inside.landing).toMatch(/^\/m\/login\?identityCode=/)
  for (const way of [desk, inside]) {
    const { code, data } = await way.exchange()
    expect(code).toBe(200)
    const client = new Client(school.address, data.access_token)
    expect(await client.send(sessionApi.landLoad, {})).toMatchObject({ id: teacher.suId })
  }
  // one token of the application served both, and one that is good no more is replaced
  expect(wecom.state.tokens).toBe(1)
  wecom.state.token = 'another'
  expect((await signedInAt(school, providerId)).fault).toBeNull()
  expect(wecom.state.tokens).toBe(2)
})

test('without addresses of its own the published ones are gone to', async () => {
  const published = { pageAddress: '', insideAddress: '' }
  const id = await save({ settings: published })
  expect((await wayToProvider(school, id)).login).toMatch(/^https:\/\/login\.work\.weixin\.qq\.com\/wwlogin\/sso\//)
  expect((await wayToProvider(school, id, { agent: inClient })).login).toMatch(/^https:\/\/open\.weixin\.qq\.com\/con/)
})

test('the number may be a field that the school has added to its members', async () => {
  const id = await save({ settings: { attribute: '工号' } })
  const faultOf = async (fields: Record<string, string>) => {
    wecom.state.person = { userid: 'zhang.san', fields }
    return (await signedInAt(school, id)).fault
  }
  expect(await faultOf({ 工号: teacher.suiNumber })).toBeNull()
  expect(await faultOf({ 工号: '' })).toBe('identity-no-number')
  expect(await faultOf({ 邮箱: teacher.suiNumber })).toBe('identity-no-number')
  expect(await faultOf({ 工号: 'nobody' })).toBe('identity-unknown')
})

const refusals: [string, (way: Awaited<ReturnType<typeof wayToProvider>>) => Promise<string>, string][] = [
  [
    'an outsider, who has an openid alone',
    (way) => ((wecom.state.person = { openid: 'o-1' }), way.go(way.login)),
    'identity-outsider',
  ],
  ['somebody who declines', (way) => ((wecom.state.person = undefined), way.go(way.login)), 'identity-refused'],
  [
    'a code that nobody was given',
    async (way) => changed(await way.go(way.login), 'code', 'made-up'),
    'identity-refused',
  ],
  ['a code given twice', async (way) => `${await way.go(way.login)}&code=second`, 'identity-refused'],
  [
    'a code that was used with another state',
    async (way) => {
      const other = await signedInAt(school, providerId)
      return changed(await way.go(way.login), 'code', new URL(other.callback).searchParams.get('code')!)
    },
    'identity-refused',
  ],
  [
    'a state that nobody began',
    async (way) => changed(await way.go(way.login), 'state', 'a'.repeat(64)),
    'identity-expired',
  ],
  ['no state', async (way) => changed(await way.go(way.login), 'state', ''), 'identity-expired'],
  [
    'the answer of another provider (mix-up)',
    async (way) => (await way.go(way.login)).replace(providerId, await save()),
    'identity-expired',
  ],
]
test.each(refusals)('%s is refused', async (_, callback, fault) => {
  const way = await wayToProvider(school, providerId)
  const back = await callback(way)
  expect(await way.go(back)).toBe(`/?identityFault=${fault}`)
})

const changed = (address: string, name: string, value: string) => {
  const url = new URL(address)
  url.searchParams.set(name, value)
  return url.href
}

test('an answer counts once, for the browser in which it began, and leads nowhere else', async () => {
  const first = await signedInAt(school, providerId)
  expect(await first.go(`${first.callback}&redirect_uri=https://evil.example`)).toBe('/?identityFault=identity-expired')
  const other = await wayToProvider(school, providerId)
  const stolen = await school.nobody.ask(identityApi.exchange, { code: first.code, verifier: other.verifier })
  expect(stolen.reason).toBe('identity-expired')
  const both = await Promise.all([first.exchange(), first.exchange()])
  expect(both.map(({ code }) => code).sort()).toEqual([200, 300])
  expect((await signedInAt(school, await save({ audience: ['student'] }))).fault).toBe('identity-not-for-you')
})

const broken: [string, { status?: number; body: string }][] = [
  ['an address that is not trusted', { body: '{"errcode":60020,"errmsg":"not allow to access from your ip"}' }],
  ['a service that is busy', { body: '{"errcode":-1,"errmsg":"system busy"}' }],
  ['a page instead of an answer', { body: '<html>' }],
  ['a failure', { status: 502, body: '{}' }],
  ['an answer too large', { body: 'x'.repeat(300_000) }],
]
test.each(broken)('%s is told as not available, not as the person’s fault', async (_, answer) => {
  wecom.state.answer = answer
  expect((await signedInAt(school, providerId)).fault).toBe('identity-unavailable')
})

const faulty: [string, Changes, string][] = [
  ['another corporation', { settings: { clientId: 'ww-other' } }, '企业编号（CorpId）不正确'],
  ['a wrong secret', { clientSecret: 'wrong' }, 'Secret 不正确'],
  ['another application', { settings: { agentId: '1000099' } }, '不属于同一个应用'],
  ['an address where nothing is', { settings: { address: 'http://127.0.0.1:1' } }, '对方拒绝连接'],
]
test.each(faulty)('the test says what is wrong: %s', async (_, changes, told) => {
  const { steps } = await school.admin.send(identityApi.test, { providerId: await save(changes) })
  expect(steps).toEqual([{ name: '应用', isGood: false, text: expect.stringContaining(told) as string }])
})

test('the test asks as a sign-in does, and tells which address is to be trusted', async () => {
  const tried = async () => (await school.admin.send(identityApi.test, { providerId })).steps
  expect(await tried()).toMatchObject([
    { isGood: true, text: expect.stringContaining('可信域名是 dekt.example.edu.cn') as string },
    { isGood: true, text: expect.stringContaining('按协议拒绝了测试授权码') as string },
  ])
  wecom.state.answer = {
    body: '{"errcode":60020,"errmsg":"not allow to access from your ip, hint: [1], from ip: 203.0.113.7, more info"}',
  }
  const [told] = await tried()
  expect(told!.text).toContain('企业可信 IP')
  expect(told!.text).toContain('203.0.113.7')
  wecom.state.answer = undefined
  wecom.state.agent = { close: 1, redirect_domain: 'a' }
  expect((await tried())[0]!.text).toContain('应用已停用')
  wecom.state.agent = { close: 0, redirect_domain: '' }
  expect((await tried())[0]!.text).toContain('没有设置可信域名')
  wecom.state.agent = { close: 0, redirect_domain: 'dekt.example.edu.cn' }
})

const incomplete: [Record<string, string>, string][] = [
  [{ agentId: '' }, 'identity-agent-missing'],
  [{ clientId: '' }, 'identity-client-missing'],
  [{ pageAddress: 'https://a:b@evil.example' }, 'identity-address'],
  [{ insideAddress: 'javascript:alert(1)' }, 'identity-address'],
]
test.each(incomplete)('%j is not saved', async (settings, reason) => {
  expect((await school.admin.ask(identityApi.save, filled({ settings }))).reason).toBe(reason)
})

test('the secret is kept sealed, told to nobody, and does not go along to another host', async () => {
  const { records } = await school.admin.send(identityApi.list, {})
  const row = records.find((one) => one.providerId === providerId)!
  expect(row.hasSecret).toBe(true)
  expect(JSON.stringify(records)).not.toContain(wecomApp.secret)
  const { clientSecret: _, ...rest } = filled({ settings: { address: 'https://other.example' } })
  const moved = await school.admin.ask(identityApi.save, { ...rest, providerId, version: row.version })
  expect(moved.reason).toBe('identity-secret-missing')
})
