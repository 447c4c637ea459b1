import { describe, expect, test } from 'vitest'
import { allPermits } from '../../contract/index.ts'
import { collegeApi } from '../../contract/organisation/colleges.calls.ts'
import { studentApi } from '../../contract/people/students.calls.ts'
import { memberApi } from '../../contract/roles/members.calls.ts'
import { roleApi } from '../../contract/roles/roles.calls.ts'
import { newSchool } from '../testing/school.ts'

const all = { current: 1, pageSize: 50 }

describe('roles', () => {
  test('are added, copied from built-in ones, changed, and take effect at once', async () => {
    const school = await newSchool()
    const { admin, roles } = school
    const counselor = await admin.send(roleApi.resources, { id: roles['COUNSELOR']! })
    expect(counselor).toMatchObject({ srType: '1', dataScope: '4', can: ['edit', 'copy', 'grant'] })
    const { srId } = await admin.send(roleApi.save, { srName: '兼职辅导员', dataScope: '4', permits: counselor.permits })
    expect((await admin.send(roleApi.list, { ...all, srName: '兼职' })).records).toMatchObject([{ srId, srType: '2', permitCount: counselor.permits.length, userCount: 0, can: ['edit', 'copy', 'delete', 'grant'] }])

    const helper = await school.person('SIGN_MGR')
    expect((await helper.client.ask(studentApi.list, all)).status).toBe(403)
    const scId = await school.college()
    await admin.send(memberApi.add, { srId, suIds: [helper.suId], scIds: [scId] })
    expect((await helper.client.ask(studentApi.list, all)).status).toBe(200)
    await admin.send(roleApi.save, { srId, version: 0, srName: '兼职辅导员', dataScope: '4', permits: [], srCode: 'PART' })
    expect((await helper.client.ask(studentApi.list, all)).status).toBe(403)
  })

  test('refuse taken names, rights that do not exist, built-in changes and old versions', async () => {
    const { admin, roles } = await newSchool()
    expect(await admin.ask(roleApi.save, { srName: '团支书' })).toMatchObject({ reason: 'name-taken', errors: [{ field: 'srName' }] })
    expect(await admin.ask(roleApi.save, { srName: '甲', permits: ['lesson:everything'] })).toMatchObject({ code: 300, errors: [{ field: 'permits' }] })
    const builtIn = await admin.send(roleApi.resources, { id: roles['LEAGUE_SEC']! })
    const same = { srId: builtIn.srId, version: builtIn.version, srName: builtIn.srName, srCode: builtIn.srCode, dataScope: '4' as const, permits: builtIn.permits }
    expect(await admin.ask(roleApi.save, { ...same, permits: [...builtIn.permits, 'role:list'] })).toMatchObject({ reason: 'role-built-in-fixed' })
    expect(await admin.ask(roleApi.save, { ...same, dataScope: '1' })).toMatchObject({ reason: 'role-built-in-fixed' })
    expect(await admin.send(roleApi.save, { ...same, srDesc: '班级团支部书记' })).toEqual({ srId: builtIn.srId })
    expect(await admin.ask(roleApi.save, { ...same, srDesc: '旧' })).toMatchObject({ status: 409 })
    expect(await admin.ask(roleApi.save, { srName: '乙', srType: '1' })).toMatchObject({ msg: '不支持的字段：srType' })
  })

  test('stay while they have members or a flow names them, and built-in ones always', async () => {
    const school = await newSchool()
    const { admin, roles } = school
    const { srId } = await admin.send(roleApi.save, { srName: '临时角色' })
    const { srId: free } = await admin.send(roleApi.save, { srName: '空闲角色' })
    const someone = await school.person('SIGN_MGR')
    await admin.send(memberApi.add, { srId, suIds: [someone.suId] })
    expect(await admin.send(roleApi.verify, { id: srId })).toEqual({ canDelete: false, builtIn: false, userCount: 1, flowCount: 0 })
    expect(await admin.ask(roleApi.remove, { ids: [free, srId] })).toMatchObject({ reason: 'role-in-use', msg: expect.stringContaining('1 名成员') })
    expect(await admin.ask(roleApi.remove, { ids: [roles['NEWS_EDITOR']!] })).toMatchObject({ reason: 'role-built-in' })
    expect(await admin.send(roleApi.remove, { ids: [free] })).toEqual({ affected: 1 })
    expect((await admin.ask(roleApi.verify, { id: free })).status).toBe(404)
  })

  test('are seen by the matrix of rights whole: every right stands in it', async () => {
    const { admin } = await newSchool()
    const tree = await admin.send(roleApi.menuTree, {})
    const told = new Set(tree.flatMap(({ pages }) => pages.flatMap(({ elements }) => elements.map(({ permit }) => permit))))
    expect([...allPermits.keys()].filter((permit) => !told.has(permit))).toEqual([])
    expect(tree.every(({ pages }) => pages.every(({ elements }) => elements.every(({ acts }) => acts.length > 0)))).toBe(true)
  })
})

describe('nobody gives away more than he has', () => {
  test('in rights or in area, neither to others nor to himself', async () => {
    const school = await newSchool()
    const { roles } = school
    const [own, strange] = [await school.college(), await school.college()]
    const { client, suId } = await school.person('COLLEGE_LEAGUE', [{ caType: 'college', caTarget: own }], { suiCollegeId: own })
    const teacher = await school.person('SIGN_MGR', [], { suiCollegeId: own })
    const outsider = await school.person('SIGN_MGR', [], { suiCollegeId: strange })
    const grant = (srId: string, area = {}, who = teacher.suId) => client.ask(memberApi.add, { srId, suIds: [who], ...area })
    expect(await grant(roles['SCHOOL_ADMIN']!)).toMatchObject({ reason: 'grant-exceeds-own' })
    expect(await grant(roles['SCHOOL_ADMIN']!, {}, suId)).toMatchObject({ reason: 'grant-exceeds-own' })
    expect(await grant(roles['COUNSELOR']!, { scIds: [strange] })).toMatchObject({ reason: 'grant-exceeds-own' })
    expect(await grant(roles['COUNSELOR']!, { grades: ['2024'] })).toMatchObject({ reason: 'grant-exceeds-own' })
    expect(await grant(roles['COUNSELOR']!, { scIds: [own] }, outsider.suId)).toMatchObject({ status: 404 })
    expect(await client.ask(memberApi.setArea, { srId: roles['COLLEGE_LEAGUE'], suId, scIds: [own, strange] })).toMatchObject({ reason: 'grant-exceeds-own' })
    expect(await client.ask(memberApi.setArea, { srId: roles['COLLEGE_LEAGUE'], suId, scIds: [own] })).toMatchObject({ code: 200 })
    expect(await grant(roles['COUNSELOR']!, { scIds: [own], grades: ['2024'] })).toMatchObject({ code: 200, data: { affected: 1 } })
    expect(await client.ask(memberApi.remove, { srId: roles['SCHOOL_ADMIN'], suIds: [school.adminId] })).toMatchObject({ status: 404 })
    expect((await client.ask(roleApi.save, { srName: '自封', permits: ['role:edit'] })).status).toBe(403)
  })

  test('when shaping a role, for a role may be given to anybody anywhere', async () => {
    const school = await newSchool()
    const [own, code] = [await school.college(), 'LIMITED_EDITOR']
    await school.admin.send(roleApi.save, { srName: '学院角色管理员', srCode: code, dataScope: '2', permits: ['role:list', 'role:edit', 'role:delete', 'student:list'] })
    const { srId } = (await school.admin.send(roleApi.options, {})).find(({ srCode }) => srCode === code)!
    const editor = await school.person('SIGN_MGR', [], { suiCollegeId: own })
    await school.admin.send(memberApi.add, { srId, suIds: [editor.suId], scIds: [own] })
    expect(await editor.client.ask(roleApi.save, { srName: '新角色', permits: ['student:list'] })).toMatchObject({ reason: 'grant-exceeds-own' })
    await school.admin.send(memberApi.setArea, { srId, suId: editor.suId, scIds: [own] })
    await school.ctx.db.updateTable('role').set({ dataScope: '1' }).where('schoolId', '=', school.schoolId).where('srId', '=', srId).execute()
    await school.admin.send(memberApi.setArea, { srId, suId: editor.suId })
    expect(await editor.client.ask(roleApi.save, { srName: '新角色', permits: ['student:edit'] })).toMatchObject({ reason: 'grant-exceeds-own' })
    expect(await editor.client.ask(roleApi.save, { srName: '新角色', permits: ['student:list'] })).toMatchObject({ code: 200 })
  })
})

describe('members', () => {
  test('are listed with their area by name, and lose everything with their role', async () => {
    const school = await newSchool()
    const { admin, roles } = school
    const scId = await school.college('外语学院')
    const smId = await school.major(scId, '英语')
    const { suId, client } = await school.person('SIGN_MGR', [], { suiName: '成员甲', suiCollegeId: scId })
    const srId = roles['COUNSELOR']!
    await admin.send(memberApi.add, { srId, suIds: [suId], smIds: [smId], grades: ['2024'] })
    const [row] = (await admin.send(memberApi.list, { ...all, srId })).records
    expect(row).toMatchObject({ suId, srName: '辅导员', collegeName: '外语学院', area: { smIds: [smId], grades: ['2024'] }, can: ['grant'] })
    expect(row!.area.names.map(({ name }) => name).toSorted()).toEqual(['2024级', '外语学院 / 英语'])
    expect(await admin.send(memberApi.add, { srId, suIds: [suId], scIds: [scId] })).toEqual({ affected: 0 })
    expect((await admin.send(memberApi.area, { srId, suId })).scIds).toEqual([])
    expect(await admin.ask(memberApi.setArea, { srId, suId, scIds: [smId] })).toMatchObject({ code: 300, errors: [{ field: 'scIds' }] })
    expect((await client.ask(studentApi.list, all)).status).toBe(200)
    await admin.send(memberApi.remove, { srId, suIds: [suId] })
    expect((await client.ask(studentApi.list, all)).status).toBe(403)
    expect(await admin.ask(memberApi.remove, { srId, suIds: [suId] })).toMatchObject({ status: 404 })
  })

  test('of the school administrators are never none', async () => {
    const school = await newSchool()
    const srId = school.roles['SCHOOL_ADMIN']!
    expect(await school.admin.ask(memberApi.remove, { srId, suIds: [school.adminId] })).toMatchObject({ reason: 'last-admin' })
    const second = await school.person('SCHOOL_ADMIN')
    expect(await second.client.send(memberApi.remove, { srId, suIds: [school.adminId] })).toEqual({ affected: 1 })
    expect((await school.admin.ask(collegeApi.list, all)).status).toBe(403)
  })

  test('of other schools cannot be read or made', async () => {
    const [school, other] = [await newSchool(), await newSchool()]
    const { suId } = await school.person('COUNSELOR')
    const srId = school.roles['COUNSELOR']!
    expect((await other.admin.send(memberApi.list, { ...all, srId })).total).toBe(0)
    expect((await other.admin.ask(memberApi.area, { srId, suId })).status).toBe(404)
    expect((await other.admin.ask(memberApi.add, { srId, suIds: [suId] })).status).toBe(404)
    expect((await other.admin.ask(memberApi.add, { srId: other.roles['COUNSELOR'], suIds: [suId] })).status).toBe(404)
    expect((await other.admin.ask(memberApi.add, { srId: other.roles['COUNSELOR'], suIds: [other.adminId], scIds: [await school.college()] })).errors).toMatchObject([{ field: 'scIds' }])
  })
})

describe('the league secretary of a class', () => {
  test('is one; another replaces him only when that is said', async () => {
    const school = await newSchool()
    const scId = await school.college()
    const smId = await school.major(scId)
    const scClassId = await school.schoolClass(smId, scId)
    const [first, second] = await school.students(2, { suiCollegeId: scId, majorId: smId, scClassId })
    const { client } = await school.person('COLLEGE_LEAGUE', [{ caType: 'college', caTarget: scId }])
    const srId = school.roles['LEAGUE_SEC']!
    expect(await client.send(memberApi.addSecretary, { srId, suId: first!.suId })).toEqual({ affected: 1 })
    expect(await client.send(memberApi.addSecretary, { srId, suId: first!.suId })).toEqual({ affected: 0 })
    expect(await client.ask(memberApi.addSecretary, { srId, suId: second!.suId })).toMatchObject({ reason: 'secretary-exists', msg: expect.stringContaining(first!.suiName) })
    expect(await client.send(memberApi.appointSecretary, { srId, suId: second!.suId, replace: '1' })).toEqual({ affected: 1 })
    const members = await client.send(memberApi.list, { ...all, srId })
    expect(members.records).toMatchObject([{ suId: second!.suId, area: { scClassIds: [scClassId] } }])
    expect((await client.send(studentApi.detail, { id: second!.suId })).isLeagueSecretary).toBe(true)
    expect(await client.ask(memberApi.appointSecretary, { srId: school.roles['COUNSELOR'], suId: first!.suId })).toMatchObject({ code: 200 })
    expect(await client.ask(memberApi.appointSecretary, { srId: school.roles['GUIDE_TEACHER'], suId: first!.suId })).toMatchObject({ errors: [{ field: 'srId' }] })
  })

  test('is one after twenty appointments at the same time', async () => {
    const school = await newSchool()
    const scId = await school.college()
    const smId = await school.major(scId)
    const scClassId = await school.schoolClass(smId, scId)
    const students = await school.students(20, { suiCollegeId: scId, majorId: smId, scClassId })
    const srId = school.roles['LEAGUE_SEC']!
    const replies = await Promise.all(students.map(({ suId }) => school.admin.ask(memberApi.appointSecretary, { srId, suId })))
    expect(replies.filter(({ code }) => code === 200).length).toBe(1)
    expect(replies.filter(({ reason }) => reason === 'secretary-exists').length).toBe(19)
    expect((await school.admin.send(memberApi.list, { ...all, srId })).total).toBe(1)
  })
})

test('the options of roles and their search are open to everybody of the school, and only to them', async () => {
  const [school, other] = [await newSchool(), await newSchool()]
  const guide = await school.person('GUIDE_TEACHER', [], { suiName: '指导者' })
  expect((await guide.client.send(roleApi.options, {})).map(({ srCode }) => srCode)).toContain('LEAGUE_SEC')
  expect((await guide.client.send(roleApi.ownRoles, {})).map(({ srCode }) => srCode)).toEqual(['GUIDE_TEACHER'])
  expect(await guide.client.send(roleApi.search, { search: '指导' })).toMatchObject({ roles: [{ srCode: 'GUIDE_TEACHER' }], users: [{ suId: guide.suId }] })
  expect((await guide.client.send(roleApi.search, { srId: school.roles['GUIDE_TEACHER']! })).users).toHaveLength(1)
  expect((await other.admin.send(roleApi.search, { srId: school.roles['GUIDE_TEACHER']! })).users).toEqual([])
  expect((await school.nobody.ask(roleApi.options)).status).toBe(401)
})
