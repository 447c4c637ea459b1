import { beforeAll, describe, expect, test } from 'vitest'
import { credibilityReason } from '../../../contract/core/codes/programme.ts'
import { accountStatus, dataScope } from '../../../contract/core/codes/school.ts'
import { studentApi } from '../../../contract/school/people/students.calls.ts'
import { teacherApi } from '../../../contract/school/people/teachers.calls.ts'
import { sessionApi } from '../../../contract/school/session/session.calls.ts'
import { newId } from '../../core/base/ids.ts'
import { world, type World } from '../../testing/two-colleges.ts'
import { storeLesson } from '../../testing/stored-lesson.ts'

const all = { current: 1, pageSize: 50 }
let w: World
beforeAll(async () => void (w = await world()))

describe('accounts', () => {
  test('are switched off and on in one go, each on record; who is off is signed out for good', async () => {
    const {
      school,
      own,
      collegeAdmin: { client },
    } = w
    const students = await school.students(3, own)
    const ids = students.map(({ suId }) => suId)
    expect(await client.send(studentApi.switch, { ids, suStatus: accountStatus.disabled })).toEqual({ affected: 3 })
    expect(await client.send(studentApi.switch, { ids, suStatus: accountStatus.disabled })).toEqual({ affected: 0 })
    const rows = (await client.send(studentApi.list, { ...all, suStatus: accountStatus.disabled })).records
    expect(rows.map(({ suId }) => suId).toSorted()).toEqual(ids.toSorted())
    expect(rows[0]!.can).toEqual(['edit', 'delete', 'resetPwd', 'credibility', 'enable', 'unmask'])
    expect(await client.send(studentApi.switch, { ids: ids.slice(0, 1), suStatus: accountStatus.active })).toEqual({
      affected: 1,
    })
    const trail = await school.ctx.db
      .selectFrom('auditLog')
      .select('action')
      .where('schoolId', '=', school.schoolId)
      .where('bizId', '=', ids[0]!)
      .orderBy('logId')
      .execute()
    expect(trail.map(({ action }) => action)).toEqual(['停用学生账号', '启用学生账号'])

    const teacher = await school.person('GUIDE_TEACHER', [], { suiCollegeId: own.suiCollegeId })
    await school.admin.send(teacherApi.switch, { ids: [teacher.suId], suStatus: accountStatus.disabled })
    await school.admin.send(teacherApi.switch, { ids: [teacher.suId], suStatus: accountStatus.active })
    expect((await teacher.client.ask(sessionApi.landLoad)).status).toBe(401)
  })

  test('are switched all or none: not out of reach, not one’s own, not those of people who may do more', async () => {
    const { school, own, strange, collegeAdmin } = w
    const [[mine], [foreign]] = [await school.students(1, own), await school.students(1, strange)]
    expect(
      (
        await collegeAdmin.client.ask(studentApi.switch, {
          ids: [mine!.suId, foreign!.suId],
          suStatus: accountStatus.disabled,
        })
      ).status,
    ).toBe(404)
    expect((await collegeAdmin.client.send(studentApi.detail, { id: mine!.suId })).suStatus).toBe(accountStatus.active)
    expect(
      await school.admin.ask(teacherApi.switch, { ids: [school.adminId], suStatus: accountStatus.disabled }),
    ).toMatchObject({
      reason: 'own-account',
    })
    expect((await school.admin.send(teacherApi.detail, { id: school.adminId })).can).toEqual([
      'edit',
      'resetPwd',
      'unmask',
    ])
    await school.ctx.db
      .updateTable('role')
      .set({ permits: ['teacher:list', 'teacher:edit'], dataScope: dataScope.school })
      .where('schoolId', '=', school.schoolId)
      .where('srCode', '=', 'NEWS_EDITOR')
      .execute()
    const clerk = await school.person('NEWS_EDITOR')
    expect(
      await clerk.client.ask(teacherApi.switch, { ids: [school.adminId], suStatus: accountStatus.disabled }),
    ).toMatchObject({
      reason: 'outranks-you',
    })
    expect(
      (await collegeAdmin.client.ask(teacherApi.switch, { ids: [clerk.suId], suStatus: accountStatus.disabled }))
        .status,
    ).toBe(403)
  })
})

describe('people with business records', () => {
  test('are not removed; the refusal tells which records they have and what to do instead', async () => {
    const { school, own } = w
    const { db } = school.ctx
    const [first, second, free] = await school.students(3, own)
    const liId = await storeLesson(school)
    await db
      .insertInto('registration')
      .values([first!, second!].map(({ suId }) => ({ schoolId: school.schoolId, laId: newId(), liId, suId })))
      .execute()
    await db
      .insertInto('credibilityLog')
      .values(
        [1, 2].map(() => ({
          schoolId: school.schoolId,
          cgId: newId(),
          suId: first!.suId,
          change: -1,
          before: 100,
          after: 99,
          reasonCode: credibilityReason.absence,
          reason: '缺席',
          operatorName: '系统',
        })),
      )
      .execute()
    const [low] = [first!, second!].toSorted((a, b) => (a.suiNumber < b.suiNumber ? -1 : 1))
    const reply = await school.admin.ask(studentApi.remove, { ids: [first!.suId, second!.suId, free!.suId] })
    expect(reply).toMatchObject({ reason: 'person-in-use' })
    expect(reply.msg).toBe(
      `${low!.suiName} 已有课程参与记录 1 条${low === first ? '、诚信记录 2 条' : ''}，不能删除；可改为停用账号。所选人员中另有 1 人也有业务记录`,
    )
    expect(await school.admin.ask(studentApi.remove, { ids: [first!.suId] })).toMatchObject({
      msg: `${first!.suiName} 已有课程参与记录 1 条、诚信记录 2 条，不能删除；可改为停用账号`,
    })
    expect((await school.admin.send(studentApi.detail, { id: free!.suId })).suiName).toBe(free!.suiName)
  })
})

test('of whoever is removed nation, origin, specialty and remark go too', async () => {
  const { school, own } = w
  const [gone] = await school.students(1, own)
  const facts = ['suiNation', 'suiIdType', 'provinceId', 'cityId', 'areaId', 'specialty', 'remark'] as const
  const eachIs = (value: string | null) => Object.fromEntries(facts.map((fact) => [fact, value]))
  const { db } = school.ctx
  const here = { schoolId: school.schoolId, suId: gone!.suId }
  await db
    .updateTable('person')
    .set(eachIs('01'))
    .where('schoolId', '=', here.schoolId)
    .where('suId', '=', here.suId)
    .execute()
  await school.admin.send(studentApi.remove, { ids: [here.suId] })
  expect(
    await db
      .selectFrom('person')
      .select(facts)
      .where('schoolId', '=', here.schoolId)
      .where('suId', '=', here.suId)
      .execute(),
  ).toEqual([eachIs(null)])
})

describe('filters', () => {
  test('find students by a range of credibility', async () => {
    const { school, own } = w
    const [low, middle, high] = await school.students(3, own)
    for (const [student, suiCredibility] of [
      [low, 40],
      [middle, 60],
      [high, 80],
    ] as const)
      await school.ctx.db.updateTable('person').set({ suiCredibility }).where('suId', '=', student!.suId).execute()
    const found = async (range: object) =>
      (await school.admin.send(studentApi.list, { ...all, sort: 'suiCredibility', ...range })).records.map(
        ({ suId }) => suId,
      )
    expect(await found({ credibilityMax: 60 })).toEqual([low!.suId, middle!.suId])
    expect(await found({ credibilityMin: 60, credibilityMax: 80 })).toEqual([middle!.suId, high!.suId])
    expect(await found({ credibilityMin: 61, credibilityMax: 60 })).toEqual([])
    expect(await school.admin.ask(studentApi.list, { credibilityMin: 'x' })).toMatchObject({
      code: 300,
      errors: [{ field: 'credibilityMin' }],
    })
  })

  test('find the counselors of classes among the staff', async () => {
    const { school, own } = w
    const counselor = await school.person('COUNSELOR', [{ caType: 'class', caTarget: own.scClassId }])
    await school.ctx.db
      .updateTable('schoolClass')
      .set({ counselorId: counselor.suId })
      .where('scClassId', '=', own.scClassId)
      .execute()
    const found = (await school.admin.send(teacherApi.list, { ...all, isCounselor: '1' })).records
    expect(found).toMatchObject([{ suId: counselor.suId, isCounselor: true }])
    const { scClassId, suiCollegeId: scId, majorId: smId } = own
    expect((await school.admin.send(teacherApi.detail, { id: counselor.suId })).classes).toMatchObject([
      { scClassId, scId, smId },
    ])
    const others = (await school.admin.send(teacherApi.list, { ...all, isCounselor: '0' })).records
    expect(others.some(({ suId }) => suId === counselor.suId)).toBe(false)
    expect(others.every(({ isCounselor }) => !isCounselor)).toBe(true)
  })
})
