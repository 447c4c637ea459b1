import { beforeAll, beforeEach, expect, test } from 'vitest'
import { auditApi } from '../../../contract/school/audit/audit.calls.ts'
import { personType } from '../../../contract/core/codes/school.ts'
import { bindingApi } from '../../../contract/school/identity/bindings.calls.ts'
import { identityApi, type ProviderKind } from '../../../contract/school/identity/identity.calls.ts'
import { secondFactorApi } from '../../../contract/school/session/second-factor.calls.ts'
import { sessionApi } from '../../../contract/school/session/session.calls.ts'
import { clientHash } from '../../core/secrets/passwords.ts'
import { casServer } from '../../testing/cas-server.ts'
import { Client } from '../../testing/client.ts'
import { atFileEnd } from '../../testing/file-end.ts'
import { oidcClientId, oidcSecret, oidcServer, providerBrowser } from '../../testing/oidc-server.ts'
import { newSchool, testPassword, type TestPerson, type TestSchool } from '../../testing/school.ts'
import { enrol } from '../../testing/second-factor.ts'
import { directoryBase, directoryPassword, searcher, startDirectory } from '../../testing/slapd.ts'
import { signedInAt, wayToProvider } from '../../testing/way-to-provider.ts'
import { wecomApp, wecomServer } from '../../testing/wecom-server.ts'

let school: TestSchool
let wecom: Awaited<ReturnType<typeof wecomServer>>
let teacher: TestPerson
let providerId: string
const password = clientHash(testPassword)

beforeAll(async () => {
  school = await newSchool()
  const { config } = school.services
  config.outboundPrivate = ['127.0.0.1']
  atFileEnd(() => void (config.outboundPrivate = []))
  wecom = await wecomServer()
  providerId = await saveWecom()
})
beforeEach(async () => {
  teacher = await school.person('COUNSELOR')
  wecom.state.person = { userid: `of-${teacher.suId}` }
})

const save = async (kind: ProviderKind, settings: object, rest: object = {}) =>
  (
    await school.admin.send(identityApi.save, {
      kind,
      name: kind,
      audience: ['teacher', 'student'],
      enabled: true,
      ...rest,
      settings: settings as { address: string },
    })
  ).providerId

const saveWecom = (settings: object = {}, rest: object = {}) =>
  save(
    'wecom',
    {
      address: wecom.address,
      pageAddress: wecom.address,
      clientId: wecomApp.corpId,
      agentId: wecomApp.agentId,
      ...settings,
    },
    { clientSecret: wecomApp.secret, ...rest },
  )

/** Goes to a provider to bind, and tells what is brought back. */
async function brought(id = providerId) {
  const { verifier, callback, landing, go } = await signedInAt(school, id, { query: '&binds=1' })
  const code = new URL(landing, school.address).searchParams.get('bindingCode')
  return { verifier, callback, landing, code, go }
}

const bound = async (client = teacher.client, id = providerId) => {
  const { code, verifier } = await brought(id)
  return client.ask(bindingApi.bind, { code, verifier, password })
}

test('what somebody has bound signs them in, whatever number the provider knows, until it is unbound', async () => {
  expect((await signedInAt(school, providerId)).fault).toBe('identity-unknown')
  const way = await brought()
  expect(way.landing).toMatch(/^\/personalCenter\/account\?bindingCode=[\w-]{43}$/)
  await teacher.client.send(bindingApi.bind, { code: way.code!, verifier: way.verifier, password })
  expect(await teacher.client.send(bindingApi.mine, {})).toMatchObject({
    asksPassword: true,
    providers: [{ providerId, name: 'wecom', kind: 'wecom', asksHere: false }],
    bindings: [{ name: 'wecom', subject: expect.stringMatching(/^\*+.{4}$/) as string, lastTime: null }],
  })

  const { data } = await (await signedInAt(school, providerId)).exchange()
  const client = new Client(school.address, data.access_token)
  expect(await client.send(sessionApi.landLoad, {})).toMatchObject({ id: teacher.suId })
  const [binding] = (await teacher.client.send(bindingApi.mine, {})).bindings
  expect(binding!.lastTime).not.toBeNull()

  // the session that came by it ends, and who was on the way in does not arrive
  const onTheWay = await signedInAt(school, providerId)
  await teacher.client.send(bindingApi.unbind, { identityId: binding!.identityId, password })
  expect((await client.ask(sessionApi.landLoad)).status).toBe(401)
  expect((await onTheWay.exchange()).reason).toBe('identity-expired')
  expect((await signedInAt(school, providerId)).fault).toBe('identity-unknown')
  const { records } = await school.admin.send(auditApi.list, { bizType: 'person', pageSize: 50 })
  expect(records.filter(({ bizName }) => bizName === teacher.suiName).map(({ action }) => action)).toEqual([
    '解除绑定登录方式',
    '绑定登录方式',
  ])
})

test('a bound account goes before the number, and where numbers are not matched it alone counts', async () => {
  const other = await school.person('COUNSELOR')
  wecom.state.person = { userid: other.suiNumber }
  expect((await bound()).code).toBe(200)
  const { data } = await (await signedInAt(school, providerId)).exchange()
  const client = new Client(school.address, data.access_token)
  expect(await client.send(sessionApi.landLoad, {})).toMatchObject({ id: teacher.suId })

  const unmatched = await saveWecom({ matchesNumber: false })
  expect((await signedInAt(school, unmatched)).fault).toBe('identity-unbound')
  expect((await bound(other.client, unmatched)).code).toBe(200)
  expect((await signedInAt(school, unmatched)).fault).toBeNull()
})

test('several accounts may be of one person, ten at most, and none of two', async () => {
  const other = await school.person('COUNSELOR')
  expect((await bound()).code).toBe(200)
  expect((await bound()).reason).toBe('identity-bound')
  expect((await bound(other.client)).reason).toBe('identity-of-another')
  for (let more = 1; more < 10; more++) {
    wecom.state.person = { userid: `more-${more}-${teacher.suId}` }
    expect((await bound()).code).toBe(200)
  }
  wecom.state.person = { userid: `too-many-${teacher.suId}` }
  expect((await bound()).reason).toBe('too-many-identities')
  // two at once for the same account
  const ways = [await brought(), await brought()]
  const both = await Promise.all(
    [other, await school.person('COUNSELOR')].map(({ client }, at) =>
      client.ask(bindingApi.bind, { code: ways[at]!.code, verifier: ways[at]!.verifier, password }),
    ),
  )
  expect(both.map(({ code }) => code).sort()).toEqual([200, 300])
})

type Way = Awaited<ReturnType<typeof brought>>
const hostile: [string, (way: Way) => Promise<{ code: unknown; reason?: string | undefined }>, string][] = [
  [
    'a wrong password',
    ({ code, verifier }) => teacher.client.ask(bindingApi.bind, { code, verifier, password: 'wrong' }),
    'old-password-wrong',
  ],
  [
    'no password',
    ({ code, verifier }) => teacher.client.ask(bindingApi.bind, { code, verifier }),
    'old-password-wrong',
  ],
  [
    'a code brought back by another browser',
    async ({ code }) =>
      teacher.client.ask(bindingApi.bind, {
        code,
        verifier: (await wayToProvider(school, providerId, { query: '&binds=1' })).verifier,
        password,
      }),
    'identity-expired',
  ],
  [
    'a code for signing in',
    async () => {
      wecom.state.person = { userid: teacher.suiNumber }
      const { code, verifier } = await signedInAt(school, providerId)
      return teacher.client.ask(bindingApi.bind, { code, verifier, password })
    },
    'identity-expired',
  ],
  [
    'a code for binding where somebody signs in',
    ({ code, verifier }) => school.nobody.ask(identityApi.exchange, { code, verifier }),
    'identity-expired',
  ],
  [
    'a code that was used',
    async ({ code, verifier }) => {
      await teacher.client.send(bindingApi.bind, { code: code!, verifier, password })
      return teacher.client.ask(bindingApi.bind, { code, verifier, password })
    },
    'identity-expired',
  ],
  [
    'a code that has run out',
    async ({ code, verifier }) => {
      school.clock.travel(301)
      return teacher.client.ask(bindingApi.bind, { code, verifier, password })
    },
    'identity-expired',
  ],
  [
    'somebody of another school',
    async ({ code, verifier }) => (await newSchool()).admin.ask(bindingApi.bind, { code, verifier, password }),
    'identity-expired',
  ],
  [
    'somebody for whom the provider is not',
    async ({ code, verifier }) => school.admin.ask(bindingApi.bind, { code, verifier, password }),
    'identity-not-for-you',
  ],
]
test.each(hostile)('%s binds nothing', async (_, attack, reason) => {
  expect((await attack(await brought())).reason).toBe(reason)
})

test('a fault on the way to a binding leads back to the page on which it began', async () => {
  wecom.state.person = { openid: 'o-1' }
  const query = '&binds=1&page=student'
  expect((await signedInAt(school, providerId, { query })).landing).toBe(
    '/m/me/devices?identityFault=identity-outsider',
  )
  const { go, callback } = await brought()
  expect(await go(callback)).toBe('/personalCenter/account?identityFault=identity-expired')
})

test('whoever has a second factor gives a code of it, and whoever has no password a sign-in of the last minutes', async () => {
  const { code } = await enrol(school, teacher.client)
  school.clock.travel(660)
  expect((await bound()).reason).toBe('fresh-code-needed')
  await teacher.client.send(secondFactorApi.confirm, { code: code() })
  expect((await bound()).code).toBe(200)

  const never = await school.person('COUNSELOR')
  await school.ctx.db
    .updateTable('account')
    .set({ mustChangePwd: true })
    .where('schoolId', '=', school.schoolId)
    .where('suId', '=', never.suId)
    .execute()
  wecom.state.person = { userid: never.suiNumber }
  const { data } = await (await signedInAt(school, providerId)).exchange()
  const client = new Client(school.address, data.access_token)
  expect((await client.send(bindingApi.mine, {})).asksPassword).toBe(false)
  const way = await brought()
  await client.send(bindingApi.bind, { code: way.code!, verifier: way.verifier })
  school.clock.travel(601)
  const { identityId } = (await client.send(bindingApi.mine, {})).bindings[0]!
  expect((await client.ask(bindingApi.unbind, { identityId })).reason).toBe('sign-in-again')
})

test('an administrator sees and removes what somebody has bound, on record; others do not', async () => {
  const student = await school.person('COUNSELOR', [], { suiType: personType.student })
  expect((await bound(student.client)).code).toBe(200)
  const { data } = await (await signedInAt(school, providerId)).exchange()
  const [binding] = await school.admin.send(bindingApi.ofPerson, { suId: student.suId })
  expect(binding).toMatchObject({ name: 'wecom', providerId })
  const { identityId } = binding!
  const removal = { suId: student.suId, identityId, reason: '本人遗失手机' }
  expect((await teacher.client.ask(bindingApi.ofPerson, { suId: student.suId })).code).toBe(403)
  expect((await teacher.client.ask(bindingApi.unbind, { identityId, password })).code).toBe(404)
  const stranger = await newSchool()
  expect((await stranger.admin.ask(bindingApi.removeOf, removal)).code).toBe(404)
  expect((await school.admin.ask(bindingApi.removeOf, { ...removal, suId: teacher.suId })).code).toBe(404)
  await school.admin.send(bindingApi.removeOf, removal)
  expect((await new Client(school.address, data.access_token).ask(sessionApi.landLoad)).status).toBe(401)
  const { records } = await school.admin.send(auditApi.list, { bizType: 'person', pageSize: 50 })
  expect(records.find(({ bizName }) => bizName === student.suiName)).toMatchObject({
    action: '解除绑定登录方式',
    reason: '本人遗失手机',
  })
})

test('a provider that becomes another one knows nobody any more', async () => {
  const id = await saveWecom()
  expect((await bound(teacher.client, id)).code).toBe(200)
  const versionOf = async () =>
    (await school.admin.send(identityApi.list, { pageSize: 100 })).records.find((row) => row.providerId === id)!.version
  await saveWecom({ agentId: '1000002' }, { providerId: id, version: await versionOf(), name: 'renamed' })
  expect((await teacher.client.send(bindingApi.mine, {})).bindings).toHaveLength(1)
  await saveWecom({ clientId: 'ww-other' }, { providerId: id, version: await versionOf() })
  expect((await teacher.client.send(bindingApi.mine, {})).bindings).toEqual([])
})

test('CAS and OpenID Connect bind the same way', async () => {
  const cas = await casServer()
  cas.state.person = { user: 'zhang.san' }
  const casId = await save('cas', { address: cas.address, attribute: 'employeeNumber' })
  expect((await signedInAt(school, casId)).fault).toBe('identity-no-number')
  expect((await bound(teacher.client, casId)).code).toBe(200)
  expect((await signedInAt(school, casId)).fault).toBeNull()

  const oidc = await oidcServer()
  oidc.state.number = 'no-such-number'
  const oidcId = await save(
    'oidc',
    { address: oidc.address, clientId: oidcClientId, attribute: 'employee_number' },
    { clientSecret: oidcSecret },
  )
  await oidc.register(`${school.address}/api/schoolbase/identity/callback/${oidcId}`, 'first')
  const client = (await school.person('COUNSELOR')).client
  const browser = providerBrowser()
  const through = async (query = '') => {
    const { verifier, login, go } = await wayToProvider(school, oidcId, { query })
    return { verifier, query: new URL(await go(await browser.through(login)), school.address).searchParams }
  }
  expect((await through()).query.get('identityFault')).toBe('identity-unknown')
  const way = await through('&binds=1')
  await client.send(bindingApi.bind, { code: way.query.get('bindingCode')!, verifier: way.verifier, password })
  expect((await through()).query.get('identityCode')).not.toBeNull()
})

test('an account of a directory is bound by its own name and password', async () => {
  const directory = await startDirectory([{ uid: 'wang.wu', employeeNumber: 'no-such-number' }])
  const id = await save(
    'ldap',
    {
      address: directory.plain,
      baseDn: directoryBase,
      bindDn: searcher.bindDn,
      ca: directory.ca,
      attribute: 'description',
    },
    { clientSecret: searcher.secret },
  )
  const enter = () =>
    school.nobody.ask(identityApi.enter, { providerId: id, username: 'wang.wu', password: directoryPassword })
  expect((await enter()).reason).toBe('identity-unknown')
  const input = { providerId: id, username: 'wang.wu', directoryPassword, password }
  expect((await teacher.client.ask(bindingApi.bindDirectory, { ...input, directoryPassword: 'wrong' })).reason).toBe(
    'identity-password-wrong',
  )
  expect((await teacher.client.ask(bindingApi.bindDirectory, { ...input, password: 'wrong' })).reason).toBe(
    'old-password-wrong',
  )
  await teacher.client.send(bindingApi.bindDirectory, input)
  expect((await enter()).code).toBe(200)
  const other = await school.person('COUNSELOR')
  expect((await other.client.ask(bindingApi.bindDirectory, input)).reason).toBe('identity-of-another')
})
