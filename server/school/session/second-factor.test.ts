import { beforeEach, describe, expect, test } from 'vitest'
import { roleApi } from '../../../contract/school/roles/roles.calls.ts'
import { memberApi } from '../../../contract/school/roles/members.calls.ts'
import { auditApi } from '../../../contract/school/audit/audit.calls.ts'
import { messageApi } from '../../../contract/school/messages/messages.calls.ts'
import { passwordApi } from '../../../contract/school/people/passwords.calls.ts'
import { schoolApi } from '../../../contract/school/school/school.calls.ts'
import { accountAccessApi } from '../../../contract/school/session/account-access.calls.ts'
import { ownSessionApi } from '../../../contract/school/session/own-sessions.calls.ts'
import { secondFactorApi } from '../../../contract/school/session/second-factor.calls.ts'
import { sessionApi } from '../../../contract/school/session/session.calls.ts'
import { addDays } from '../../core/base/clock.ts'
import { unseal } from '../../core/secrets/field-crypto.ts'
import { jobHandlers } from '../../setup/job-handlers.ts'
import { Client } from '../../testing/client.ts'
import { useOwnDatabase } from '../../testing/database.ts'
import { newSchool, testPassword, type TestPerson, type TestSchool } from '../../testing/school.ts'
import { enrol } from '../../testing/second-factor.ts'

await useOwnDatabase()

let school: TestSchool
// the clock goes on by more than a session lives
beforeEach(async () => void (school = await newSchool()))

const someone = () => school.person('GUIDE_TEACHER')
const password = testPassword
const token = ({ suiNumber }: Pick<TestPerson, 'suiNumber'>, more: object = {}) =>
  school.nobody.ask(sessionApi.token, {
    grant_type: 'password',
    schoolId: school.schoolId,
    username: suiNumber,
    password,
    ...more,
  })
const as = (access: string) => new Client(school.address, access)

describe('setting it up', () => {
  test('asks for the password, is confirmed by a code, tells ten recovery codes, and ends other sessions', async () => {
    const person = await someone()
    const elsewhere = as((await token(person)).data.access_token)
    const { client } = person
    expect(await client.send(secondFactorApi.state, {})).toEqual({
      since: null,
      isDemanded: false,
      codesLeft: 0,
      devices: [],
    })
    expect((await client.ask(secondFactorApi.begin, { password: 'Wrong-2026!' })).reason).toBe('old-password-wrong')
    expect((await client.ask(secondFactorApi.enable, { code: '000000' })).reason).toBe('enrolment-over')
    const { picture } = await client.send(secondFactorApi.begin, { password })
    expect(picture).toMatch(/^data:image\/png;base64,/)
    expect((await client.ask(secondFactorApi.enable, { code: 'AAAAAA' })).reason).toBe('totp-wrong')
    expect((await client.send(secondFactorApi.state, {})).since, 'nothing counts before a code').toBeNull()
    const { recoveryCodes } = await enrol(school, client)
    expect(new Set(recoveryCodes).size).toBe(10)
    expect(await client.send(secondFactorApi.state, {})).toMatchObject({ codesLeft: 10, since: expect.any(String) })
    expect((await elsewhere.ask(sessionApi.landLoad)).status).toBe(401)
    expect((await client.ask(sessionApi.landLoad)).code).toBe(200)
  })

  test('a secret not confirmed in time counts no more', async () => {
    const { client } = await someone()
    await client.send(secondFactorApi.begin, { password })
    school.clock.travel(16 * 60)
    expect((await client.ask(secondFactorApi.enable, { code: '123456' })).reason).toBe('enrolment-over')
  })

  test('secret and recovery codes cannot be read from the database', async () => {
    const person = await someone()
    const { secret, recoveryCodes } = await enrol(school, person.client)
    const account = await school.ctx.db
      .selectFrom('account')
      .select(['totpSecret', 'totpPending'])
      .where('suId', '=', person.suId)
      .executeTakeFirstOrThrow()
    expect(account.totpSecret!.toString('latin1')).not.toContain(secret)
    expect(unseal(account.totpSecret, school.ctx.secrets)).toBe(secret)
    expect(account.totpPending).toBeNull()
    const codes = await school.ctx.db.selectFrom('recoveryCode').selectAll().where('suId', '=', person.suId).execute()
    expect(codes).toHaveLength(10)
    for (const code of recoveryCodes) expect(JSON.stringify(codes)).not.toContain(code.slice(0, 5))
  })

  test('a new phone takes the place of the old one, for whoever gives a code of the old one', async () => {
    const person = await someone()
    const old = await enrol(school, person.client)
    expect((await person.client.ask(secondFactorApi.begin, { password })).reason).toBe('totp-needed')
    const { secret } = await person.client.send(secondFactorApi.begin, { password, code: old.code() })
    expect(secret).not.toBe(old.secret)
    expect((await token(person, { totp: old.code() })).code, 'the old one counts until then').toBe(200)
  })
})

describe('signing in', () => {
  test('with a factor a code is asked for, and a right one lets in', async () => {
    const person = await someone()
    const phone = await enrol(school, person.client)
    expect(await token(person)).toMatchObject({ code: 300, reason: 'totp-needed', data: null })
    expect(await token(person, { totp: '' })).toMatchObject({ reason: 'totp-needed' })
    expect(await token(person, { totp: phone.code() })).toMatchObject({ code: 200 })
    expect((await token(person, { totp: phone.code(), password: 'Wrong-2026!' })).reason).toBe('login-refused')
  })
  test('a code sent without a factor, or with a refresh token, is refused rather than passed over', async () => {
    const person = await someone()
    expect(await token(person, { totp: '123456' })).toMatchObject({ code: 300, reason: 'totp-without-factor' })
    expect(await token(person, { totp: '123456', password: 'Wrong-2026!' })).toMatchObject({ reason: 'login-refused' })
    const { refresh_token } = (await token(person)).data
    const again = { grant_type: 'refresh_token', refresh_token }
    expect((await school.nobody.ask(sessionApi.token, { ...again, totp: '123456' })).reason).toBe('invalid-input')
    expect((await school.nobody.ask(sessionApi.token, again)).code).toBe(200)
  })
  test('a code is good once, also for many at the same time, and an older one is not good after it', async () => {
    const person = await someone()
    const phone = await enrol(school, person.client)
    school.clock.travel(60)
    const totp = phone.codeAt(0)
    const replies = await Promise.all(Array.from({ length: 4 }, () => token(person, { totp })))
    expect(replies.filter(({ code }) => code === 200)).toHaveLength(1)
    expect(replies.filter(({ reason }) => reason === 'totp-wrong')).toHaveLength(3)
    expect((await token(person, { totp: phone.codeAt(-1) })).reason).toBe('totp-wrong')
  })
  test.each([-1, 1])('a code of %i step away is taken', async (steps) => {
    const person = await someone()
    const phone = await enrol(school, person.client)
    school.clock.travel(90)
    expect((await token(person, { totp: phone.codeAt(steps) })).code).toBe(200)
  })
  test.each([-3, 3])('a code of %i steps away is refused', async (steps) => {
    const person = await someone()
    const phone = await enrol(school, person.client)
    school.clock.travel(150)
    expect((await token(person, { totp: phone.codeAt(steps) })).reason).toBe('totp-wrong')
  })
  test('wrong codes lock the account as wrong passwords do, and stand in the trail', async () => {
    const person = await someone()
    const phone = await enrol(school, person.client)
    for (let i = 0; i < 5; i++) {
      expect((await token(person, { totp: 'ABCDE-FGHJK' })).reason).toBe('totp-wrong')
      // asking without a code neither counts nor makes wrong ones forgotten
      if (i < 4) expect((await token(person)).reason).toBe('totp-needed')
    }
    expect((await token(person, { totp: phone.code() })).reason).toBe('login-refused')
    const noted = async () => {
      const { records } = await school.admin.send(auditApi.list, { actor: person.suiNumber, pageSize: 100 })
      return records.filter(({ action, result }) => action === '登录' && result === 'refused').length
    }
    await expect.poll(noted).toBeGreaterThanOrEqual(5)
    school.clock.travel(16 * 60)
    expect((await token(person, { totp: phone.code() })).code).toBe(200)
  })
  test('`/user/login` asks for it too', async () => {
    const person = await someone()
    const phone = await enrol(school, person.client)
    const login = (more: object) =>
      school.nobody.ask(sessionApi.login, {
        schoolId: school.schoolId,
        username: person.suiNumber,
        password,
        ...more,
      })
    expect((await login({})).reason).toBe('totp-needed')
    expect((await login({ totp: '000000' })).reason).toBe('totp-wrong')
    expect((await login({ totp: phone.code() })).data.accessToken).toBeTruthy()
  })
})

describe('recovery codes', () => {
  test('each signs in once, however it is typed, and its owner is told', async () => {
    const person = await someone()
    const { recoveryCodes } = await enrol(school, person.client)
    const totp = ` ${recoveryCodes[0]!.toLowerCase().replace('-', ' ')}`
    const reply = await token(person, { totp })
    expect(reply.code).toBe(200)
    expect((await token(person, { totp })).reason).toBe('totp-wrong')
    const client = as(reply.data.access_token)
    expect((await client.send(secondFactorApi.state, {})).codesLeft).toBe(9)
    const { records } = await client.send(messageApi.inbox, {})
    expect(records[0]).toMatchObject({ iiTitle: '恢复码已使用' })
  })
  test('new ones on demand make the old ones worthless, and a code is asked for', async () => {
    const person = await someone()
    const phone = await enrol(school, person.client)
    expect((await person.client.ask(secondFactorApi.renewCodes, { code: '000000' })).reason).toBe('totp-wrong')
    const { recoveryCodes } = await person.client.send(secondFactorApi.renewCodes, { code: phone.code() })
    expect(recoveryCodes).toHaveLength(10)
    expect((await token(person, { totp: phone.recoveryCodes[1] })).reason).toBe('totp-wrong')
    expect((await token(person, { totp: recoveryCodes[1] })).code).toBe(200)
  })
  test('those of somebody else are worth nothing', async () => {
    const [one, other] = [await someone(), await someone()]
    await enrol(school, one.client)
    const { recoveryCodes } = await enrol(school, other.client)
    expect((await token(one, { totp: recoveryCodes[0] })).reason).toBe('totp-wrong')
  })
})

describe('switching it off', () => {
  test('takes password and code, and what belonged to it is gone', async () => {
    const person = await someone()
    const { client } = person
    const phone = await enrol(school, client)
    const off = (code: string, word = password) => client.ask(secondFactorApi.disable, { password: word, code })
    expect((await off(phone.code(), 'Wrong-2026!')).reason).toBe('old-password-wrong')
    expect((await off('000000')).reason).toBe('totp-wrong')
    expect((await off(phone.code())).code).toBe(200)
    expect(await client.send(secondFactorApi.state, {})).toMatchObject({ since: null, codesLeft: 0 })
    expect((await token(person)).code).toBe(200)
    expect((await off('000000')).reason).toBe('factor-off')
  })
  test('whoever is signed in does not get to guess', async () => {
    const { client } = await someone()
    const phone = await enrol(school, client)
    for (let i = 0; i < 5; i++)
      expect((await client.ask(secondFactorApi.confirm, { code: '000000' })).reason).toBe('totp-wrong')
    expect((await client.ask(secondFactorApi.confirm, { code: phone.code() })).status).toBe(429)
  })
})

describe('remembered devices', () => {
  const remember = async (person: TestPerson) => {
    const phone = await enrol(school, person.client)
    const { device_token, access_token } = (await token(person, { totp: phone.code(), remember_device: true })).data
    return { phone, device: { device_token: device_token! }, client: as(access_token) }
  }
  test('are not asked for a code for thirty days', async () => {
    const person = await someone()
    const { device, phone } = await remember(person)
    expect((await token(person, device)).code).toBe(200)
    expect((await token(await someone(), {})).data.device_token, 'nobody is remembered unasked').toBeUndefined()
    expect((await token(person, { ...device, totp: '000000' })).reason, 'a code is looked at').toBe('totp-wrong')
    school.clock.travel(30 * 86_400 + 60)
    expect((await token(person, device)).reason).toBe('totp-needed')
    expect((await token(person, { totp: phone.code() })).code).toBe(200)
  })
  test('are of one person, and without a code nobody is remembered', async () => {
    const [one, other] = [await someone(), await someone()]
    const { device } = await remember(one)
    await enrol(school, other.client)
    expect((await token(other, { ...device, remember_device: true })).reason).toBe('totp-needed')
    const reply = await token(one, { ...device, remember_device: true })
    expect(reply.data.device_token).toBeUndefined()
  })
  test('are listed and forgotten, one or all', async () => {
    const person = await someone()
    const { device, client } = await remember(person)
    const { devices } = await client.send(secondFactorApi.state, {})
    expect(devices).toMatchObject([{ ip: '127.0.0.1' }])
    const stranger = await someone()
    const { deviceId } = devices[0]!
    expect((await stranger.client.ask(secondFactorApi.forget, { deviceId })).code).not.toBe(200)
    expect((await token(person, device)).code).toBe(200)
    expect(await client.send(secondFactorApi.forget, { deviceId })).toEqual({ affected: 1 })
    expect((await token(person, device)).reason).toBe('totp-needed')
    expect(await client.send(secondFactorApi.forget, {})).toEqual({ affected: 0 })
  })
  test('are forgotten with a new password, own or given', async () => {
    const [one, other] = [await someone(), await someone()]
    const [mine, theirs] = [await remember(one), await remember(other)]
    const newPassword = 'Neues-Passw0rt-1'
    await mine.client.send(sessionApi.editPassword, { oldPassword: password, newPassword })
    expect((await token(one, { ...mine.device, password: newPassword })).reason).toBe('totp-needed')
    const given = await school.admin.send(passwordApi.resetTeacher, { suId: other.suId })
    expect((await token(other, { ...theirs.device, password: given.password })).reason).toBe('totp-needed')
  })
  test('that have run out are removed', async () => {
    const person = await someone()
    await remember(person)
    const left = () =>
      school.ctx.db.selectFrom('trustedDevice').select('deviceId').where('suId', '=', person.suId).execute()
    const tidy = (days: number) =>
      jobHandlers({ ...school.services, clock: { now: () => addDays(school.clock.now(), days) } })['session:tidy']!.run(
        {} as never,
      )
    await tidy(29)
    expect(await left()).toHaveLength(1)
    await tidy(31)
    expect(await left()).toHaveLength(0)
  })
})

describe('a role that demands it', () => {
  test('holds whoever has none to setting it up, from the next request on, and then lets them work', async () => {
    const own = await newSchool()
    const person = await own.person('GUIDE_TEACHER')
    expect((await person.client.ask(schoolApi.isGydx)).code).toBe(200)
    await own.rules({ totpRoles: [own.roles['GUIDE_TEACHER']!] })
    await expect.poll(async () => (await person.client.ask(schoolApi.isGydx)).reason).toBe('enrol-first')
    expect(await person.client.ask(ownSessionApi.list)).toMatchObject({ reason: 'enrol-first' })
    expect(await person.client.send(sessionApi.landLoad, {})).toMatchObject({ mustEnrol: true })
    expect(await person.client.send(secondFactorApi.state, {})).toMatchObject({ isDemanded: true, since: null })
    expect((await own.admin.ask(schoolApi.isGydx)).code, 'other roles go on').toBe(200)
    const phone = await enrol(own, person.client)
    expect((await person.client.ask(schoolApi.isGydx)).code).toBe(200)
    expect(await person.client.send(sessionApi.landLoad, {})).toMatchObject({ mustEnrol: false })
    const off = await person.client.ask(secondFactorApi.disable, { password, code: phone.code() })
    expect(off.reason).toBe('factor-demanded')
  })
  test('a given password is replaced first', async () => {
    const own = await newSchool()
    const person = await own.person('GUIDE_TEACHER')
    await own.rules({ totpRoles: [own.roles['GUIDE_TEACHER']!] })
    await own.ctx.db.updateTable('account').set({ mustChangePwd: true }).where('suId', '=', person.suId).execute()
    await expect.poll(async () => (await person.client.ask(schoolApi.isGydx)).reason).toBe('change-password-first')
    expect((await person.client.ask(secondFactorApi.state)).reason).toBe('change-password-first')
    await person.client.send(sessionApi.editPassword, { oldPassword: password, newPassword: 'Neues-Passw0rt-1' })
    expect((await person.client.ask(schoolApi.isGydx)).reason).toBe('enrol-first')
  })
  test('what is no role is refused', async () => {
    await expect(school.rules({ totpRoles: ['ADMIN'] })).rejects.toThrow('角色不正确')
  })
})

describe('a fresh code', () => {
  test('is asked of those who have a factor, for what touches rights or personal data, and opens it for ten minutes', async () => {
    const own = await newSchool()
    const { admin } = own
    const list = { pageSize: 10 }
    expect((await admin.fetch(memberApi.exportList, list)).status, 'nothing is asked without a factor').toBe(200)
    const phone = await enrol(own, admin)
    expect((await admin.fetch(memberApi.exportList, list)).status, 'enrolment was a code').toBe(200)
    own.clock.travel(11 * 60)
    expect(await admin.ask(memberApi.exportList, list)).toMatchObject({ reason: 'fresh-code-needed' })
    expect(await admin.ask(accountAccessApi.signOutEverybody, { reason: '演练退出全校' })).toMatchObject({
      reason: 'fresh-code-needed',
    })
    expect((await admin.ask(roleApi.list, list)).code, 'reading goes on').toBe(200)
    expect((await admin.ask(secondFactorApi.confirm, { code: '000000' })).reason).toBe('totp-wrong')
    await admin.send(secondFactorApi.confirm, { code: phone.code() })
    expect((await admin.fetch(memberApi.exportList, list)).status).toBe(200)
    own.clock.travel(9 * 60)
    expect((await admin.fetch(memberApi.exportList, list)).status).toBe(200)
    own.clock.travel(2 * 60)
    expect(await admin.ask(memberApi.exportList, list)).toMatchObject({ reason: 'fresh-code-needed' })
  })
  test('whoever has no right is told that, and a remembered device has given none', async () => {
    const person = await someone()
    const phone = await enrol(school, person.client)
    school.clock.travel(11 * 60)
    expect((await person.client.ask(roleApi.save, { srName: '新角色' })).reason).toBe('not-permitted')
    const admin = { suiNumber: 'admin' }
    expect(phone.secret).toBeTruthy()
    const own = await newSchool()
    const adminPhone = await enrol(own, own.admin)
    const ask = (more: object) =>
      own.nobody.ask(sessionApi.token, {
        grant_type: 'password',
        schoolId: own.schoolId,
        username: admin.suiNumber,
        password,
        ...more,
      })
    const { device_token } = (await ask({ totp: adminPhone.code(), remember_device: '1' })).data
    const { access_token } = (await ask({ device_token })).data
    expect(await as(access_token).ask(memberApi.exportList, {})).toMatchObject({ reason: 'fresh-code-needed' })
  })
})

describe('somebody else’s', () => {
  const reason = '本人手机遗失，已当面核实身份'
  test('is reset with a reason by those who look after the account, on record, and its owner is told', async () => {
    const person = await someone()
    const phone = await enrol(school, person.client)
    const { suId } = person
    expect(await school.admin.send(accountAccessApi.teacher, { suId })).toMatchObject({
      factorSince: expect.any(String),
    })
    expect((await school.admin.ask(accountAccessApi.resetTeacherFactor, { suId, reason: '短' })).code).toBe(300)
    expect(
      (await someone().then(({ client }) => client.ask(accountAccessApi.resetTeacherFactor, { suId, reason }))).reason,
    ).toBe('not-permitted')
    expect(await school.admin.send(accountAccessApi.resetTeacherFactor, { suId, reason })).toEqual({ affected: 1 })
    expect((await person.client.ask(sessionApi.landLoad)).status, 'sessions end').toBe(401)
    expect((await token(person, { totp: phone.recoveryCodes[0] })).reason).toBe('totp-without-factor')
    const reply = await token(person)
    expect(reply.code).toBe(200)
    const { records: letters } = await as(reply.data.access_token).send(messageApi.inbox, {})
    expect(letters[0]).toMatchObject({ iiTitle: '动态口令已重置', iiContent: expect.stringContaining(reason) })
    const { records } = await school.admin.send(auditApi.timeline, { bizType: 'person', bizId: suId })
    expect(records.map(({ action }) => action)).toEqual(expect.arrayContaining(['重置教师的动态口令', '启用动态口令']))
    expect(records.find(({ action }) => action === '重置教师的动态口令')).toMatchObject({ reason })
    expect(await school.admin.send(accountAccessApi.resetTeacherFactor, { suId, reason })).toEqual({ affected: 0 })
  })
  test('one’s own is set up among one’s own', async () => {
    const { reason: refusal } = await school.admin.ask(accountAccessApi.resetTeacherFactor, {
      suId: school.adminId,
      reason,
    })
    expect(refusal).toBe('own-factor')
  })
})
