import { describe, expect, test } from 'vitest'
import { classApi } from '../../../contract/school/organisation/classes.calls.ts'
import { collegeApi } from '../../../contract/school/organisation/colleges.calls.ts'
import { majorApi } from '../../../contract/school/organisation/majors.calls.ts'
import { newSchool, unique } from '../../testing/school.ts'

const everyone = { current: 1, pageSize: 50 }

describe('colleges', () => {
  test('are added, changed and removed, each action on the audit trail', async () => {
    const { admin, ctx, schoolId } = await newSchool()
    const { scId } = await admin.send(collegeApi.save, { scName: '计算机学院', scCode: 'CS', scLeader: '张三' })
    const [row] = (await admin.send(collegeApi.list, everyone)).records
    expect(row).toMatchObject({
      scId,
      scName: '计算机学院',
      scCode: 'CS',
      scLeader: '张三',
      version: 0,
      studentCount: 0,
      createName: '管理员',
      can: ['edit', 'delete'],
    })

    await admin.send(collegeApi.save, { scId, version: 0, scName: '计算机与软件学院', scCode: 'CS' })
    const [later] = (await admin.send(collegeApi.list, { ...everyone, scName: '软件' })).records
    expect(later).toMatchObject({ scName: '计算机与软件学院', scLeader: '', version: 1 })

    expect(await admin.send(collegeApi.remove, { collegeIdList: [scId] })).toEqual({ affected: 1 })
    expect((await admin.send(collegeApi.list, everyone)).total).toBe(0)
    const trail = await ctx.db
      .selectFrom('auditLog')
      .select(['action', 'before', 'after'])
      .where('schoolId', '=', schoolId)
      .where('bizId', '=', scId)
      .orderBy('logTime')
      .orderBy('logId')
      .execute()
    expect(trail.map(({ action }) => action)).toEqual(['新增学院', '编辑学院', '删除学院'])
    expect(trail[1]).toMatchObject({
      before: { scName: '计算机学院', scLeader: '张三' },
      after: { scName: '计算机与软件学院', scLeader: '' },
    })
  })

  test('refuse a taken name or code at its field, an old version, and fields that do not exist', async () => {
    const { admin } = await newSchool()
    const { scId } = await admin.send(collegeApi.save, { scName: '文学院', scCode: 'WX' })
    const sameName = await admin.ask(collegeApi.save, { scName: '文学院', scCode: 'W2' })
    expect(sameName).toMatchObject({ status: 200, code: 300, reason: 'name-taken', errors: [{ field: 'scName' }] })
    expect(await admin.ask(collegeApi.save, { scName: '文学二院', scCode: 'WX' })).toMatchObject({
      reason: 'number-taken',
      msg: '学院编码“WX”已存在',
    })
    expect(await admin.ask(collegeApi.save, { scId, version: 3, scName: '文学院', scCode: 'WX' })).toMatchObject({
      status: 409,
      code: 409,
    })
    expect(await admin.ask(collegeApi.save, { scId, scName: '文学院', scCode: 'WX' })).toMatchObject({
      code: 300,
      errors: [{ field: 'version' }],
    })
    expect(await admin.ask(collegeApi.save, { scName: '理学院', scCode: 'LX', schoolId: 'demo' })).toMatchObject({
      code: 300,
      msg: '不支持的字段：schoolId',
    })
    expect((await admin.send(collegeApi.list, everyone)).total).toBe(1)
  })

  test('stay while something hangs on one of them, and the answer says what', async () => {
    const school = await newSchool()
    const [full, empty] = [await school.college('满学院'), await school.college('空学院')]
    const smId = await school.major(full)
    await school.students(3, { suiCollegeId: full, majorId: smId, scClassId: await school.schoolClass(smId, full) })
    expect(await school.admin.ask(collegeApi.remove, { collegeIdList: [empty, full] })).toMatchObject({
      code: 300,
      msg: '学院“满学院”下仍有 1 个专业、3 名学生，不能删除',
    })
    expect((await school.admin.send(collegeApi.list, everyone)).total).toBe(2)
    expect(await school.admin.send(collegeApi.remove, { collegeIdList: [empty] })).toEqual({ affected: 1 })
  })

  test('stay while somebody’s control area names them: without it a role could come to cover the whole school', async () => {
    const school = await newSchool()
    const scId = await school.college()
    await school.person('COLLEGE_LEAGUE', [{ caType: 'college', caTarget: scId }])
    expect(await school.admin.ask(collegeApi.remove, { collegeIdList: [scId] })).toMatchObject({
      reason: 'college-in-use',
      msg: expect.stringContaining('1 名成员的管理范围'),
    })
  })

  test('of other schools and outside of the control area do not exist', async () => {
    const [school, other] = [await newSchool(), await newSchool()]
    const [own, strange] = [await school.college('甲学院'), await school.college('乙学院')]
    const { client } = await school.person('COLLEGE_LEAGUE', [{ caType: 'college', caTarget: own }])
    expect((await client.send(collegeApi.list, everyone)).records.map(({ scId }) => scId)).toEqual([own])
    expect((await client.send(collegeApi.options, { under: 'college:list' })).map(({ id }) => id)).toEqual([own])
    expect((await client.send(collegeApi.options, {})).length).toBe(2)
    expect((await other.admin.send(collegeApi.list, everyone)).total).toBe(0)
    expect(await other.admin.ask(collegeApi.remove, { collegeIdList: [strange] })).toMatchObject({ status: 404 })
    expect(await other.admin.ask(collegeApi.save, { scId: own, version: 0, scName: '占', scCode: 'Z' })).toMatchObject({
      status: 404,
    })
    expect(await client.ask(collegeApi.save, { scName: '丙学院', scCode: unique() })).toMatchObject({ status: 403 })
  })

  test('with an empty control area are none, and an empty list deletes nothing', async () => {
    const school = await newSchool()
    await school.college()
    const { client } = await school.person('COLLEGE_LEAGUE')
    expect((await client.send(collegeApi.list, everyone)).total).toBe(0)
    expect(await school.admin.ask(collegeApi.remove, { collegeIdList: [] })).toMatchObject({
      code: 300,
      errors: [{ field: 'collegeIdList' }],
    })
  })

  test('with one name are added once by fifty at the same time', async () => {
    const { admin } = await newSchool()
    const replies = await Promise.all(
      Array.from({ length: 50 }, () => admin.ask(collegeApi.save, { scName: '同名学院', scCode: 'SAME' })),
    )
    expect(replies.filter(({ code }) => code === 200).length).toBe(1)
    expect(replies.every(({ code }) => code === 200 || code === 300)).toBe(true)
  })

  test('are deleted while majors are added to them: either they stay, or nothing is left without a college', async () => {
    const school = await newSchool()
    for (let round = 0; round < 5; round++) {
      const scId = await school.college()
      const additions = Array.from({ length: 8 }, () =>
        school.admin.ask(majorApi.save, { smName: `专业${unique()}`, smCode: unique(), scId }),
      )
      const [removal, ...added] = await Promise.all([
        school.admin.ask(collegeApi.remove, { collegeIdList: [scId] }),
        ...additions,
      ])
      const kept = added.filter(({ code }) => code === 200).length
      expect(removal.code === 200 ? 0 : kept).toBe(kept)
      expect([removal, ...added].every(({ code }) => code === 200 || code === 300)).toBe(true)
      expect((await school.admin.send(majorApi.list, { ...everyone, scId })).total).toBe(kept)
    }
  })

  test('sort by their own columns only, and a page beyond the last is empty', async () => {
    const school = await newSchool()
    for (const name of ['乙', '甲', '丙']) await school.college(`${name}学院`)
    const names = async (order: 'asc' | 'desc') =>
      (await school.admin.send(collegeApi.list, { ...everyone, sort: 'scName', order })).records.map(
        ({ scName }) => scName,
      )
    expect(await names('desc')).toEqual((await names('asc')).toReversed())
    expect(await school.admin.ask(collegeApi.list, { sort: 'scName";select pg_sleep(5)--' })).toMatchObject({
      code: 300,
      errors: [{ field: 'sort' }],
    })
    expect(await school.admin.send(collegeApi.list, { current: 9, pageSize: 2 })).toMatchObject({
      records: [],
      total: 3,
      pages: 2,
      current: 9,
    })
  })
})

describe('majors and classes', () => {
  test('move with everything below them', async () => {
    const school = await newSchool()
    const { admin } = school
    const [from, to] = [await school.college(), await school.college()]
    const { smId } = await admin.send(majorApi.save, { smName: '软件工程', smCode: '080902', scId: from })
    const { scClassId } = await admin.send(classApi.save, {
      scClassName: '软工2401',
      scId: from,
      smId,
      scClassGrade: '2024',
    })
    const [student] = await school.students(1, { suiCollegeId: from, majorId: smId, scClassId })
    await admin.send(majorApi.save, { smId, version: 0, smName: '软件工程', smCode: '080902', scId: to })
    const [row] = (await admin.send(classApi.list, { ...everyone, smId })).records
    expect(row).toMatchObject({ scId: to, smName: '软件工程', studentCount: 1, version: 1 })
    await admin.send(classApi.save, {
      scClassId,
      version: 1,
      scClassName: '软工2301',
      scId: to,
      smId,
      scClassGrade: '2023',
    })
    const person = await school.ctx.db
      .selectFrom('person')
      .selectAll()
      .where('schoolId', '=', school.schoolId)
      .where('suId', '=', student!.suId)
      .executeTakeFirst()
    expect(person).toMatchObject({ suiCollegeId: to, majorId: smId, suiGrade: '2023', version: 2 })
  })

  test('a class must be of a major of its college, and lie in the reach of who saves it', async () => {
    const school = await newSchool()
    const [own, strange] = [await school.college(), await school.college()]
    const [ownMajor, strangeMajor] = [await school.major(own), await school.major(strange)]
    const { client } = await school.person('COLLEGE_LEAGUE', [{ caType: 'college', caTarget: own }])
    const form = { scClassName: '一班', scClassGrade: '2025' }
    expect(await client.ask(classApi.save, { ...form, scId: own, smId: strangeMajor })).toMatchObject({
      reason: 'major-not-of-college',
    })
    expect(await client.ask(classApi.save, { ...form, scId: strange, smId: strangeMajor })).toMatchObject({
      reason: 'out-of-reach',
    })
    const { scClassId } = await client.send(classApi.save, { ...form, scId: own, smId: ownMajor })
    expect(
      await client.ask(classApi.save, { ...form, scClassId, version: 0, scId: strange, smId: strangeMajor }),
    ).toMatchObject({ reason: 'out-of-reach' })
    const foreign = await school.schoolClass(strangeMajor, strange)
    expect(
      await client.ask(classApi.save, {
        ...form,
        scClassName: '占',
        scClassId: foreign,
        version: 0,
        scId: own,
        smId: ownMajor,
      }),
    ).toMatchObject({ status: 404 })
    expect(
      await client.ask(classApi.save, { ...form, scClassName: '二班', scId: own, smId: ownMajor, counselorId: own }),
    ).toMatchObject({ code: 300, errors: [{ field: 'counselorId' }] })
  })

  test('delete all or nothing', async () => {
    const school = await newSchool()
    const scId = await school.college()
    const smId = await school.major(scId)
    const [empty, full] = [
      await school.schoolClass(smId, scId),
      await school.schoolClass(smId, scId, { scClassName: '满班' }),
    ]
    await school.students(2, { suiCollegeId: scId, majorId: smId, scClassId: full })
    expect(await school.admin.ask(classApi.remove, { ids: [empty, full] })).toMatchObject({
      msg: '班级“满班”下仍有 2 名学生，不能删除',
    })
    expect(await school.admin.ask(majorApi.remove, { ids: [smId] })).toMatchObject({ reason: 'major-in-use' })
    expect(await school.admin.send(classApi.remove, { ids: [empty] })).toEqual({ affected: 1 })
  })

  test('drop-downs and the tree follow the area of the right asked for', async () => {
    const school = await newSchool()
    const [a, b] = [await school.college('A'), await school.college('B')]
    const [ma, mb] = [await school.major(a), await school.major(b)]
    const [c1, c2] = [
      await school.schoolClass(ma, a, { scClassGrade: '2023' }),
      await school.schoolClass(ma, a, { scClassGrade: '2024' }),
    ]
    await school.schoolClass(mb, b)
    const { client } = await school.person('COUNSELOR', [{ caType: 'class', caTarget: c1 }])
    const under = 'class:list'
    expect((await client.send(collegeApi.options, { under })).map(({ id }) => id)).toEqual([a])
    expect((await client.send(majorApi.options, { id: a, under })).map(({ id }) => id)).toEqual([ma])
    expect((await client.send(classApi.options, { majorId: ma, under })).map(({ id }) => id)).toEqual([c1])
    expect((await client.send(classApi.options, { majorId: ma })).map(({ id }) => id).toSorted()).toEqual(
      [c1, c2].toSorted(),
    )
    const tree = await client.send(collegeApi.tree, { under })
    expect(tree).toMatchObject([{ id: a, children: [{ id: ma, children: [{ id: c1, grade: '2023' }] }] }])
    expect(
      (await client.send(collegeApi.tree, { gradeList: ['2024'] })).flatMap((college) =>
        college.children.flatMap((major) => major.children),
      ).length,
    ).toBe(2)
    expect(await client.send(collegeApi.majorAndClass, { collegeIdList: [b] })).toMatchObject({
      majors: [{ id: mb }],
      classes: [{ scId: b }],
    })
  })
})
