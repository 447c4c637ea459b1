import { beforeAll, describe, expect, test } from 'vitest'
import { yesNo } from '../../../contract/core/codes/platform.ts'
import { politicalStatus, teacherType } from '../../../contract/core/codes/school.ts'
import { importApi } from '../../../contract/platform/imports/imports.calls.ts'
import { studentSheet, teacherSheet } from '../../../contract/school/people/people.sheets.ts'
import { studentApi } from '../../../contract/school/people/students.calls.ts'
import { teacherApi } from '../../../contract/school/people/teachers.calls.ts'
import { memberApi } from '../../../contract/school/roles/members.calls.ts'
import { roleUserSheet } from '../../../contract/school/roles/roles.sheets.ts'
import { checked } from '../../testing/checked-sheet.ts'
import { csvOf } from '../../testing/csv.ts'
import { newSchool, unique, type TestSchool } from '../../testing/school.ts'

const all = { current: 1, pageSize: 200 }

describe('students from a sheet', () => {
  let school: TestSchool
  let scId: string
  const place = { collegeName: '计算机学院', majorName: '软件工程', className: '软工2401', suiGrade: '2024' }
  const row = (more: Record<string, string | number> = {}) => ({
    suiNumber: `S${unique()}`,
    suiName: '学生',
    suiSex: '男',
    ...place,
    ...more,
  })
  beforeAll(async () => {
    school = await newSchool()
    scId = await school.college('计算机学院')
    const smId = await school.major(scId, '软件工程')
    await school.schoolClass(smId, scId, { scClassName: '软工2401', scClassGrade: '2024' })
    await school.schoolClass(smId, scId, { scClassName: '软工2402', scClassGrade: '2024' })
  })

  test('are added with accounts, found unchanged when read again, and updated field by field', async () => {
    const { admin } = school
    const rows = [
      row({
        suiName: '赵一',
        suiPolitical: '团员',
        suiNation: '汉',
        birth: '2005/3/4',
        suiPhone: '13800000001',
        provinceName: '湖北',
        cityName: '武汉市',
        areaName: '洪山区',
        suiEduLevel: '本科',
        suiStudyYears: 4,
      }),
      row({ suiName: '钱二', suiIdCard: '110105199003078510', birth: '1990-03-07', suiGrade: '2024级' }),
    ]
    const first = await checked(admin, studentSheet, rows)
    expect(first.verdicts).toEqual(['new', 'new'])
    expect(await first.commit()).toMatchObject({ successCount: 2, failCount: 0 })
    const [one] = (await admin.send(studentApi.list, { ...all, search: String(rows[0]!['suiNumber']) })).records
    const detail = await admin.send(studentApi.detail, { id: one!.suId })
    expect(detail).toMatchObject({
      suiName: '赵一',
      suiPolitical: politicalStatus.leagueMember,
      suiNation: '01',
      birth: '****-**-**',
      suiPhone: '138****0001',
      homePlaceName: '湖北省 武汉市 洪山区',
      suiCollegeName: '计算机学院',
      scClassName: '软工2401',
      suiStudyYears: 4,
      activated: false,
    })

    const again = await checked(admin, studentSheet, rows)
    expect(again.verdicts).toEqual(['same', 'same'])
    const moved = await checked(admin, studentSheet, [
      { ...rows[0]!, className: '软工2402', suiPhone: '13800000002', suiPolitical: '' },
    ])
    expect(moved.records[0]).toMatchObject({
      verdict: 'update',
      changes: [
        { key: 'className', from: '软工2401', to: '软工2402' },
        { key: 'suiPhone', from: '138****0001', to: '138****0002' },
      ],
    })
    await moved.commit()
    expect(await admin.send(studentApi.detail, { id: one!.suId })).toMatchObject({
      scClassName: '软工2402',
      suiPhone: '138****0002',
      suiPolitical: politicalStatus.leagueMember,
      version: 1,
    })
    expect((await moved.undo()).code).toBe(200)
    expect(await admin.send(studentApi.detail, { id: one!.suId })).toMatchObject({
      scClassName: '软工2401',
      suiPhone: '138****0001',
    })
    expect((await first.undo()).code).toBe(200)
    expect((await admin.send(studentApi.list, { ...all, search: String(rows[0]!['suiNumber']) })).total).toBe(0)
  })

  test('are told every fault of a row together', async () => {
    const teacher = await school.person('GUIDE_TEACHER')
    const known = (
      await school.students(1, {
        suiCollegeId: scId,
        majorId: await school.major(scId),
        scClassId: await school.schoolClass(await school.major(scId), scId),
      })
    )[0]!
    const { verdicts, faults } = await checked(school.admin, studentSheet, [
      row({ suiSex: '男性', birth: '2024-02-30', suiPhone: '12345', suiEmail: 'x', suiIdCard: '110105199003078511' }),
      row({ collegeName: '文学院' }),
      row({ majorName: '数学' }),
      row({ className: '软工9999' }),
      row({ suiGrade: '2023' }),
      row({ suiNumber: teacher.suiNumber }),
      row({ suiNumber: known.suiNumber, suiName: '别人' }),
      row({ suiNumber: 'a b', birth: '2030-01-01', suiPolitical: '某党', suiNation: '火星' }),
      row({ suiIdCard: '110105199003078510', suiSex: '女' }),
      row({ provinceName: '湖北省', cityName: '广州市' }),
      row({ suiName: '' }),
    ])
    expect(verdicts).toEqual([
      'fault',
      'fault',
      'fault',
      'fault',
      'fault',
      'conflict',
      'conflict',
      'fault',
      'fault',
      'fault',
      'fault',
    ])
    expect(faults[0]!.split('|').map((fault) => fault.split(':')[0])).toEqual([
      'suiSex',
      'birth',
      'suiPhone',
      'suiEmail',
      'suiIdCard',
    ])
    expect(faults.slice(1, 5)).toEqual([
      'collegeName: 没有名为“文学院”的学院',
      'majorName: 计算机学院没有名为“数学”的专业',
      'className: 软件工程没有名为“软工9999”的 2024 级班级',
      'className: “软工2401”是 2024 级的班级，与年级 2023 不符',
    ])
    expect(faults[5]).toContain('该号码属于教职工')
    expect(faults[6]).toContain('学号已属于另一姓名的学生')
    expect(
      faults[7]!
        .split('|')
        .map((fault) => fault.split(':')[0])
        .toSorted(),
    ).toEqual(['birth', 'suiNation', 'suiNumber', 'suiPolitical'])
    expect(faults[8]).toContain('身份证号与性别不一致')
    expect(faults[9]).toBe('cityName: 湖北省没有名为“广州市”的城市')
  })

  test('who are twice in a file, or whose papers somebody else has, are conflicts', async () => {
    const idCard = '440524200212120220'
    const twice = row({ suiName: '重复' })
    const first = await checked(school.admin, studentSheet, [
      twice,
      { ...twice, suiName: '重复' },
      row({ suiSex: '女', suiIdCard: idCard }),
    ])
    expect(first.verdicts).toEqual(['conflict', 'conflict', 'new'])
    await first.commit(true)
    const other = await checked(school.admin, studentSheet, [row({ suiSex: '女', suiIdCard: idCard })])
    expect(other.faults[0]).toContain('身份证号已属于')
    const stored = await school.ctx.db
      .selectFrom('importRow')
      .select(['cells', 'row', 'changes'])
      .where('schoolId', '=', school.schoolId)
      .execute()
    expect(JSON.stringify(stored)).not.toContain(idCard)
  })

  test('who have the name and the birthday of another are pointed out, and imported all the same', async () => {
    const twin = { suiName: `孪生${unique()}`, birth: '2006-07-08' }
    const first = await checked(school.admin, studentSheet, [
      row(twin),
      row(twin),
      row({ ...twin, birth: '2006-07-09' }),
    ])
    expect(
      first.records.map(({ verdict, hints }) => [verdict, ...hints.map(({ key, msg }) => `${key}: ${msg}`)]),
    ).toEqual([
      ['new', 'suiName: 姓名、出生日期与第 3 行相同，请核对是否为同一条记录'],
      ['new', 'suiName: 姓名、出生日期与第 2 行相同，请核对是否为同一条记录'],
      ['new'],
    ])
    expect((await school.admin.send(importApi.preview, { kind: 'student', ibId: first.ibId, hinted: '1' })).total).toBe(
      2,
    )
    expect(await first.commit()).toMatchObject({ successCount: 3, hintCount: 2 })
    const again = await checked(school.admin, studentSheet, [row({ suiName: twin.suiName, birth: '2006-07-09' })])
    expect(again.records[0]!.hints[0]!.msg).toMatch(/^已有姓名与出生日期相同的学生，学号为 S/)
    expect(again.records[0]!.verdict).toBe('new')
  })

  test('stay within the reach of who imports them', async () => {
    const strange = await school.college('外语学院')
    const smId = await school.major(strange, '英语')
    const scClassId = await school.schoolClass(smId, strange, { scClassName: '英语2401', scClassGrade: '2024' })
    const [foreign] = await school.students(1, { suiCollegeId: strange, majorId: smId, scClassId })
    const { client } = await school.person('COLLEGE_LEAGUE', [{ caType: 'college', caTarget: scId }])
    const { faults } = await checked(client, studentSheet, [
      row(),
      row({ collegeName: '外语学院', majorName: '英语', className: '英语2401' }),
      row({ suiNumber: foreign!.suiNumber, suiName: foreign!.suiName }),
    ])
    expect(faults).toEqual([
      '',
      'collegeName: 该学院、专业或班级不在您的管理范围内',
      'suiNumber: 该学生不在您的管理范围内',
    ])
    const counselor = await school.person('COUNSELOR')
    expect(
      (await counselor.client.upload(importApi.upload, csvOf(studentSheet, [row()]), { kind: 'student' })).status,
    ).toBe(403)
  })

  test('are taken back whole, unless one of them has been used', async () => {
    const rows = Array.from({ length: 30 }, () => row())
    const batch = await checked(school.admin, studentSheet, rows)
    await batch.commit()
    const { db } = school.ctx
    const added = await db
      .selectFrom('person')
      .select(['suId', 'suiName', 'suiNumber', 'importBatchId'])
      .where('schoolId', '=', school.schoolId)
      .where('importBatchId', '=', batch.ibId)
      .execute()
    expect(added).toHaveLength(30)
    const { suId: used, suiName, suiNumber } = added[7]!
    await school.admin.send(memberApi.appointSecretary, { srId: school.roles['LEAGUE_SEC']!, suId: used })
    expect(await batch.undo()).toMatchObject({
      reason: 'import-undo-late',
      msg: expect.stringContaining(`${suiName}（${suiNumber}）已被授予角色`),
    })
    await school.admin.send(memberApi.remove, { srId: school.roles['LEAGUE_SEC']!, suIds: [used] })
    expect((await batch.undo()).code).toBe(200)
    const left = await db
      .selectFrom('person')
      .select(['delFlag', 'scClassId', 'birth'])
      .distinct()
      .where('schoolId', '=', school.schoolId)
      .where('importBatchId', '=', batch.ibId)
      .execute()
    expect(left).toEqual([{ delFlag: yesNo.yes, scClassId: null, birth: null }])
    expect(
      await db
        .selectFrom('account')
        .select('suId')
        .where('schoolId', '=', school.schoolId)
        .where(
          'suId',
          'in',
          added.map(({ suId }) => suId),
        )
        .execute(),
    ).toEqual([])
    expect((await checked(school.admin, studentSheet, rows)).verdicts).toEqual(rows.map(() => 'new'))
  })
})

test('teachers from a sheet join departments, which an empty cell leaves and an undo restores', async () => {
  const school = await newSchool()
  await school.college('计算机学院')
  await school.department('校团委')
  await school.department('学工处')
  const base = { suiNumber: `G${unique()}`, suiName: '孙老师' }
  const first = await checked(school.admin, teacherSheet, [
    { ...base, collegeName: '计算机学院', departmentNames: '校团委，学工处', title: '讲师', teacherType: '辅导员' },
    { suiNumber: `G${unique()}`, suiName: '无处' },
    { suiNumber: `G${unique()}`, suiName: '错处', departmentNames: '保卫处' },
  ])
  expect(first.verdicts).toEqual(['new', 'fault', 'fault'])
  await first.commit(true)
  const found = async () => (await school.admin.send(teacherApi.list, { ...all, search: base.suiNumber })).records[0]
  expect(await found()).toMatchObject({
    suiCollegeName: '计算机学院',
    departments: ['校团委', '学工处'],
    title: '3',
    teacherType: teacherType.counsellor,
  })
  expect((await checked(school.admin, teacherSheet, [{ ...base, title: '讲师' }])).verdicts).toEqual(['same'])
  const second = await checked(school.admin, teacherSheet, [{ ...base, departmentNames: '学工处', title: '副教授' }])
  expect(second.records[0]!.changes.map(({ key, to }) => `${key} ${to}`)).toEqual([
    'departmentNames 学工处',
    'title 副教授',
  ])
  await second.commit()
  expect(await found()).toMatchObject({ departments: ['学工处'], title: '2' })
  expect((await second.undo()).code).toBe(200)
  expect(await found()).toMatchObject({ departments: ['校团委', '学工处'], title: '3' })
  const third = await checked(school.admin, teacherSheet, [{ ...base, departmentNames: '校团委' }])
  await third.commit()
  const sdId = await school.department('新部门')
  await school.ctx.db
    .insertInto('departmentUser')
    .values({ schoolId: school.schoolId, sdId, suId: (await found())!.suId })
    .execute()
  expect(await third.undo()).toMatchObject({
    reason: 'import-undo-late',
    msg: expect.stringContaining(`（${base.suiNumber}）所在的部门在导入之后已变动`),
  })
})

test('members of roles from a sheet get their area by name, never more than the giver has', async () => {
  const school = await newSchool()
  const [own, strange] = [await school.college('甲学院'), await school.college('乙学院')]
  const smId = await school.major(own, '软件工程')
  await school.schoolClass(smId, own, { scClassName: '一班', scClassGrade: '2024' })
  await school.schoolClass(await school.major(strange, '软件工程'), strange, {
    scClassName: '一班',
    scClassGrade: '2024',
  })
  const teacher = await school.person('SIGN_MGR', [], { suiCollegeId: own })
  const row = { srName: '辅导员', suiNumber: teacher.suiNumber }
  const faults = await checked(school.admin, roleUserSheet, [
    { ...row, area: '一班' },
    { srName: '无此角色', suiNumber: teacher.suiNumber },
    { ...row, suiNumber: 'x' },
    { srName: '团支书', suiNumber: teacher.suiNumber },
    { srName: '院系团委', suiNumber: teacher.suiNumber, area: '全校' },
    { srName: '指导老师', suiNumber: teacher.suiNumber, area: '甲学院' },
  ])
  expect(faults.verdicts).toEqual(['fault', 'fault', 'fault', 'fault', 'fault', 'fault'])
  expect(faults.faults[0]).toContain('有多个名为“一班”的班级')
  const batch = await checked(school.admin, roleUserSheet, [{ ...row, area: '甲学院/软件工程/一班、2024级' }])
  expect(batch.faults).toEqual([''])
  await batch.commit()
  const members = await school.admin.send(memberApi.list, { ...all, srId: school.roles['COUNSELOR']! })
  expect(members.records[0]!.area.names.map(({ name }) => name).toSorted()).toEqual(['2024级', '一班'])
  const { client } = await school.person('COLLEGE_LEAGUE', [{ caType: 'college', caTarget: own }])
  const limited = await checked(client, roleUserSheet, [
    { ...row, area: '乙学院' },
    { srName: '校级管理员', suiNumber: teacher.suiNumber },
  ])
  expect(limited.faults).toEqual(['srName: 不能授予您自己没有的权限或范围', 'srName: 不能授予您自己没有的权限或范围'])
  const wider = await checked(client, roleUserSheet, [{ ...row, area: '甲学院' }])
  expect(wider.verdicts).toEqual(['update'])
  await wider.commit()
  const areas = school.ctx.db
    .selectFrom('controlArea')
    .selectAll()
    .where('schoolId', '=', school.schoolId)
    .where('suId', '=', teacher.suId)
  const left = await areas.execute()
  await school.ctx.db
    .deleteFrom('controlArea')
    .where('schoolId', '=', school.schoolId)
    .where('suId', '=', teacher.suId)
    .execute()
  expect(await wider.undo()).toMatchObject({
    reason: 'import-undo-late',
    msg: expect.stringContaining(`${teacher.suiName}（${teacher.suiNumber}）的角色或管理范围在导入之后已被修改`),
  })
  await school.ctx.db.insertInto('controlArea').values(left).execute()
  expect((await wider.undo()).code).toBe(200)
  expect((await batch.undo()).code).toBe(200)
  expect((await school.admin.send(memberApi.list, { ...all, srId: school.roles['COUNSELOR']! })).total).toBe(0)
})
