import { expect, test } from 'vitest'
import { fullPath } from '../../../contract/core/call.ts'
import { flowCheckerType } from '../../../contract/core/codes/rules.ts'
import { accountStatus, personType } from '../../../contract/core/codes/school.ts'
import { allCalls } from '../../../contract/index.ts'
import { graduationApi } from '../../../contract/outcomes/graduation/graduation.calls.ts'
import { lessonApi } from '../../../contract/programme/lessons/lessons.calls.ts'
import { workflowApi } from '../../../contract/rules/workflow/workflow.calls.ts'
import { messageApi } from '../../../contract/school/messages/messages.calls.ts'
import { studentApi } from '../../../contract/school/people/students.calls.ts'
import { sessionApi } from '../../../contract/school/session/session.calls.ts'
import { ownActivityApi } from '../../../contract/student/activities.calls.ts'
import { ownRecordApi } from '../../../contract/student/record.calls.ts'
import { openToGraduates } from '../../core/http/open-to-graduates.ts'
import { signIn, type Client } from '../../testing/client.ts'
import { newSchool, testPassword, type TestSchool } from '../../testing/school.ts'

const grade = '2022'

/** A student who also looks after circles of the whole school, and the school. */
async function world() {
  const school = await newSchool()
  const suiCollegeId = await school.college()
  const majorId = await school.major(suiCollegeId)
  const scClassId = await school.schoolClass(majorId, suiCollegeId)
  const student = await school.person('CLUB_MGR', [], { suiType: personType.student })
  await school.ctx.db
    .updateTable('person')
    .set({ suiCollegeId, majorId, scClassId, suiGrade: grade })
    .where('suId', '=', student.suId)
    .execute()
  return { school, student }
}

async function graduate({ admin: office }: TestSchool, admin: Client = office): Promise<string> {
  const { previewToken } = await admin.send(graduationApi.preview, { gradeList: [grade] })
  await admin.send(graduationApi.graduate, {
    gradeList: [grade],
    previewToken,
    unmet: 'graduate',
    confirmText: '全部毕业',
  })
  return previewToken
}

const writing = allCalls.map(({ call }) => call).filter((call) => call.writes && call.permit !== 'public')
const always = new Set(['schoolbase/user/logout', 'platformbase/sysUser/userLandLoad'].map((path) => `/api/${path}`))

test('what stays open to graduates is there, and nothing of it needs a role', () => {
  const open = writing.filter((call) => openToGraduates.has(fullPath(call)))
  expect(open.map((call) => fullPath(call)).toSorted()).toEqual([...openToGraduates].toSorted())
  expect(new Set(open.map(({ permit }) => permit))).toEqual(new Set(['signed-in', 'student:self']))
})

test('a graduate signs in, reads what is theirs, and is told why nothing else goes', { timeout: 120_000 }, async () => {
  const { school, student } = await world()
  await graduate(school)
  const client = await signIn(school.address, school.schoolId, student.suiNumber, testPassword)
  for (const mine of [client, student.client]) expect((await mine.ask(sessionApi.landLoad)).code).toBe(200)
  expect((await client.ask(ownRecordApi.summary)).code).toBe(200)
  expect((await client.ask(ownRecordApi.issues)).code).toBe(200)
  expect((await client.ask(messageApi.inbox, {})).code).toBe(200)
  expect(await client.ask(ownActivityApi.join, {})).toMatchObject({
    code: 300,
    reason: 'graduate-reads-only',
    msg: '已毕业，账号只读：可以查看记录、申请和下载成绩单与证书、修改密码；需要办理其他事项请联系学校',
  })
  for (const call of writing.filter((one) => !always.has(fullPath(one)))) {
    const { reason } = await client.ask(call, {})
    if (openToGraduates.has(fullPath(call))) expect([call.path, reason]).not.toEqual([call.path, 'graduate-reads-only'])
    else expect([call.path, reason]).toEqual([call.path, 'graduate-reads-only'])
  }
})

test('a graduate changes the password', async () => {
  const { school, student } = await world()
  await graduate(school)
  await student.client.send(sessionApi.editPassword, {
    oldPassword: testPassword,
    newPassword: 'Neues-Passw0rt-1',
  })
  await signIn(school.address, school.schoolId, student.suiNumber, 'Neues-Passw0rt-1')
})

test('roles of a graduate give nothing and nobody is sent to them, until the graduation is taken back', async () => {
  const { school, student } = await world()
  const asChecker = async () =>
    (
      await school.admin.send(workflowApi.choiceChecker, {
        wfsCheckerType: flowCheckerType.people,
        search: student.suiNumber,
      })
    ).options.length
  expect(await asChecker()).toBe(1)
  expect((await student.client.ask(lessonApi.view, {})).code).toBe(200)
  const gbId = await graduate(school)
  expect(await student.client.ask(lessonApi.view, {})).toMatchObject({ status: 403, reason: 'not-permitted' })
  expect(await asChecker()).toBe(0)
  await school.admin.send(graduationApi.undo, { gbId, reason: '名单有误，重新办理' })
  expect((await student.client.ask(lessonApi.view, {})).code).toBe(200)
  expect(await asChecker()).toBe(1)
})

test('who takes a graduation back is not outranked by those who get their roles back', async () => {
  const { school, student } = await world()
  const { db } = school.ctx
  const { suiCollegeId } = await school.admin.send(studentApi.detail, { id: student.suId })
  await db
    .updateTable('role')
    .set({ permits: ['student:graduate', 'student:list'] })
    .where('schoolId', '=', school.schoolId)
    .where('srCode', '=', 'COUNSELOR')
    .execute()
  const counselor = await school.person('COUNSELOR', [{ caType: 'college', caTarget: suiCollegeId! }])
  expect(
    await graduate(school, counselor.client).catch((error: unknown) => String(error)),
    'more than they have themselves',
  ).toContain('拥有您没有的权限')
  const roles = await db.deleteFrom('roleUser').where('suId', '=', student.suId).returningAll().execute()
  const gbId = await graduate(school, counselor.client)
  await db.insertInto('roleUser').values(roles).execute()
  const undo = { gbId, reason: '名单有误，重新办理' }
  expect(await counselor.client.ask(graduationApi.undo, undo)).toMatchObject({ reason: 'outranks-you' })
  expect(await school.admin.ask(graduationApi.undo, undo)).toMatchObject({ code: 200 })
})

test('a graduate whose contacts were erased leaves no address and no browser behind', async () => {
  const { school, student } = await world()
  await graduate(school)
  const { db, clock } = school.ctx
  const traces = async () => ({
    ...(await db
      .selectFrom('account')
      .select('lastLoginIp')
      .where('suId', '=', student.suId)
      .executeTakeFirstOrThrow()),
    ...(await db
      .selectFrom('loginDay')
      .select(['ip', 'agent', 'times'])
      .where('suId', '=', student.suId)
      .executeTakeFirstOrThrow()),
  })
  expect((await traces()).lastLoginIp).not.toBeNull()
  await db.updateTable('person').set({ contactsErased: clock.now() }).where('suId', '=', student.suId).execute()
  await signIn(school.address, school.schoolId, student.suiNumber, testPassword)
  expect(await traces()).toEqual({ lastLoginIp: null, ip: '', agent: '', times: 2 })
})

test('an account that was off stays off', async () => {
  const { school, student } = await world()
  await school.ctx.db
    .updateTable('account')
    .set({ suStatus: accountStatus.disabled })
    .where('suId', '=', student.suId)
    .execute()
  await graduate(school)
  await expect(signIn(school.address, school.schoolId, student.suiNumber, testPassword)).rejects.toThrow(
    '账号或密码错误',
  )
})
