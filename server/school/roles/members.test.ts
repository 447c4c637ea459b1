import { describe, expect, test } from 'vitest'
import { collegeApi } from '../../../contract/school/organisation/colleges.calls.ts'
import { studentApi } from '../../../contract/school/people/students.calls.ts'
import { memberApi } from '../../../contract/school/roles/members.calls.ts'
import { forgetActors } from '../../core/request/actor-cache.ts'
import { newSchool } from '../../testing/school.ts'
import { endMemberships } from './membership-end.service.ts'

const all = { current: 1, pageSize: 50 }

describe('duties that exclude each other', () => {
  test('are not given to one person, however they are given', async () => {
    const school = await newSchool()
    const { admin, roles } = school
    const auditor = await school.person('AUDITOR', [], { suiName: '督查员' })
    const second = await school.person('SCHOOL_ADMIN', [], { suiName: '副管理员' })
    expect(await admin.ask(memberApi.add, { srId: roles['SCHOOL_ADMIN'], suIds: [auditor.suId] })).toMatchObject({
      reason: 'duties-exclusive',
      msg: '督查员 已是“督查”，不能同时担任“校级管理员”：管理与监督须由不同的人承担',
    })
    expect(await admin.ask(memberApi.add, { srId: roles['AUDITOR'], suIds: [second.suId] })).toMatchObject({
      reason: 'duties-exclusive',
    })
    expect(await admin.ask(memberApi.add, { srId: roles['AUDITOR'], suIds: [school.adminId] })).toMatchObject({
      reason: 'own-grant',
    })
    expect(await admin.ask(memberApi.add, { srId: roles['GUIDE_TEACHER'], suIds: [auditor.suId] })).toMatchObject({
      code: 200,
    })
  })

  test('stay apart when both are given at the same time', async () => {
    const school = await newSchool()
    const { admin, roles } = school
    const people = await Promise.all(Array.from({ length: 6 }, () => school.person('SIGN_MGR')))
    await Promise.all(
      people.flatMap(({ suId }) => [
        admin.ask(memberApi.add, { srId: roles['SCHOOL_ADMIN'], suIds: [suId] }),
        admin.ask(memberApi.add, { srId: roles['AUDITOR'], suIds: [suId] }),
      ]),
    )
    const holders = async (srId: string) =>
      (await admin.send(memberApi.list, { ...all, srId })).records.map(({ suId }) => suId)
    const [admins, auditors] = [await holders(roles['SCHOOL_ADMIN']!), await holders(roles['AUDITOR']!)]
    expect(admins.filter((suId) => auditors.includes(suId))).toEqual([])
    expect(admins.length + auditors.length).toBe(7)
  })
})

describe('members', () => {
  test('who has lost a role can do nothing by it that they ask for afterwards', async () => {
    const school = await newSchool()
    const srId = school.roles['SCHOOL_ADMIN']!
    for (let round = 0; round < 4; round++) {
      const { suId, client } = await school.person('SCHOOL_ADMIN')
      let isOver = false
      const [late, early]: number[][] = [[], []]
      const asking = Promise.all(
        Array.from({ length: 6 }, async () => {
          for (let at = 0; at < 8; at++) {
            const answers = isOver ? late! : early!
            answers.push((await client.ask(studentApi.list, all)).status)
          }
        }),
      )
      await school.admin.send(memberApi.remove, { srId, suIds: [suId] })
      isOver = true
      late!.push((await client.ask(studentApi.list, all)).status)
      await asking
      expect(new Set(late)).toEqual(new Set([403]))
      expect(early!.every((status) => status === 200 || status === 403)).toBe(true)
    }
  })

  test('are listed with their area by name, and lose everything with their role', async () => {
    const school = await newSchool()
    const { admin, roles } = school
    const scId = await school.college('外语学院')
    const smId = await school.major(scId, '英语')
    const { suId, client } = await school.person('SIGN_MGR', [], { suiName: '成员甲', suiCollegeId: scId })
    const srId = roles['COUNSELOR']!
    await admin.send(memberApi.add, { srId, suIds: [suId], smIds: [smId], grades: ['2024'] })
    const [row] = (await admin.send(memberApi.list, { ...all, srId })).records
    expect(row).toMatchObject({
      suId,
      srName: '辅导员',
      collegeName: '外语学院',
      area: { smIds: [smId], grades: ['2024'] },
      grantName: '管理员',
      endDate: null,
      can: ['grant'],
    })
    expect(row!.area.names.map(({ name }) => name).toSorted()).toEqual(['2024级', '外语学院 / 英语'])
    expect(await admin.send(memberApi.add, { srId, suIds: [suId], scIds: [scId] })).toEqual({ affected: 0 })
    expect((await admin.send(memberApi.area, { srId, suId })).scIds).toEqual([])
    expect(await admin.ask(memberApi.setArea, { srId, suId, scIds: [smId] })).toMatchObject({
      code: 300,
      errors: [{ field: 'scIds' }],
    })
    expect((await client.ask(studentApi.list, all)).status).toBe(200)
    await admin.send(memberApi.remove, { srId, suIds: [suId] })
    expect((await client.ask(studentApi.list, all)).status).toBe(403)
    expect(await admin.ask(memberApi.remove, { srId, suIds: [suId] })).toMatchObject({ status: 404 })
  })

  test('lose their role when its last day is over, and the list forgets them', async () => {
    const school = await newSchool()
    const { admin, roles, clock } = school
    const srId = roles['COUNSELOR']!
    const scId = await school.college()
    const { suId, client } = await school.person('SIGN_MGR', [], { suiCollegeId: scId })
    const today = clock.now().slice(0, 10)
    expect(await admin.ask(memberApi.add, { srId, suIds: [suId], scIds: [scId], endDate: '2020-01-01' })).toMatchObject(
      { errors: [{ field: 'endDate' }] },
    )
    await admin.send(memberApi.add, { srId, suIds: [suId], scIds: [scId], endDate: today })
    expect((await client.ask(studentApi.list, all)).status).toBe(200)
    await school.ctx.db
      .updateTable('roleUser')
      .set({ endDate: '2026-11-01' })
      .where('schoolId', '=', school.schoolId)
      .where('srId', '=', srId)
      .where('suId', '=', suId)
      .execute()
    forgetActors(school.schoolId)
    expect((await client.ask(studentApi.list, all)).status).toBe(403)
    expect((await admin.send(memberApi.list, { ...all, srId })).records).toMatchObject([
      { suId, endDate: '2026-11-01' },
    ])
    expect(await endMemberships(school.services)).toBeGreaterThan(0)
    expect((await admin.send(memberApi.list, { ...all, srId })).total).toBe(0)
    const trail = await school.ctx.db
      .selectFrom('auditLog')
      .select(['action', 'actorName', 'bizName'])
      .where('schoolId', '=', school.schoolId)
      .where('action', '=', '角色到期')
      .execute()
    expect(trail).toMatchObject([{ actorName: '系统', bizName: expect.stringContaining('辅导员') }])
    expect((await client.ask(studentApi.list, all)).status).toBe(403)
  })

  test('may have their end moved by others, and the last administrator’s role has none', async () => {
    const school = await newSchool()
    const { admin, roles } = school
    const { suId } = await school.person('NEWS_EDITOR')
    expect(
      await admin.send(memberApi.setEnd, { srId: roles['NEWS_EDITOR']!, suIds: [suId], endDate: '2030-06-30' }),
    ).toEqual({ affected: 1 })
    expect((await admin.send(memberApi.list, { ...all, srId: roles['NEWS_EDITOR']! })).records[0]!.endDate).toBe(
      '2030-06-30',
    )
    await admin.send(memberApi.setEnd, { srId: roles['NEWS_EDITOR']!, suIds: [suId] })
    expect((await admin.send(memberApi.list, { ...all, srId: roles['NEWS_EDITOR']! })).records[0]!.endDate).toBeNull()
    expect(
      await admin.ask(memberApi.setEnd, {
        srId: roles['SCHOOL_ADMIN'],
        suIds: [school.adminId],
        endDate: '2030-06-30',
      }),
    ).toMatchObject({ reason: 'own-grant' })
    const second = await school.person('SCHOOL_ADMIN')
    expect(
      await second.client.send(memberApi.setEnd, {
        srId: roles['SCHOOL_ADMIN']!,
        suIds: [school.adminId],
        endDate: '2030-06-30',
      }),
    ).toEqual({ affected: 1 })
    expect(
      await admin.ask(memberApi.setEnd, { srId: roles['SCHOOL_ADMIN'], suIds: [second.suId], endDate: '2030-06-30' }),
    ).toMatchObject({ reason: 'last-admin' })
  })

  test('of the school administrators are never none', async () => {
    const school = await newSchool()
    const srId = school.roles['SCHOOL_ADMIN']!
    expect(await school.admin.ask(memberApi.remove, { srId, suIds: [school.adminId] })).toMatchObject({
      reason: 'last-admin',
    })
    const second = await school.person('SCHOOL_ADMIN')
    expect(await second.client.send(memberApi.remove, { srId, suIds: [school.adminId] })).toEqual({ affected: 1 })
    expect((await school.admin.ask(collegeApi.list, all)).status).toBe(403)
    const third = await school.person('SCHOOL_ADMIN')
    await Promise.all([
      second.client.ask(memberApi.remove, { srId, suIds: [third.suId] }),
      third.client.ask(memberApi.remove, { srId, suIds: [second.suId] }),
    ])
    const left = await school.ctx.db
      .selectFrom('roleUser')
      .select('suId')
      .where('schoolId', '=', school.schoolId)
      .where('srId', '=', srId)
      .execute()
    expect(left.length).toBeGreaterThan(0)
  })

  test('are given over no more than the right to give covers, even where other rights reach further', async () => {
    const school = await newSchool()
    const { roles } = school
    const [own, strange] = [await school.college(), await school.college()]
    const { client, suId } = await school.person('COLLEGE_LEAGUE', [{ caType: 'college', caTarget: own }], {
      suiCollegeId: own,
    })
    await school.admin.send(memberApi.add, { srId: roles['CLASS_TUTOR']!, suIds: [suId], scIds: [own, strange] })
    const helper = await school.person('SIGN_MGR', [], { suiCollegeId: own })
    expect(
      await client.ask(memberApi.add, { srId: roles['CLASS_TUTOR'], suIds: [helper.suId], scIds: [strange] }),
    ).toMatchObject({ reason: 'grant-exceeds-own' })
    expect(
      await client.ask(memberApi.add, { srId: roles['CLASS_TUTOR'], suIds: [helper.suId], scIds: [own] }),
    ).toMatchObject({ code: 200 })
  })

  test('refused attempts to give what is not one’s own stand on the audit trail', async () => {
    const school = await newSchool()
    const [own, strange] = [await school.college(), await school.college()]
    const { client, suId } = await school.person('COLLEGE_LEAGUE', [{ caType: 'college', caTarget: own }], {
      suiCollegeId: own,
    })
    const srId = school.roles['COLLEGE_LEAGUE']!
    expect((await client.ask(memberApi.setArea, { srId, suId, scIds: [own, strange] })).reason).toBe(
      'grant-exceeds-own',
    )
    expect((await client.ask(memberApi.setArea, { srId, suId, scIds: [own] })).reason).toBe('own-grant')
    const trail = await school.ctx.db
      .selectFrom('auditLog')
      .select(['action', 'result', 'reason', 'bizId'])
      .where('schoolId', '=', school.schoolId)
      .where('actorId', '=', suId)
      .where('bizType', '=', 'role')
      .orderBy('logTime')
      .orderBy('logId')
      .execute()
    expect(trail).toEqual([
      { action: '设置成员的管理范围', result: 'refused', reason: '不能授予您自己没有的权限或范围', bizId: srId },
      { action: '设置成员的管理范围', result: 'refused', reason: expect.stringContaining('不能为自己'), bizId: srId },
    ])
  })

  test('of other schools cannot be read or made', async () => {
    const [school, other] = [await newSchool(), await newSchool()]
    const { suId } = await school.person('COUNSELOR')
    const srId = school.roles['COUNSELOR']!
    expect((await other.admin.send(memberApi.list, { ...all, srId })).total).toBe(0)
    expect((await other.admin.ask(memberApi.area, { srId, suId })).status).toBe(404)
    expect((await other.admin.ask(memberApi.add, { srId, suIds: [suId] })).status).toBe(404)
    expect((await other.admin.ask(memberApi.add, { srId: other.roles['COUNSELOR'], suIds: [suId] })).status).toBe(404)
    expect(
      (
        await other.admin.ask(memberApi.add, {
          srId: other.roles['COUNSELOR'],
          suIds: [other.adminId],
          scIds: [await school.college()],
        })
      ).errors,
    ).toMatchObject([{ field: 'scIds' }])
  })
})
