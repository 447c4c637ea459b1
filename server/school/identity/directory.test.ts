import { createServer, type AddressInfo } from 'node:net'
import { beforeAll, expect, test } from 'vitest'
import { identityApi } from '../../../contract/school/identity/identity.calls.ts'
import { sessionApi } from '../../../contract/school/session/session.calls.ts'
import { Client } from '../../testing/client.ts'
import { atFileEnd } from '../../testing/file-end.ts'
import { newSchool, type TestPerson, type TestSchool } from '../../testing/school.ts'
import { directoryBase, directoryPassword, searcher, startDirectory } from '../../testing/slapd.ts'
import { isDirectoryAddress } from './ask-provider.ts'
import { filterValue } from './directory.ts'

let school: TestSchool
let teacher: TestPerson
let directory: Awaited<ReturnType<typeof startDirectory>>

beforeAll(async () => {
  school = await newSchool()
  const { config } = school.services
  config.outboundPrivate = ['127.0.0.1']
  atFileEnd(() => void (config.outboundPrivate = []))
  teacher = await school.person('COUNSELOR')
  directory = await startDirectory([
    { uid: 'zhang.san', employeeNumber: teacher.suiNumber },
    { uid: 'li.si', employeeNumber: 'unknown' },
    { uid: 'two', employeeNumber: ['1', '2'] },
    { uid: 'none' },
    { uid: 'star', employeeNumber: teacher.suiNumber },
  ])
})

async function save({ secret = searcher.secret, enabled = true, ...settings }: Record<string, unknown> = {}) {
  const saved = await school.admin.send(identityApi.save, {
    kind: 'ldap',
    name: '校园账号',
    settings: {
      address: directory.secure,
      baseDn: directoryBase,
      bindDn: searcher.bindDn,
      attribute: 'description',
      ca: directory.ca,
      ...settings,
    } as never,
    ...(secret ? { clientSecret: secret as string } : {}),
    audience: ['teacher'],
    enabled: enabled as boolean,
  })
  return saved.providerId
}

const enter = (providerId: string, username = 'zhang.san', password = directoryPassword) =>
  school.nobody.ask(identityApi.enter, { providerId, username, password })
const reasonOf = async (...given: Parameters<typeof enter>) => (await enter(...given)).reason

test('who the directory knows by name and password comes in by their number, by LDAPS and by StartTLS', async () => {
  for (const address of [directory.secure, directory.plain]) {
    const providerId = await save({ address })
    const buttons = await school.nobody.send(identityApi.buttons, { schoolId: school.schoolId })
    expect(buttons).toContainEqual({ providerId, name: '校园账号', asksHere: true })
    const { data, code } = await enter(providerId)
    expect(code).toBe(200)
    const client = new Client(school.address, data.access_token)
    expect(await client.send(sessionApi.landLoad, {})).toMatchObject({ id: teacher.suId })
    expect(await client.send(sessionApi.logout, {})).toEqual({ affected: 1 })
    await school.admin.send(identityApi.remove, { providerId })
  }
})

test('a wrong password, a name that is part of a filter, nobody and several are refused alike', async () => {
  // tries from this address count together, those that other files made among them
  await school.ctx.db.deleteFrom('loginCounter').execute()
  const providerId = await save()
  const wrong = 'identity-password-wrong'
  expect(await reasonOf(providerId, 'zhang.san', 'wrong')).toBe(wrong)
  for (const name of ['nobody', '*', 'zhang*', 'star)(uid=*', 'zhang.san)(|(uid=*', '\\2a'])
    expect(await reasonOf(providerId, name), name).toBe(wrong)
  const { status, code } = await enter(providerId, 'zhang.san', '')
  expect([status, code]).not.toEqual([200, 200])
  const several = await save({ filter: '(|(uid={username})(uid=star))' })
  expect(await reasonOf(several)).toBe(wrong)
  expect(await reasonOf(providerId, 'li.si')).toBe('identity-unknown')
  expect(await reasonOf(providerId, 'two')).toBe('identity-no-number')
  expect(await reasonOf(providerId, 'none')).toBe('identity-no-number')
  // after five wrong tries the right password is not even looked at
  const guessed = await save()
  for (let time = 0; time < 5; time++) expect(await reasonOf(guessed, 'zhang.san', `guess ${time}`)).toBe(wrong)
  expect(await reasonOf(guessed)).toBe(wrong)
  school.clock.travel(16 * 60)
  expect((await enter(guessed)).code).toBe(200)
})

test('a directory that cannot be asked is told as such, and what is to be done in the test', async () => {
  const silent = createServer()
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
  atFileEnd(() => silent.close())
  const { port } = silent.address() as AddressInfo
  const cases: [Record<string, unknown>, string][] = [
    [{ ca: '' }, '校内自行签发的证书请填写其 CA 证书'],
    [{ address: 'ldaps://127.0.0.1:1' }, '对方拒绝连接'],
    [{ secret: 'another' }, '查询账号或口令不正确'],
    [{ bindDn: '', secret: '' }, '没有该查询起点，或查询账号无权查看'],
    [{ baseDn: 'dc=other' }, '没有该查询起点'],
    [{ filter: '(&{username})' }, '查询没有成功'],
    [{ address: `ldap://127.0.0.1:${port}` }, '10 秒'],
    [{ enabled: false }, '尚未启用'],
  ]
  for (const [changes, told] of cases) {
    const providerId = await save(changes)
    const { steps } = await school.admin.send(identityApi.test, { providerId })
    expect(steps.at(-1), told).toMatchObject({ isGood: false, text: expect.stringContaining(told) as string })
  }
  const providerId = await save()
  expect((await school.admin.send(identityApi.test, { providerId })).steps.map(({ text }) => text)).toEqual([
    '已用 LDAPS 加密连接',
    '对方认可查询账号与口令',
    '查询起点与查询条件可用',
  ])
  school.services.config.outboundPrivate = []
  expect(await reasonOf(providerId)).toBe('identity-unavailable')
  const { steps } = await school.admin.send(identityApi.test, { providerId })
  expect(steps[0]!.text).toContain('OUTBOUND_PRIVATE')
  school.services.config.outboundPrivate = ['127.0.0.1']
  // nobody is led to a directory, and no address of a request is followed
  const start = await fetch(
    `${school.address}/api/schoolbase/identity/start/${providerId}?challenge=${'0'.repeat(64)}`,
    {
      redirect: 'manual',
    },
  )
  expect(start.headers.get('location')).toBe('/?identityFault=identity-off')
  const told = await fetch(`${school.address}/api/schoolbase/identity/callback/${providerId}`, { method: 'POST' })
  expect(told.status).toBe(400)
})

test('what is incomplete is refused, and the password of the searcher goes with its address', async () => {
  const asked = (changes: object, more: object = {}) =>
    school.admin.ask(identityApi.save, {
      kind: 'ldap',
      name: 'x',
      audience: ['teacher'],
      settings: { address: directory.secure, baseDn: directoryBase, bindDn: searcher.bindDn, ...changes },
      ...more,
    })
  expect((await asked({ address: 'https://cas.example.edu.cn' })).reason).toBe('identity-directory-address')
  expect((await asked({ baseDn: '' })).reason).toBe('identity-base-missing')
  expect((await asked({})).reason).toBe('identity-secret-missing')
  expect((await asked({ filter: 'uid=x' })).msg).toContain('查询条件须用括号括起')
  const providerId = await save()
  const { records } = await school.admin.send(identityApi.list, { pageSize: 50 })
  const { version, hasSecret } = records.find((row) => row.providerId === providerId)!
  expect(hasSecret).toBe(true)
  expect(JSON.stringify(records)).not.toContain(searcher.secret)
  expect((await asked({ address: 'ldaps://other.example' }, { providerId, version })).reason).toBe(
    'identity-secret-missing',
  )
})

test.each([
  ['zhang.san', 'zhang.san'],
  ['*', '\\2a'],
  ['a)(uid=*', 'a\\29\\28uid=\\2a'],
  ['\\2a', '\\5c2a'],
  ['张', '\\e5\\bc\\a0'],
  ['a\0', 'a\\00'],
])('%j as a value in a filter: %s', (text, value) => expect(filterValue(text)).toBe(value))

test.each([
  ['ldaps://ad.example.edu.cn', true],
  ['ldap://10.0.0.1:389/', true],
  ['ldap://user:secret@10.0.0.1', false],
  ['ldap://10.0.0.1/dc=example', false],
  ['https://10.0.0.1', false],
])('%s may be the address of a directory: %s', (address, may) => expect(isDirectoryAddress(address)).toBe(may))
