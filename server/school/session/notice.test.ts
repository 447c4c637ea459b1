import { beforeEach, describe, expect, test } from 'vitest'
import { auditApi } from '../../../contract/school/audit/audit.calls.ts'
import { schoolApi } from '../../../contract/school/school/school.calls.ts'
import { noticeApi } from '../../../contract/school/session/notice.calls.ts'
import { ownSessionApi } from '../../../contract/school/session/own-sessions.calls.ts'
import { sessionApi } from '../../../contract/school/session/session.calls.ts'
import { Client, signIn } from '../../testing/client.ts'
import { newSchool, testPassword, type TestSchool } from '../../testing/school.ts'

let school: TestSchool
beforeEach(async () => void (school = await newSchool()))

const content =
  '一、学校处理您的姓名、学号与活动记录。\n二、用于第二课堂的学时认定与成绩单，不向校外提供，保存至毕业之后一年。'
const read = () => school.nobody.send(noticeApi.read, { schoolId: school.schoolId })
const works = async (client: Client) => (await client.ask(schoolApi.isGydx)).reason ?? 'works'

test('anybody may read it; where the school has published none it is the text of the program, with the school’s name', async () => {
  const notice = await read()
  expect(notice).toMatchObject({ version: 1, publishTime: null })
  expect(notice.content).toContain(notice.schName)
  expect(notice.content).toContain('您的权利')
  expect((await school.nobody.ask(noticeApi.read, { schoolId: 'nowhere' })).reason).toBe('not-found')
})

describe('agreeing', () => {
  test('is asked of nobody until the school asks for it', async () => {
    const { client } = await school.person('GUIDE_TEACHER')
    expect(await works(client)).toBe('works')
    expect(await client.send(sessionApi.landLoad, {})).toMatchObject({ mustAcceptNotice: false })
  })

  test('comes before anything else but reading, the menu and leaving, and is noted with version and time', async () => {
    const person = await school.person('GUIDE_TEACHER')
    await school.rules({ noticeAccept: '1' })
    const client = await signIn(school.address, school.schoolId, person.suiNumber, testPassword)
    expect(await works(client)).toBe('accept-notice-first')
    expect(await client.ask(ownSessionApi.list)).toMatchObject({ code: 300, msg: '请先阅读并同意隐私告知' })
    expect(
      (await client.ask(sessionApi.editPassword, { oldPassword: testPassword, newPassword: 'Neues-Passw0rt-1' }))
        .reason,
    ).toBe('accept-notice-first')
    expect(await client.send(sessionApi.landLoad, {})).toMatchObject({ mustAcceptNotice: true })
    await client.send(sessionApi.menuTree, {})
    const { version } = await read()
    expect((await client.ask(noticeApi.accept, { version: version + 1 })).reason).toBe('notice-changed')
    await client.send(noticeApi.accept, { version })
    expect(await works(client)).toBe('works')
    expect(await client.send(sessionApi.landLoad, {})).toMatchObject({ mustAcceptNotice: false })
    const account = await school.ctx.db
      .selectFrom('account')
      .select(['noticeVersion', 'noticeTime'])
      .where('suId', '=', person.suId)
      .executeTakeFirstOrThrow()
    expect(account.noticeVersion).toBe(version)
    expect(account.noticeTime!.slice(0, 10)).toBe(school.clock.now().slice(0, 10))
    await school.admin.send(noticeApi.accept, { version })
    const { records } = await school.admin.send(auditApi.list, { actor: person.suiNumber, pageSize: 50 })
    expect(records.map(({ action }) => action)).toContain('同意隐私告知')
    // who has agreed is not asked again
    const later = await signIn(school.address, school.schoolId, person.suiNumber, testPassword)
    expect(await works(later)).toBe('works')
    await later.send(sessionApi.logout, {})
  })

  test('comes before the first password', async () => {
    const person = await school.person('GUIDE_TEACHER')
    await school.rules({ noticeAccept: '1' })
    await school.ctx.db.updateTable('account').set({ mustChangePwd: true }).where('suId', '=', person.suId).execute()
    const client = await signIn(school.address, school.schoolId, person.suiNumber, testPassword)
    expect(await works(client)).toBe('accept-notice-first')
    await client.send(noticeApi.accept, { version: 1 })
    expect(await works(client)).toBe('change-password-first')
  })

  test('is not asked any more once the school takes the question back', async () => {
    const person = await school.person('GUIDE_TEACHER')
    const { admin } = school
    await school.rules({ noticeAccept: '1' })
    expect(await works(admin)).toBe('accept-notice-first')
    await admin.send(noticeApi.accept, { version: 1 })
    await school.rules({ noticeAccept: '0' })
    const client = await signIn(school.address, school.schoolId, person.suiNumber, testPassword)
    expect(await works(client)).toBe('works')
  })
})

describe('a new version', () => {
  test('is published by the administrator, asked of everybody anew, and on record', async () => {
    const person = await school.person('GUIDE_TEACHER')
    const { admin } = school
    expect(await admin.send(noticeApi.history, {})).toMatchObject({ isAsked: false, versions: [], can: ['edit'] })
    expect(await admin.send(noticeApi.publish, { version: 1, content })).toEqual({ version: 2 })
    expect(await works(person.client), 'from the next request on').toBe('accept-notice-first')
    expect(await read()).toMatchObject({ version: 2, content, publishTime: expect.any(String) })
    await person.client.send(noticeApi.accept, { version: 2 })
    await admin.send(noticeApi.accept, { version: 2 })
    expect(await admin.send(noticeApi.history, {})).toMatchObject({
      isAsked: true,
      accounts: 2,
      agreed: 2,
      versions: [{ version: 2, publishName: '管理员' }],
    })
    await admin.send(noticeApi.publish, { version: 2, content: `${content}\n三、新增的一条。` })
    expect(await works(person.client)).toBe('accept-notice-first')
    expect((await person.client.ask(noticeApi.accept, { version: 2 })).reason, 'the old one is not enough').toBe(
      'notice-changed',
    )
    await admin.send(noticeApi.accept, { version: 3 })
    expect(await admin.send(noticeApi.history, {})).toMatchObject({ accounts: 2, agreed: 1 })
    const { records } = await admin.send(auditApi.timeline, { bizType: 'school', pageSize: 50 })
    expect(records.filter(({ action }) => action === '发布隐私告知')).toHaveLength(2)
  })

  test('of two people who edit the same one the second is told; others may not publish', async () => {
    const { admin } = school
    const teacher = await school.person('GUIDE_TEACHER')
    expect((await teacher.client.ask(noticeApi.publish, { version: 1, content })).reason).toBe('not-permitted')
    expect((await teacher.client.ask(noticeApi.history)).reason).toBe('not-permitted')
    expect((await admin.ask(noticeApi.publish, { version: 1, content: '太短' })).code).toBe(300)
    await admin.send(noticeApi.publish, { version: 1, content })
    await admin.send(noticeApi.accept, { version: 2 })
    expect((await admin.ask(noticeApi.publish, { version: 1, content })).reason).toBe('stale-version')
  })
})
