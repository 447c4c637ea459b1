import { beforeAll, beforeEach, expect, test } from 'vitest'
import { identityApi } from '../../../contract/school/identity/identity.calls.ts'
import { sessionApi } from '../../../contract/school/session/session.calls.ts'
import { Client } from '../../testing/client.ts'
import { dingtalkApp, dingtalkServer, type DingtalkPerson } from '../../testing/dingtalk-server.ts'
import { atFileEnd } from '../../testing/file-end.ts'
import { newSchool, type TestPerson, type TestSchool } from '../../testing/school.ts'
import { signedInAt, wayToProvider } from '../../testing/way-to-provider.ts'

let school: TestSchool
let dingtalk: Awaited<ReturnType<typeof dingtalkServer>>
let teacher: TestPerson
let providerId: string
let member: DingtalkPerson

beforeAll(async () => {
  school = await newSchool()
  const { config } = school.services
  config.outboundPrivate = ['127.0.0.1']
  atFileEnd(() => void (config.outboundPrivate = []))
  dingtalk = await dingtalkServer()
  teacher = await school.person('COUNSELOR')
  member = { unionId: 'union-1', member: { userid: teacher.suiNumber } }
  providerId = await save()
})
beforeEach(() => {
  dingtalk.state.person = member
  dingtalk.state.answers = {}
})

interface Changes {
  clientSecret?: string
  settings?: Record<string, string>
}
const filled = ({ settings, clientSecret = dingtalkApp.secret }: Changes = {}) => ({
  kind: 'dingtalk' as const,
  name: '钉钉',
  audience: ['teacher' as const],
  enabled: true,
  clientSecret,
  settings: {
    address: dingtalk.address,
    pageAddress: dingtalk.address,
    apiAddress: dingtalk.address,
    clientId: dingtalkApp.key,
    corpId: dingtalkApp.corpId,
    ...settings,
  },
})
const save = async (changes?: Changes) => (await school.admin.send(identityApi.save, filled(changes))).providerId

test('a member of the organisation is signed in by their number, with one token of the application', async () => {
  const first = await signedInAt(school, providerId)
  expect(first.login).toContain('scope=openid+corpid')
  const { code, data } = await first.exchange()
  expect(code).toBe(200)
  const client = new Client(school.address, data.access_token)
  expect(await client.send(sessionApi.landLoad, {})).toMatchObject({ id: teacher.suId })
  expect((await signedInAt(school, providerId)).fault).toBeNull()
  expect(dingtalk.state.tokens).toBe(1)
  // 钉钉 wraps the refusal of a token that is good no more
  dingtalk.state.token = 'another'
  expect((await signedInAt(school, providerId)).fault).toBeNull()
  expect(dingtalk.state.tokens).toBe(2)
  const published = await save({ settings: { pageAddress: '', apiAddress: '' } })
  expect((await wayToProvider(school, published)).login).toMatch(/^https:\/\/login\.dingtalk\.com\/oauth2\/auth\?/)
})

test('the number may be the 工号 of the organisation or a field that it has added', async () => {
  let people = 0
  const faultOf = async (attribute: string, fields: object) => {
    people++
    dingtalk.state.person = { unionId: `union-of-${people}`, member: { userid: `manager-${people}`, ...fields } }
    return (await signedInAt(school, await save({ settings: { attribute } }))).fault
  }
  expect(await faultOf('job_number', { job_number: teacher.suiNumber })).toBeNull()
  expect(await faultOf('学号', { extension: JSON.stringify({ 学号: teacher.suiNumber }) })).toBeNull()
  expect(await faultOf('job_number', {})).toBe('identity-no-number')
  expect(await faultOf('学号', { extension: 'no json' })).toBe('identity-no-number')
  expect(await faultOf('job_number', { job_number: 'nobody' })).toBe('identity-unknown')
})

const people: [string, DingtalkPerson | undefined, string][] = [
  ['somebody who declines', undefined, 'identity-refused'],
  ['somebody who chose another organisation', { unionId: 'u-2', corpId: 'ding-other' }, 'identity-wrong-corp'],
  ['somebody who is not in the organisation', { unionId: 'u-3' }, 'identity-outsider'],
  [
    'a contact of the organisation from outside',
    { unionId: 'u-4', member: { userid: 'x', contact_type: 1 } },
    'identity-outsider',
  ],
  ['somebody whom the school does not know', { unionId: 'u-5', member: { userid: 'x' } }, 'identity-unknown'],
]
test.each(people)('%s is refused', async (_, person, fault) => {
  dingtalk.state.person = person
  expect((await signedInAt(school, providerId)).landing).toBe(`/?identityFault=${fault}`)
})

test('codes and states count once, for their provider and browser', async () => {
  const first = await signedInAt(school, providerId)
  expect(await first.go(first.callback)).toBe('/?identityFault=identity-expired')
  const used = new URL(first.callback).searchParams.get('authCode')!
  const again = await wayToProvider(school, providerId)
  const callback = new URL(await again.go(again.login))
  callback.searchParams.set('authCode', used)
  expect(await again.go(callback.href)).toBe('/?identityFault=identity-refused')
  const mixed = await wayToProvider(school, providerId)
  const elsewhere = (await mixed.go(mixed.login)).replace(providerId, await save())
  expect(await mixed.go(elsewhere)).toBe('/?identityFault=identity-expired')
  const both = await Promise.all([first.exchange(), first.exchange()])
  expect(both.map(({ code }) => code).sort()).toEqual([200, 300])
})

const broken: [string, string, { status?: number; body: string }][] = [
  ['a token of another kind', '/v1.0/oauth2/userAccessToken', { body: '[]' }],
  ['no organisation', '/v1.0/oauth2/userAccessToken', { body: '{"accessToken":"a"}' }],
  ['a permission that is missing', '/v1.0/contact/users/me', { status: 403, body: '{"code":"Forbidden"}' }],
  ['a wrapped refusal', '/topapi/user/getbyunionid', { body: '{"errcode":88,"sub_code":"60011"}' }],
  ['a failure', '/gettoken', { status: 500, body: '{}' }],
]
test.each(broken)('%s lets nobody in', async (name, path, answer) => {
  dingtalk.state.answers = { [path]: answer }
  const id = await save()
  const { fault, code } = await signedInAt(school, id)
  expect(code).toBeNull()
  expect(fault).toBe(name === 'no organisation' ? 'identity-wrong-corp' : 'identity-unavailable')
})

const tested: [string, Changes, [string, string] | undefined, boolean[], string][] = [
  ['all is right', {}, undefined, [true, true], '可以查询成员'],
  ['a wrong secret', { clientSecret: 'wrong' }, undefined, [false, false], 'AppKey 或 AppSecret 不正确'],
  [
    'no permission',
    {},
    ['/topapi/user/getbyunionid', '{"errcode":88,"sub_code":"60011","sub_msg":"没有调用该接口的权限"}'],
    [false, true],
    '成员信息读权限',
  ],
  [
    'an address that is not listed',
    {},
    [
      '/topapi/user/getbyunionid',
      '{"errcode":88,"sub_code":"60020","sub_msg":"访问ip不在白名单之中,request ip=203.0.113.7"}',
    ],
    [false, true],
    '服务器出口 IP',
  ],
]
test.each(tested)('the test says how it is: %s', async (_, changes, answer, good, told) => {
  if (answer) dingtalk.state.answers = { [answer[0]]: { body: answer[1] } }
  const { steps } = await school.admin.send(identityApi.test, { providerId: await save(changes) })
  expect(steps.map(({ isGood }) => isGood)).toEqual(good)
  expect(steps.map(({ text }) => text).join()).toContain(told)
})

test('what it needs is asked for when it is saved', async () => {
  const reasonOf = async (settings: Record<string, string>) =>
    (await school.admin.ask(identityApi.save, filled({ settings }))).reason
  expect(await reasonOf({ corpId: '' })).toBe('identity-corp-missing')
  expect(await reasonOf({ apiAddress: 'ftp://api.example' })).toBe('identity-address')
  // the newer interface learns the secret as well
  const { records } = await school.admin.send(identityApi.list, {})
  const { version } = records.find((row) => row.providerId === providerId)!
  const { clientSecret: _, ...moved } = filled({ settings: { apiAddress: 'https://other.example' } })
  expect((await school.admin.ask(identityApi.save, { ...moved, providerId, version })).reason).toBe(
    'identity-secret-missing',
  )
})
