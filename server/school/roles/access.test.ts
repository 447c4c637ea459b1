import { describe, expect, test } from 'vitest'
import { enableStatus } from '../../../contract/core/codes/platform.ts'
import { lessonApi } from '../../../contract/programme/lessons/lessons.calls.ts'
import { classApi } from '../../../contract/school/organisation/classes.calls.ts'
import { studentApi } from '../../../contract/school/people/students.calls.ts'
import { accessApi } from '../../../contract/school/roles/access.calls.ts'
import { memberApi } from '../../../contract/school/roles/members.calls.ts'
import { roleApi } from '../../../contract/school/roles/roles.calls.ts'
import { lessonWorld } from '../../testing/lessons.ts'
import { newSchool, type TestPerson, type TestSchool } from '../../testing/school.ts'

const all = { current: 1, pageSize: 50 }

/** Two colleges with a class of three and of two students. */
async function twoColleges(school: TestSchool) {
  const college = async (name: string, count: number) => {
    const scId = await school.college(name)
    const smId = await school.major(scId)
    const scClassId = await school.schoolClass(smId, scId, { scClassName: `${name}一班` })
    return {
      scId,
      smId,
      scClassId,
      students: await school.students(count, { suiCollegeId: scId, majorId: smId, scClassId }),
    }
  }
  return [await college('甲学院', 3), await college('乙学院', 2)] as const
}

describe('what a person may see and do', () => {
  test('names the roles that give each right, what they cover and how many rows that is: as many as they are shown', async () => {
    const school = await newSchool()
    const { admin, roles } = school
    const [a, b] = await twoColleges(school)
    const { suId, client } = await school.person('COLLEGE_LEAGUE', [{ caType: 'college', caTarget: a.scId }], {
      suiCollegeId: a.scId,
    })
    await admin.send(memberApi.add, { srId: roles['CLASS_TUTOR']!, suIds: [suId], scClassIds: [b.scClassId] })
    await admin.send(memberApi.add, { srId: roles['COUNSELOR']!, suIds: [suId], scIds: [], endDate: '2030-01-01' })
    const access = await admin.send(accessApi.view, { suId })
    expect(
      access.memberships.map(({ srName, areaText, state, endDate }) => [srName, areaText, state, endDate]),
    ).toEqual([
      ['院系团委', '甲学院', 'active', null],
      ['辅导员', '', 'empty', '2030-01-01'],
      ['班主任', '乙学院一班', 'active', null],
    ])
    const right = (permit: string) => access.rights.find((one) => one.permit === permit)
    expect(right('student:list')).toEqual({
      permit: 'student:list',
      srIds: [roles['COLLEGE_LEAGUE'], roles['COUNSELOR'], roles['CLASS_TUTOR']],
      areaText: '甲学院；未设置；乙学院一班',
      rows: 'student',
      count: 5,
    })
    expect((await client.send(studentApi.list, all)).total).toBe(5)
    expect(right('student:edit')).toMatchObject({ count: 3, areaText: '甲学院' })
    expect(right('class:list')!.count).toBe((await client.send(classApi.list, all)).total)
    expect(right('approval:publish')).toMatchObject({ areaText: '由流程指派', count: null })
    expect(right('label:list')).toMatchObject({ areaText: '全校配置', rows: null })
    expect(right('role:delete')).toBeUndefined()
  })

  test('counts own courses besides those the area covers', async () => {
    const world = await lessonWorld()
    const { school, teacher, leader } = world
    await world.published()
    await world.published()
    const count = async ({ suId }: TestPerson) =>
      (await school.admin.send(accessApi.view, { suId })).rights.find(({ permit }) => permit === 'lesson:list')
    expect(await count(teacher)).toMatchObject({ count: 2, areaText: '本人的记录' })
    expect((await count(leader))!.count).toBe((await leader.client.send(lessonApi.view, all)).total)
  })

  test('is told of people in reach only, and of no other school', async () => {
    const [school, other] = [await newSchool(), await newSchool()]
    const [a, b] = await twoColleges(school)
    const { client } = await school.person('COLLEGE_LEAGUE', [{ caType: 'college', caTarget: a.scId }])
    const far = await school.person('GUIDE_TEACHER', [], { suiCollegeId: b.scId })
    expect((await client.ask(accessApi.view, { suId: far.suId })).status).toBe(404)
    expect((await other.admin.ask(accessApi.view, { suId: far.suId })).status).toBe(404)
    expect((await far.client.ask(accessApi.view, { suId: far.suId })).status).toBe(403)
    const near = await school.person('GUIDE_TEACHER', [], { suiCollegeId: a.scId })
    expect(
      (
        await client.ask(accessApi.test, {
          suId: near.suId,
          permit: 'student:list',
          kind: 'student',
          id: b.students[0]!.suId,
        })
      ).status,
    ).toBe(404)
    expect((await client.send(accessApi.records, { kind: 'student' })).map(({ id }) => id).toSorted()).toEqual(
      a.students.map(({ suId }) => suId).toSorted(),
    )
    expect((await client.send(accessApi.records, { kind: 'college', search: '学院' })).map(({ name }) => name)).toEqual(
      ['甲学院'],
    )
  })
})

describe('a right tried on a record', () => {
  test('is answered as the person themselves is answered, with the reason and who could help', async () => {
    const school = await newSchool()
    const { admin, roles } = school
    const [a, b] = await twoColleges(school)
    await school.person('COLLEGE_LEAGUE', [{ caType: 'college', caTarget: b.scId }], {
      suiName: '乙院书记',
      suiCollegeId: b.scId,
    })
    const { suId, client } = await school.person('COUNSELOR', [{ caType: 'class', caTarget: a.scClassId }], {
      suiCollegeId: a.scId,
    })
    const ask = (permit: string, kind: string, id: string) =>
      admin.send(accessApi.test, { suId, permit, kind: kind as 'student', id })

    const own = await ask('student:list', 'student', a.students[0]!.suId)
    expect(own).toMatchObject({ verdict: 'yes', missing: null, givers: { total: 0 } })
    expect((await client.ask(studentApi.detail, { id: a.students[0]!.suId })).status).toBe(200)

    const far = await ask('student:list', 'student', b.students[0]!.suId)
    expect(far).toMatchObject({ verdict: 'no', missing: 'area' })
    expect(far.givers.people.map(({ suiName }) => suiName).toSorted()).toEqual(['乙院书记', '管理员'])
    expect((await client.ask(studentApi.detail, { id: b.students[0]!.suId })).status).toBe(404)

    const lacking = await ask('student:delete', 'student', a.students[0]!.suId)
    expect(lacking).toMatchObject({
      verdict: 'no',
      missing: 'right',
      givers: { total: 1, people: [{ suiName: '管理员' }] },
    })
    expect(lacking.givers.roles.map(({ srName }) => srName)).toEqual(['校级管理员', '院系团委'])
    expect((await client.ask(studentApi.remove, { ids: [a.students[0]!.suId] })).status).toBe(403)

    expect(await ask('student:list', 'college', a.scId)).toMatchObject({ verdict: 'part' })
    expect(await ask('class:list', 'class', a.scClassId)).toMatchObject({ verdict: 'yes' })
    expect(await admin.ask(accessApi.test, { suId, permit: 'student:list', kind: 'lesson', id: a.scId })).toMatchObject(
      { errors: [{ field: 'kind' }] },
    )
    expect(await admin.ask(accessApi.test, { suId, permit: 'student:fly' })).toMatchObject({
      errors: [{ field: 'permit' }],
    })

    await admin.send(roleApi.save, { ...(await builtIn(school, roles['COUNSELOR']!)), enable: enableStatus.disabled })
    expect(await ask('student:list', 'student', a.students[0]!.suId)).toMatchObject({
      verdict: 'no',
      missing: 'right',
      reasons: [expect.stringContaining('已停用')],
    })
    expect((await client.ask(studentApi.list, all)).status).toBe(403)
  })

  test('on a course tells own courses, approvals, and what may be done now', async () => {
    const world = await lessonWorld(({ leader: committee }) => [{ node: 'PUBLISH', checkers: [committee.suId] }])
    const { school, teacher, leader } = world
    const { liId } = await teacher.client.send(lessonApi.save, { ...world.form(), submit: '1' })
    const ask = (suId: string, permit: string) =>
      school.admin.send(accessApi.test, { suId, permit, kind: 'lesson', id: liId })
    expect(await ask(teacher.suId, 'lesson:edit')).toMatchObject({
      verdict: 'yes',
      reasons: [expect.anything(), expect.stringContaining('发起人、负责人')],
      acts: expect.arrayContaining(['撤回']),
    })
    expect(await ask(leader.suId, 'approval:publish')).toMatchObject({ verdict: 'yes' })
    expect(await ask(school.adminId, 'approval:publish')).toMatchObject({ verdict: 'no', missing: 'task' })
    const stranger = await school.person('GUIDE_TEACHER')
    expect(await ask(stranger.suId, 'lesson:edit')).toMatchObject({ verdict: 'no', missing: 'area', acts: [] })
  })
})

async function builtIn({ admin }: TestSchool, id: string) {
  const { srId, version, srName, srCode, srSort, dataScope, permits } = await admin.send(roleApi.resources, { id })
  return { srId, version, srName, srCode, srSort, dataScope: dataScope as '4', permits }
}
