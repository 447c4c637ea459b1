import { describe, expect, test } from 'vitest'
import { yesNo } from '../../../contract/core/codes/platform.ts'
import { flowCheckerType } from '../../../contract/core/codes/rules.ts'
import { dataScope, roleType } from '../../../contract/core/codes/school.ts'
import { allPermits } from '../../../contract/index.ts'
import { studentApi } from '../../../contract/school/people/students.calls.ts'
import { memberApi } from '../../../contract/school/roles/members.calls.ts'
import { roleApi } from '../../../contract/school/roles/roles.calls.ts'
import { makeFlow } from '../../testing/flows.ts'
import { newSchool } from '../../testing/school.ts'

const all = { current: 1, pageSize: 50 }

describe('roles', () => {
  test('are added, copied from built-in ones, changed, and take effect at once', async () => {
    const school = await newSchool()
    const { admin, roles } = school
    const counselor = await admin.send(roleApi.resources, { id: roles['COUNSELOR']! })
    expect(counselor).toMatchObject({
      srType: roleType.builtIn,
      dataScope: dataScope.schoolClass,
      can: ['edit', 'copy', 'grant'],
    })
    const { srId } = await admin.send(roleApi.save, {
      srName: '兼职辅导员',
      dataScope: dataScope.schoolClass,
      permits: counselor.permits,
    })
    expect((await admin.send(roleApi.list, { ...all, srName: '兼职' })).records).toMatchObject([
      {
        srId,
        srType: roleType.custom,
        permitCount: counselor.permits.length,
        userCount: 0,
        can: ['edit', 'copy', 'delete', 'grant'],
      },
    ])

    const helper = await school.person('SIGN_MGR')
    expect((await helper.client.ask(studentApi.list, all)).status).toBe(403)
    const scId = await school.college()
    await admin.send(memberApi.add, { srId, suIds: [helper.suId], scIds: [scId] })
    expect((await helper.client.ask(studentApi.list, all)).status).toBe(200)
    await admin.send(roleApi.save, {
      srId,
      version: 0,
      srName: '兼职辅导员',
      dataScope: dataScope.schoolClass,
      permits: [],
      srCode: 'PART',
    })
    expect((await helper.client.ask(studentApi.list, all)).status).toBe(403)
  })

  test('refuse taken names, rights that do not exist, built-in changes and old versions', async () => {
    const { admin, roles } = await newSchool()
    expect(await admin.ask(roleApi.save, { srName: '团支书' })).toMatchObject({
      reason: 'name-taken',
      errors: [{ field: 'srName' }],
    })
    expect(await admin.ask(roleApi.save, { srName: '甲', permits: ['lesson:everything'] })).toMatchObject({
      code: 300,
      errors: [{ field: 'permits' }],
    })
    const builtIn = await admin.send(roleApi.resources, { id: roles['LEAGUE_SEC']! })
    const same = {
      srId: builtIn.srId,
      version: builtIn.version,
      srName: builtIn.srName,
      srCode: builtIn.srCode,
      dataScope: dataScope.schoolClass,
      permits: builtIn.permits,
    }
    expect(await admin.ask(roleApi.save, { ...same, permits: [...builtIn.permits, 'role:list'] })).toMatchObject({
      reason: 'role-built-in-fixed',
    })
    expect(await admin.ask(roleApi.save, { ...same, dataScope: dataScope.school })).toMatchObject({
      reason: 'role-built-in-fixed',
    })
    expect(await admin.send(roleApi.save, { ...same, srDesc: '班级团支部书记' })).toEqual({ srId: builtIn.srId })
    expect(await admin.ask(roleApi.save, { ...same, srDesc: '旧' })).toMatchObject({ status: 409 })
    expect(await admin.ask(roleApi.save, { srName: '乙', srType: roleType.builtIn })).toMatchObject({
      msg: '不支持的字段：srType',
    })
  })

  test('stay while they have members or a flow names them, and built-in ones always', async () => {
    const school = await newSchool()
    const { admin, roles } = school
    const { srId } = await admin.send(roleApi.save, { srName: '临时角色' })
    const { srId: free } = await admin.send(roleApi.save, { srName: '空闲角色' })
    const someone = await school.person('SIGN_MGR')
    await admin.send(memberApi.add, { srId, suIds: [someone.suId] })
    expect(await admin.send(roleApi.verify, { id: srId })).toEqual({
      canDelete: false,
      builtIn: false,
      userCount: 1,
      flowCount: 0,
      moduleCount: 0,
      flows: [],
      modules: [],
    })
    expect(await admin.ask(roleApi.remove, { ids: [free, srId] })).toMatchObject({
      reason: 'role-in-use',
      msg: expect.stringContaining('1 名成员'),
    })
    expect(await admin.ask(roleApi.remove, { ids: [roles['NEWS_EDITOR']!] })).toMatchObject({ reason: 'role-built-in' })
    expect(await admin.send(roleApi.remove, { ids: [free] })).toEqual({ affected: 1 })
    expect((await admin.ask(roleApi.verify, { id: free })).status).toBe(404)
  })

  test('tell before they are deleted which flows and modules name them', async () => {
    const school = await newSchool()
    const { admin, ctx, schoolId } = school
    const { srId } = await admin.send(roleApi.save, { srName: '终审' })
    const wfId = await makeFlow(school, [{ node: 'PUBLISH', checkerType: flowCheckerType.role, checkers: [srId] }], {
      wfName: '院级流程',
    })
    await makeFlow(school, [], { wfName: '适用于终审的流程', isDefault: yesNo.no, roleIds: [srId] })
    await ctx.db
      .updateTable('curriculum')
      .set({ ownerRoleId: srId })
      .where('schoolId', '=', schoolId)
      .where('lsId', '=', school.curriculum['SXCL']!)
      .execute()
    expect(await admin.send(roleApi.verify, { id: srId })).toMatchObject({
      canDelete: false,
      userCount: 0,
      flowCount: 2,
      flows: expect.arrayContaining([{ wfId, wfName: '院级流程' }]),
      moduleCount: 1,
      modules: [{ lsId: school.curriculum['SXCL'] }],
    })
    expect(await admin.ask(roleApi.remove, { ids: [srId] })).toMatchObject({
      msg: '角色“终审”仍有 2 个使用它的流程、1 个由它负责的课程体系，不能删除',
    })
  })

  test('take rights in and out only from those who hold them for the whole school', async () => {
    const school = await newSchool()
    const { admin, roles } = school
    const { srId: shaper } = await admin.send(roleApi.save, {
      srName: '角色管理员',
      dataScope: dataScope.school,
      permits: ['role:list', 'role:edit', 'student:list', 'class:list'],
    })
    const { srId } = await admin.send(roleApi.save, {
      srName: '助理',
      dataScope: dataScope.school,
      permits: ['student:delete', 'student:list'],
    })
    const editor = await school.person('SIGN_MGR')
    await admin.send(memberApi.add, { srId: shaper, suIds: [editor.suId] })
    const save = (version: number, permits: string[], more = {}) =>
      editor.client.ask(roleApi.save, { srId, version, srName: '助理', dataScope: dataScope.school, permits, ...more })
    expect(await save(0, ['student:delete', 'student:list', 'class:list'])).toMatchObject({ code: 200 })
    expect(await save(1, ['student:list', 'class:list'])).toMatchObject({ reason: 'grant-exceeds-own' })
    expect(
      await save(1, ['student:delete', 'student:list', 'class:list'], { dataScope: dataScope.college }),
    ).toMatchObject({
      reason: 'grant-exceeds-own',
    })
    const held = new Map(
      (await editor.client.send(roleApi.menuTree, {})).flatMap(({ pages }) =>
        pages.flatMap(({ elements }) => elements.map((one) => [one.permit, one.held])),
      ),
    )
    expect([held.get('student:list'), held.get('student:delete'), held.get('lesson:sign')]).toEqual([
      'whole',
      'none',
      'part',
    ])
    const partly = await school.person('COUNSELOR', [{ caType: 'college', caTarget: await school.college() }])
    await admin.send(memberApi.add, { srId: roles['SCHOOL_AUDIT']!, suIds: [partly.suId] })
    const both = new Map(
      (await partly.client.send(roleApi.menuTree, {})).flatMap(({ pages }) =>
        pages.flatMap(({ elements }) => elements.map((one) => [one.permit, one.held])),
      ),
    )
    expect([both.get('student:list'), both.get('lesson:edit')]).toEqual(['whole', 'part'])
  })

  test('are seen by the matrix of rights whole: every right stands in it', async () => {
    const { admin } = await newSchool()
    const tree = await admin.send(roleApi.menuTree, {})
    const listed = new Set(
      tree.flatMap(({ pages }) => pages.flatMap(({ elements }) => elements.map(({ permit }) => permit))),
    )
    expect([...allPermits.keys()].filter((permit) => !listed.has(permit))).toEqual([])
    expect(
      tree.every(({ pages }) => pages.every(({ elements }) => elements.every(({ acts }) => acts.length > 0))),
    ).toBe(true)
  })
})

describe('nobody gives away more than they have', () => {
  test('in rights or in area, neither to others nor to themselves', async () => {
    const school = await newSchool()
    const { roles } = school
    const [own, strange] = [await school.college(), await school.college()]
    const { client, suId } = await school.person('COLLEGE_LEAGUE', [{ caType: 'college', caTarget: own }], {
      suiCollegeId: own,
    })
    const teacher = await school.person('SIGN_MGR', [], { suiCollegeId: own })
    const outsider = await school.person('SIGN_MGR', [], { suiCollegeId: strange })
    const grant = (srId: string, area = {}, who = teacher.suId) =>
      client.ask(memberApi.add, { srId, suIds: [who], ...area })
    expect(await grant(roles['SCHOOL_ADMIN']!)).toMatchObject({ reason: 'grant-exceeds-own' })
    expect(await grant(roles['SCHOOL_ADMIN']!, {}, suId)).toMatchObject({ reason: 'grant-exceeds-own' })
    expect(await grant(roles['COUNSELOR']!, { scIds: [strange] })).toMatchObject({ reason: 'grant-exceeds-own' })
    expect(await grant(roles['COUNSELOR']!, { grades: ['2024'] })).toMatchObject({ reason: 'grant-exceeds-own' })
    expect(await grant(roles['COUNSELOR']!, { scIds: [own] }, outsider.suId)).toMatchObject({ status: 404 })
    expect(
      await client.ask(memberApi.setArea, { srId: roles['COLLEGE_LEAGUE'], suId, scIds: [own, strange] }),
    ).toMatchObject({ reason: 'grant-exceeds-own' })
    expect(await client.ask(memberApi.setArea, { srId: roles['COLLEGE_LEAGUE'], suId, scIds: [own] })).toMatchObject({
      reason: 'own-grant',
    })
    expect(await grant(roles['COUNSELOR']!, { scIds: [own] }, suId)).toMatchObject({ reason: 'own-grant' })
    expect(await grant(roles['COUNSELOR']!, { scIds: [own], grades: ['2024'] })).toMatchObject({
      code: 200,
      data: { affected: 1 },
    })
    expect(await client.ask(memberApi.remove, { srId: roles['SCHOOL_ADMIN'], suIds: [school.adminId] })).toMatchObject({
      status: 404,
    })
    expect((await client.ask(roleApi.save, { srName: '自封', permits: ['role:edit'] })).status).toBe(403)
  })

  test('when shaping a role, for a role may be given to anybody anywhere', async () => {
    const school = await newSchool()
    const [own, code] = [await school.college(), 'LIMITED_EDITOR']
    await school.admin.send(roleApi.save, {
      srName: '学院角色管理员',
      srCode: code,
      dataScope: dataScope.college,
      permits: ['role:list', 'role:edit', 'role:delete', 'student:list'],
    })
    const { srId } = (await school.admin.send(roleApi.options, {})).find(({ srCode }) => srCode === code)!
    const editor = await school.person('SIGN_MGR', [], { suiCollegeId: own })
    await school.admin.send(memberApi.add, { srId, suIds: [editor.suId], scIds: [own] })
    expect(await editor.client.ask(roleApi.save, { srName: '新角色', permits: ['student:list'] })).toMatchObject({
      reason: 'grant-exceeds-own',
    })
    await school.admin.send(memberApi.setArea, { srId, suId: editor.suId, scIds: [own] })
    await school.ctx.db
      .updateTable('role')
      .set({ dataScope: dataScope.school })
      .where('schoolId', '=', school.schoolId)
      .where('srId', '=', srId)
      .execute()
    await school.admin.send(memberApi.setArea, { srId, suId: editor.suId })
    expect(await editor.client.ask(roleApi.save, { srName: '新角色', permits: ['student:edit'] })).toMatchObject({
      reason: 'grant-exceeds-own',
    })
    expect(await editor.client.ask(roleApi.save, { srName: '新角色', permits: ['student:list'] })).toMatchObject({
      code: 200,
    })
  })
})

test('the options of roles and their search are open to everybody of the school, and only to them', async () => {
  const [school, other] = [await newSchool(), await newSchool()]
  const guide = await school.person('GUIDE_TEACHER', [], { suiName: '指导者' })
  expect((await guide.client.send(roleApi.options, {})).map(({ srCode }) => srCode)).toContain('LEAGUE_SEC')
  expect((await guide.client.send(roleApi.ownRoles, {})).map(({ srCode }) => srCode)).toEqual(['GUIDE_TEACHER'])
  expect(await guide.client.send(roleApi.search, { search: '指导' })).toMatchObject({
    roles: [{ srCode: 'GUIDE_TEACHER' }],
    users: [{ suId: guide.suId }],
  })
  expect((await guide.client.send(roleApi.search, { srId: school.roles['GUIDE_TEACHER']! })).users).toHaveLength(1)
  expect((await other.admin.send(roleApi.search, { srId: school.roles['GUIDE_TEACHER']! })).users).toEqual([])
  expect((await school.nobody.ask(roleApi.options)).status).toBe(401)
})
