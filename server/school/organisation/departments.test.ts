import { describe, expect, test } from 'vitest'
import { departmentApi } from '../../../contract/school/organisation/departments.calls.ts'
import { regionApi } from '../../../contract/school/organisation/regions.calls.ts'
import { teacherApi } from '../../../contract/school/people/teachers.calls.ts'
import { newSchool, unique } from '../../testing/school.ts'

const all = { current: 1, pageSize: 50 }

describe('departments', () => {
  test('form a tree that never closes upon itself', async () => {
    const { admin } = await newSchool()
    const add = async (sdName: string, sdPid?: string) =>
      (await admin.send(departmentApi.save, { sdName, sdCode: sdName, sdPid })).sdId
    const top = await add('校团委')
    const below = await add('组织部', top)
    const leaf = await add('一组', below)
    expect(await admin.send(departmentApi.tree, {})).toMatchObject([
      { sdId: top, children: [{ sdId: below, children: [{ sdId: leaf, children: [] }] }] },
    ])
    expect(
      await admin.ask(departmentApi.save, { sdId: top, version: 0, sdName: '校团委', sdCode: '校团委', sdPid: leaf }),
    ).toMatchObject({ reason: 'department-loop' })
    expect(await admin.ask(departmentApi.save, { sdName: '组织部', sdCode: 'Z2', sdPid: top })).toMatchObject({
      reason: 'name-taken',
    })
    expect(await admin.ask(departmentApi.remove, { sdId: below })).toMatchObject({
      reason: 'department-in-use',
      msg: expect.stringContaining('1 个下级部门'),
    })
    expect((await admin.send(departmentApi.list, { ...all, sdPid: top })).records).toMatchObject([
      { sdId: below, parentName: '校团委', childCount: 1 },
    ])
    expect(await admin.send(departmentApi.remove, { sdId: [leaf] })).toEqual({ affected: 1 })
  })

  test('are not put back by a form of a person that was opened before', async () => {
    const school = await newSchool()
    const { admin } = school
    const [first, second] = [await school.department('甲处'), await school.department('乙处')]
    const form = { suiNumber: `G${unique()}`, suiName: '何处' }
    const { suId } = await admin.send(teacherApi.save, { ...form, sdIds: [first] })
    const opened = async () => (await admin.send(teacherApi.detail, { id: suId })).version
    const changes = [
      () => admin.send(departmentApi.addUsers, { sdId: second, suIds: [suId] }),
      () => admin.send(departmentApi.removeUsers, { sdId: first, suIds: [suId] }),
      () => admin.send(departmentApi.setRelations, { suId, relations: [{ sdId: first, post: '处长' }] }),
    ]
    for (const change of changes) {
      const version = await opened()
      await change()
      expect(await admin.ask(teacherApi.save, { ...form, suId, version, sdIds: [first] })).toMatchObject({
        reason: 'stale-version',
      })
    }
    // what changes nothing keeps nobody from saving
    const version = await opened()
    await admin.send(departmentApi.addUsers, { sdId: first, suIds: [suId] })
    await admin.send(teacherApi.save, { ...form, suId, version, sdIds: [first] })
  })

  test('have members with posts, and a person may belong to several', async () => {
    const school = await newSchool()
    const { admin } = school
    const [first, second] = [await school.department('甲处'), await school.department('乙处')]
    const person = await school.person('GUIDE_TEACHER', [], { suiName: '王处长' })
    expect(await admin.send(departmentApi.addUsers, { sdId: first, suIds: [person.suId], post: '处长' })).toEqual({
      affected: 1,
    })
    expect(await admin.send(departmentApi.addUsers, { sdId: first, suIds: [person.suId] })).toEqual({ affected: 0 })
    await admin.send(departmentApi.setRelations, {
      suId: person.suId,
      relations: [
        { sdId: first, post: '处长' },
        { sdId: second, post: '委员' },
      ],
    })
    expect(
      (await admin.send(departmentApi.relations, { id: person.suId })).relations
        .map(({ sdName, post }) => sdName + post)
        .toSorted(),
    ).toEqual(['乙处委员', '甲处处长'])
    expect((await person.client.send(departmentApi.ownDepartments, {})).map(({ sdId }) => sdId).toSorted()).toEqual(
      [first, second].toSorted(),
    )
    expect((await admin.send(departmentApi.userOptions, { id: second })).map(({ suiName }) => suiName)).toEqual([
      '王处长',
    ])
    expect((await admin.send(departmentApi.childrenAndUsers, { search: '王处' })).users).toHaveLength(1)
    expect((await admin.send(departmentApi.childrenAndUsers, {})).departments).toHaveLength(2)
    expect(await admin.ask(departmentApi.remove, { sdId: first })).toMatchObject({
      msg: expect.stringContaining('1 名成员'),
    })
    expect(await admin.send(departmentApi.removeUsers, { sdId: first, suIds: [person.suId] })).toEqual({ affected: 1 })
    expect((await admin.ask(departmentApi.removeUsers, { sdId: first, suIds: [person.suId] })).status).toBe(404)
  })

  test('keep their members in the order they are put into', async () => {
    const school = await newSchool()
    const { admin } = school
    const sdId = await school.department()
    const people = await Promise.all(
      ['甲', '乙', '丙', '丁'].map((suiName, at) =>
        school.person('GUIDE_TEACHER', [], { suiName, suiNumber: `M${at}${Date.now()}` }),
      ),
    )
    const [one, two, three, four] = people.map(({ suId }) => suId) as [string, string, string, string]
    const order = async () =>
      (await admin.send(departmentApi.users, { ...all, sdId })).records.map(({ suiName }) => suiName).join('')
    await admin.send(departmentApi.addUsers, { sdId, suIds: [two, one] })
    await admin.send(departmentApi.addUsers, { sdId, suIds: [three] })
    expect(await order()).toBe('乙甲丙')
    expect(await admin.send(departmentApi.sortUsers, { sdId, suIds: [three, two] })).toEqual({ affected: 3 })
    expect(await order()).toBe('丙乙甲')
    expect((await admin.send(departmentApi.userOptions, { id: sdId })).map(({ suiName }) => suiName).join('')).toBe(
      '丙乙甲',
    )
    expect((await admin.ask(departmentApi.sortUsers, { sdId, suIds: [four, three] })).status).toBe(404)
    await admin.send(departmentApi.setRelations, { suId: two, relations: [{ sdId, post: '组长' }] })
    expect(await order()).toBe('丙乙甲')
    await admin.send(departmentApi.setRelations, { suId: four, relations: [{ sdId }] })
    expect(await order()).toBe('丙乙甲丁')
    const other = await school.person('DEPT_ADMIN', [{ caType: 'department', caTarget: await school.department() }])
    expect((await other.client.ask(departmentApi.sortUsers, { sdId, suIds: [one] })).status).toBe(403)
  })

  test('move among their neighbours and below others, never below themselves or onto a neighbour’s name', async () => {
    const { admin } = await newSchool()
    let code = 0
    const add = async (sdName: string, sdPid?: string) =>
      (await admin.send(departmentApi.save, { sdName, sdCode: `C${code++}`, sdPid })).sdId
    const [a, b, c] = [await add('甲'), await add('乙'), await add('丙')]
    const below = await add('丁', a)
    const names = async () =>
      (await admin.send(departmentApi.tree, {}))
        .map(({ sdName, children }) => sdName + children.map((one) => `(${one.sdName})`).join(''))
        .join('')
    const version = async (sdId: string) => (await admin.send(departmentApi.list, { ...all, sdId })).records[0]!.version
    const move = async (sdId: string, at: number, sdPid?: string) =>
      admin.ask(departmentApi.move, { sdId, at, version: await version(sdId), ...(sdPid && { sdPid }) })
    expect((await move(c, 0)).code).toBe(200)
    expect(await names()).toBe('丙甲(丁)乙')
    expect((await move(b, 0, a)).code).toBe(200)
    expect(await names()).toBe('丙甲(乙)(丁)')
    expect((await move(a, 0, below)).reason).toBe('department-loop')
    await add('丁')
    expect((await move(below, 9)).reason).toBe('name-taken')
    expect((await admin.ask(departmentApi.move, { sdId: b, at: 1, version: 7 })).status).toBe(409)
    expect((await move(b, 99)).code).toBe(200)
    expect((await names()).endsWith('乙')).toBe(true)
  })

  test('show members of other colleges to nobody whose area does not cover them', async () => {
    const school = await newSchool()
    const [own, strange] = [await school.college(), await school.college()]
    const sdId = await school.department()
    const mine = await school.person('GUIDE_TEACHER', [], { suiCollegeId: own })
    const canary = await school.person('GUIDE_TEACHER', [], { suiName: '乙院老师', suiCollegeId: strange })
    await school.admin.send(departmentApi.addUsers, { sdId, suIds: [mine.suId, canary.suId] })
    const { client } = await school.person('COLLEGE_LEAGUE', [{ caType: 'college', caTarget: own }])
    expect((await client.send(departmentApi.users, { ...all, sdId })).records.map(({ suId }) => suId)).toEqual([
      mine.suId,
    ])
    expect((await client.send(departmentApi.userOptions, { id: sdId })).map(({ suId }) => suId)).toEqual([mine.suId])
    expect((await client.send(departmentApi.childrenAndUsers, { search: '乙院' })).users).toEqual([])
    expect((await client.ask(departmentApi.relations, { id: canary.suId })).status).toBe(404)
  })

  test('of other schools do not exist', async () => {
    const [school, other] = [await newSchool(), await newSchool()]
    const sdId = await school.department()
    expect(await other.admin.send(departmentApi.tree, {})).toEqual([])
    expect((await other.admin.ask(departmentApi.users, { ...all, sdId })).status).toBe(404)
    expect((await other.admin.ask(departmentApi.remove, { sdId })).status).toBe(404)
    expect((await other.admin.ask(departmentApi.addUsers, { sdId, suIds: [other.adminId] })).status).toBe(404)
    expect(await other.admin.ask(departmentApi.save, { sdName: '下', sdCode: 'X', sdPid: sdId })).toMatchObject({
      errors: [{ field: 'sdPid' }],
    })
  })
})

test('regions have three levels everywhere, by codes of six digits', async () => {
  const { admin, nobody } = await newSchool()
  const provinces = await admin.send(regionApi.provinces, {})
  expect(provinces).toHaveLength(34)
  expect((await admin.send(regionApi.cities, { id: '420000' })).map(({ name }) => name)).toContain('武汉市')
  expect(await admin.send(regionApi.cities, { id: '110000' })).toEqual([{ code: '110100', name: '市辖区' }])
  expect((await admin.send(regionApi.areas, { id: '110100' })).map(({ name }) => name)).toContain('海淀区')
  expect(await admin.send(regionApi.areas, { id: '999999' })).toEqual([])
  expect(await admin.ask(regionApi.cities, { id: '42' })).toMatchObject({ code: 300 })
  const tree = await admin.send(regionApi.tree, {})
  expect(tree.flatMap((province) => province.children.flatMap((city) => city.children)).length).toBeGreaterThan(2800)
  expect((await admin.send(regionApi.nations, {})).slice(0, 2)).toEqual([
    { id: '01', name: '汉族' },
    { id: '02', name: '蒙古族' },
  ])
  expect(await admin.send(regionApi.nations, {})).toHaveLength(58)
  // the lists of places are nobody's secret, those of people are
  expect((await nobody.ask(regionApi.provinces)).code).toBe(200)
  expect((await nobody.ask(regionApi.nations)).status).toBe(401)
})
