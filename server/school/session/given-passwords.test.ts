import { expect, test } from 'vitest'
import { yesNo } from '../../../contract/core/codes/platform.ts'
import { accountStatus, personType } from '../../../contract/core/codes/school.ts'
import { messageApi } from '../../../contract/school/messages/messages.calls.ts'
import { passwordApi } from '../../../contract/school/people/passwords.calls.ts'
import { sessionApi } from '../../../contract/school/session/session.calls.ts'
import { newId } from '../../core/base/ids.ts'
import { sheetIn } from '../../testing/sheet-in.ts'
import { signIn } from '../../testing/client.ts'
import { oneClass } from '../../testing/ledger.ts'
import { newSchool, type TestSchool } from '../../testing/school.ts'

const reason = '新生统一发放密码'
const birthday = async ({ ctx }: TestSchool, suIds: string[]) =>
  void (await ctx.db.updateTable('person').set({ birth: '2005-06-07' }).where('suId', 'in', suIds).execute())
const reset = (suId: string, birth = '2005-06-07') => ({ suId, birth })

test('whoever gets a password from others is told, and never by message what it is', async () => {
  const school = await newSchool()
  const student = await school.person('LEAGUE_SEC', [], { suiType: personType.student })
  await birthday(school, [student.suId])
  const { password } = await school.admin.send(passwordApi.reset, reset(student.suId))
  expect(await student.client.ask(sessionApi.landLoad)).toMatchObject({ status: 401 })
  const rows = await school.ctx.db
    .selectFrom('information')
    .selectAll()
    .where('schoolId', '=', school.schoolId)
    .execute()
  expect(rows).toMatchObject([{ iiTitle: '登录密码已重置', iiContent: expect.stringContaining('由管理员重置') }])
  expect(JSON.stringify(rows)).not.toContain(password)
  const client = await signIn(school.address, school.schoolId, student.suiNumber, password)
  await client.send(sessionApi.editPassword, { oldPassword: password, newPassword: 'Winter-2026!w' })
  expect((await client.send(messageApi.inbox, {})).records).toMatchObject([
    { iiTitle: '登录密码已重置', isRead: yesNo.no },
  ])
  const teacher = await school.person('GUIDE_TEACHER')
  await school.admin.send(passwordApi.resetTeacher, { suId: teacher.suId })
  expect(
    await school.ctx.db
      .selectFrom('informationReceiver')
      .select('suId')
      .where('schoolId', '=', school.schoolId)
      .where('suId', '=', teacher.suId)
      .execute(),
  ).toHaveLength(1)
})

test('wrong days of birth are counted for who asks, right ones in between do not wipe them out', async () => {
  const school = await newSchool()
  const students = await (await oneClass(school)).students(7)
  await birthday(
    school,
    students.map(({ suId }) => suId),
  )
  const known = students[0]!.suId
  for (const { suId } of students.slice(1, 6)) {
    expect(await school.admin.ask(passwordApi.reset, reset(suId, '2001-01-01'))).toMatchObject({
      reason: 'birth-mismatch',
    })
    if (suId !== students[5]!.suId) expect((await school.admin.ask(passwordApi.reset, reset(known))).code).toBe(200)
  }
  expect(await school.admin.ask(passwordApi.reset, reset(students[6]!.suId))).toMatchObject({ status: 429 })
  const colleague = await school.person('SCHOOL_ADMIN')
  expect((await colleague.client.ask(passwordApi.reset, reset(students[6]!.suId))).code).toBe(200)
})

test('right ones are not limited', async () => {
  const school = await newSchool()
  const students = await (await oneClass(school)).students(8)
  await birthday(
    school,
    students.map(({ suId }) => suId),
  )
  for (const { suId } of students) expect((await school.admin.ask(passwordApi.reset, reset(suId))).code).toBe(200)
})

test('many at once come as a workbook, work once, and leave their trace but not themselves', async () => {
  const school = await newSchool()
  const { scId, students } = await oneClass(school)
  const people = await students(3)
  const [signedIn] = people
  await school.ctx.db
    .updateTable('account')
    .set({ suStatus: accountStatus.active })
    .where('schoolId', '=', school.schoolId)
    .execute()
  const { client } = await school.person('COLLEGE_LEAGUE', [{ caType: 'college', caTarget: scId }])
  const file = await client.download(passwordApi.resetMany, { suIds: people.map(({ suId }) => suId), reason })
  expect(file.name).toMatch(/^一次性密码_.*\.xlsx$/)
  const {
    lines: [headers, ...lines],
  } = await sheetIn(file.bytes)
  expect(headers!.cells).toEqual(['学号', '姓名', '学院', '班级', '登录账号', '一次性密码', '有效期至'])
  expect(lines.map(({ cells }) => cells[0])).toEqual(people.map(({ suiNumber }) => suiNumber).toSorted())
  const passwords = lines.map(({ cells }) => String(cells[5]))
  expect(new Set(passwords).size).toBe(3)
  const own = lines.find(({ cells }) => cells[0] === signedIn!.suiNumber)!.cells
  const student = await signIn(school.address, school.schoolId, String(own[4]), String(own[5]))
  expect(await student.ask(messageApi.inbox, {})).toMatchObject({ reason: 'change-password-first' })
  const trail = await school.ctx.db
    .selectFrom('auditLog')
    .select(['action', 'bizId', 'reason', 'after'])
    .where('schoolId', '=', school.schoolId)
    .where('action', 'in', ['批量重置学生密码', '导出一次性密码'])
    .execute()
  expect(
    trail
      .filter(({ action }) => action === '批量重置学生密码')
      .map(({ bizId }) => bizId)
      .toSorted(),
  ).toEqual(people.map(({ suId }) => suId).toSorted())
  expect(trail.every((row) => row.action === '导出一次性密码' || row.reason === reason)).toBe(true)
  expect(trail.find(({ action }) => action === '导出一次性密码')).toMatchObject({ after: { rows: 3, whole: true } })
  const kept = JSON.stringify([
    await school.ctx.db.selectFrom('auditLog').selectAll().where('schoolId', '=', school.schoolId).execute(),
    await school.ctx.db.selectFrom('information').selectAll().where('schoolId', '=', school.schoolId).execute(),
  ])
  for (const password of passwords) expect(kept).not.toContain(password)
  // again: the first ones are void
  await client.download(passwordApi.resetMany, { suIds: [signedIn!.suId], reason })
  expect(await student.ask(sessionApi.landLoad)).toMatchObject({ status: 401 })
  await expect(signIn(school.address, school.schoolId, String(own[4]), String(own[5]))).rejects.toThrow(
    '账号或密码错误',
  )
})

test('many at once need a reason, the right, the reach and no more than 200', async () => {
  const school = await newSchool()
  const [here, there] = [await oneClass(school), await oneClass(school)]
  const [[own], [foreign]] = [await here.students(1), await there.students(1)]
  const { client } = await school.person('COLLEGE_LEAGUE', [{ caType: 'college', caTarget: here.scId }])
  expect(await client.ask(passwordApi.resetMany, { suIds: [own!.suId, foreign!.suId], reason })).toMatchObject({
    status: 404,
  })
  expect(await client.ask(passwordApi.resetMany, { suIds: [own!.suId] })).toMatchObject({
    errors: [{ field: 'reason' }],
  })
  expect(await client.ask(passwordApi.resetMany, { suIds: Array.from({ length: 201 }, newId), reason })).toMatchObject({
    errors: [{ field: 'suIds', msg: '一次最多重置 200 名学生的密码' }],
  })
  const counselor = await school.person('COUNSELOR', [{ caType: 'class', caTarget: here.scClassId }])
  expect(await counselor.client.ask(passwordApi.resetMany, { suIds: [own!.suId], reason })).toMatchObject({
    status: 403,
  })
  const passwords = await school.ctx.db
    .selectFrom('account')
    .select('passwordHash')
    .where('schoolId', '=', school.schoolId)
    .where('suId', 'in', [own!.suId, foreign!.suId])
    .execute()
  expect(passwords).toEqual([{ passwordHash: '!' }, { passwordHash: '!' }])
})
