import { expect, test } from 'vitest'
import { accountStatus, personType } from '../../../contract/core/codes/school.ts'
import { auditApi } from '../../../contract/school/audit/audit.calls.ts'
import { identityApi, type Audience } from '../../../contract/school/identity/identity.calls.ts'
import { sessionApi } from '../../../contract/school/session/session.calls.ts'
import { clientHash } from '../../core/secrets/passwords.ts'
import { Client } from '../../testing/client.ts'
import { newSchool, testPassword } from '../../testing/school.ts'

/** A school with a person of each kind, two administrators among them, and what signs them in by password. */
async function schoolOfKinds() {
  const school = await newSchool()
  const people = {
    student: (await school.person('COUNSELOR', [], { suiType: personType.student })).suiNumber,
    teacher: (await school.person('COUNSELOR')).suiNumber,
    administrator: (await school.person('SCHOOL_ADMIN')).suiNumber,
    emergency: 'admin',
  }
  const tokenOf = (username: string, password = testPassword) =>
    school.nobody.ask(sessionApi.token, {
      schoolId: school.schoolId,
      username,
      password: clientHash(password),
      grant_type: 'password',
    })
  /** Who is let in by their password. */
  const letIn = async () => {
    const found: string[] = []
    for (const [kind, number] of Object.entries(people)) {
      const { code, reason, data } = await tokenOf(number)
      if (code !== 200) expect(reason).toBe('password-not-for-you')
      else {
        found.push(kind)
        // more than five sessions would end those that the test goes on with
        await new Client(school.address, data.access_token).send(sessionApi.logout, {})
      }
    }
    return found
  }
  const provide = (audience: Audience[], enabled = true) =>
    school.admin.send(identityApi.save, {
      kind: 'cas',
      name: '校园账号',
      settings: { address: 'https://cas.example.edu.cn/cas' },
      audience,
      enabled,
    })
  return { school, people, tokenOf, letIn, provide }
}

test('passwords are refused to whom the school says, never to all administrators, and never without another way', async () => {
  const { school, people, tokenOf, letIn, provide } = await schoolOfKinds()
  const everybody = Object.keys(people)
  const off = { passwordStudents: '0', passwordTeachers: '0', passwordAdministrators: '0' } as const
  await school.rules(off)
  expect(await letIn()).toEqual(everybody)
  await provide(['student', 'teacher', 'administrator'], false)
  expect(await letIn()).toEqual(everybody)
  await provide(['student'])
  expect(await letIn()).toEqual(['teacher', 'administrator', 'emergency'])
  const { providerId } = await provide(['teacher', 'administrator'])
  expect(await letIn()).toEqual(['emergency'])
  await school.rules({ passwordTeachers: '1' })
  expect(await letIn()).toEqual(['teacher', 'emergency'])

  const ways = await school.admin.send(identityApi.ways, {})
  expect(ways).toEqual({
    kinds: [
      { kind: 'student', password: 'off', providers: ['校园账号'] },
      { kind: 'teacher', password: 'on', providers: ['校园账号'] },
      { kind: 'administrator', password: 'off', providers: ['校园账号'] },
    ],
    emergency: { suId: school.adminId, suLoginName: 'admin', suNickname: '管理员' },
  })

  // a wrong password is told as ever: who may use none is not told to those who guess
  expect((await tokenOf(people.student, 'Wrong-2026!x')).reason).toBe('login-refused')
  const refused = await tokenOf(people.student)
  expect(refused.msg).toContain('“校园账号”')
  for (let time = 0; time < 6; time++) expect((await tokenOf(people.student)).reason).toBe('password-not-for-you')
  await expect
    .poll(async () => {
      const { records } = await school.admin.send(auditApi.list, { bizType: 'session', pageSize: 50 })
      return records.some(({ reason }) => reason === '须由统一身份认证登录')
    })
    .toBe(true)

  // the same by the other call, and what is open stays open until it ends
  const byLogin = await school.nobody.ask(sessionApi.login, {
    schoolId: school.schoolId,
    username: people.student,
    password: clientHash(testPassword),
  })
  expect(byLogin.reason).toBe('password-not-for-you')
  expect((await school.admin.ask(sessionApi.landLoad)).code).toBe(200)

  await school.admin.send(identityApi.remove, { providerId })
  expect(await letIn()).toEqual(['teacher', 'administrator', 'emergency'])
  expect((await school.admin.send(identityApi.ways, {})).kinds.map(({ password }) => password)).toEqual([
    'off',
    'on',
    'fallback',
  ])
})

test('when the administrator for emergencies goes, another one takes their place', async () => {
  const { school, people, letIn, provide } = await schoolOfKinds()
  await school.rules({ passwordAdministrators: '0' })
  await provide(['administrator'])
  expect(await letIn()).toEqual(['student', 'teacher', 'emergency'])
  await school.ctx.db
    .updateTable('account')
    .set({ suStatus: accountStatus.disabled })
    .where('schoolId', '=', school.schoolId)
    .where('suId', '=', school.adminId)
    .execute()
  people.emergency = people.administrator
  expect(await letIn()).toEqual(['student', 'teacher', 'administrator', 'emergency'])
})
