import { describe, expect, test } from 'vitest'
import { yesNo } from '../../../contract/core/codes/platform.ts'
import { departmentType } from '../../../contract/core/codes/school.ts'
import type { Sheet } from '../../../contract/core/sheets.ts'
import { importApi } from '../../../contract/platform/imports/imports.calls.ts'
import type { ImportKind } from '../../../contract/platform/imports/imports.schema.ts'
import { classApi } from '../../../contract/school/organisation/classes.calls.ts'
import { collegeApi } from '../../../contract/school/organisation/colleges.calls.ts'
import { departmentApi } from '../../../contract/school/organisation/departments.calls.ts'
import { majorApi } from '../../../contract/school/organisation/majors.calls.ts'
import {
  classSheet,
  collegeSheet,
  departmentSheet,
  departmentUserSheet,
  majorSheet,
} from '../../../contract/school/organisation/organisation.sheets.ts'
import type { Client } from '../../testing/client.ts'
import { csvOf } from '../../testing/csv.ts'
import { newSchool, unique } from '../../testing/school.ts'

const all = { current: 1, pageSize: 50 }

/** Uploads rows and tells what would happen to each. */
async function checked(client: Client, sheet: Sheet, rows: Record<string, string | number>[]) {
  const kind = sheet.kind as ImportKind
  const { data: batch, code, msg } = await client.upload(importApi.upload, csvOf(sheet, rows), { kind })
  expect([code, msg]).toEqual([200, '操作成功'])
  const preview = await client.send(importApi.preview, { kind, ibId: batch.ibId, current: 1, pageSize: 200 })
  return {
    ...batch,
    verdicts: preview.records.map(({ verdict }) => verdict),
    faults: preview.records.map(({ faults }) => faults.map(({ key, msg: text }) => `${key ?? ''}: ${text}`).join('|')),
    commit: () => client.send(importApi.commit, { kind, ibId: batch.ibId }),
    undo: () => client.ask(importApi.undo, { kind, ibId: batch.ibId }),
  }
}

describe('places from sheets', () => {
  test('colleges, majors and classes are added, updated by their number, and taken back', async () => {
    const school = await newSchool()
    const { admin } = school
    const teacher = await school.person('COUNSELOR')
    const colleges = await checked(admin, collegeSheet, [
      { scCode: '01', scName: '文学院', scSort: 1 },
      { scCode: '02', scName: '理学院' },
    ])
    expect(colleges).toMatchObject({ verdicts: ['new', 'new'], newCount: 2 })
    await colleges.commit()
    const majors = await checked(admin, majorSheet, [
      { smCode: '0501', smName: '汉语言文学', scName: '文学院', eduLevel: '本科', years: 4 },
      { smCode: '0701', smName: '数学', scName: '02' },
      { smCode: '0702', smName: '物理', scName: '工学院' },
    ])
    expect(majors.verdicts).toEqual(['new', 'new', 'fault'])
    expect(majors.faults[2]).toBe('scName: 没有名为“工学院”的学院')
    await admin.send(importApi.commit, { kind: 'major', ibId: majors.ibId, skipFaults: yesNo.yes })
    const classes = await checked(admin, classSheet, [
      {
        scClassName: '中文2401',
        scName: '文学院',
        smName: '汉语言文学',
        scClassGrade: '2024级',
        counselorNumber: teacher.suiNumber,
      },
      { scClassName: '数学2401', scName: '理学院', smName: '汉语言文学', scClassGrade: '2024' },
      { scClassName: '数学2402', scName: '理学院', smName: '数学', scClassGrade: '二四', counselorNumber: 'nobody' },
    ])
    expect(classes.faults).toEqual([
      '',
      'smName: 理学院没有名为“汉语言文学”的专业',
      'scClassGrade: 年级须为四位年份，如 2023|counselorNumber: 没有工号为“nobody”的教师',
    ])
    await admin.send(importApi.commit, { kind: 'class', ibId: classes.ibId, skipFaults: yesNo.yes })
    const [row] = (await admin.send(classApi.list, all)).records
    expect(row).toMatchObject({
      scClassName: '中文2401',
      scName: '文学院',
      smName: '汉语言文学',
      scClassGrade: '2024',
      counselorName: teacher.suiName,
    })

    const codes = await checked(admin, classSheet, [
      { scClassCode: 'K1', scClassName: '中文2402', scName: '文学院', smName: '汉语言文学', scClassGrade: '2024' },
      { scClassCode: 'K1', scClassName: '中文2403', scName: '文学院', smName: '汉语言文学', scClassGrade: '2024' },
    ])
    expect(codes.faults).toEqual(['scClassCode: 班级编码与第 3 行重复', 'scClassCode: 班级编码与第 2 行重复'])
    await school.ctx.db
      .updateTable('schoolClass')
      .set({ scClassCode: 'K9' })
      .where('schoolId', '=', school.schoolId)
      .where('scClassName', '=', '中文2401')
      .execute()
    const held = await checked(admin, classSheet, [
      { scClassCode: 'K9', scClassName: '中文2405', scName: '文学院', smName: '汉语言文学', scClassGrade: '2024' },
    ])
    expect(held.faults).toEqual(['scClassCode: 班级编码已属于 2024 级的“中文2401”'])

    const again = await checked(admin, collegeSheet, [
      { scCode: '01', scName: '文学与传播学院' },
      { scCode: '02', scName: '理学院' },
      { scCode: '03', scName: '理学院' },
    ])
    expect(again.verdicts).toEqual(['update', 'conflict', 'conflict'])
    const renamed = await checked(admin, collegeSheet, [
      { scCode: '01', scName: '文学与传播学院' },
      { scCode: '02', scName: '理学院' },
    ])
    expect(renamed.verdicts).toEqual(['update', 'same'])
    await renamed.commit()
    expect((await admin.send(collegeApi.list, { ...all, scName: '传播' })).records).toMatchObject([
      { scCode: '01', scSort: 1 },
    ])
    expect((await colleges.undo()).msg).toContain('不能撤销')
    expect((await renamed.undo()).code).toBe(200)
    expect((await admin.send(collegeApi.list, { ...all, scName: '文学院' })).total).toBe(1)
    expect((await admin.ask(importApi.undo, { kind: 'class', ibId: classes.ibId })).code).toBe(200)
    expect((await admin.ask(importApi.undo, { kind: 'major', ibId: majors.ibId })).code).toBe(200)
    expect([(await admin.send(classApi.list, all)).total, (await admin.send(majorApi.list, all)).total]).toEqual([0, 0])
  })

  test('by a college’s administrator stay within their college', async () => {
    const school = await newSchool()
    const [own, strange] = [await school.college('甲学院'), await school.college('乙学院')]
    await school.major(own, '甲专业')
    await school.major(strange, '乙专业')
    const { client } = await school.person('COLLEGE_LEAGUE', [{ caType: 'college', caTarget: own }])
    expect(
      (await client.upload(importApi.upload, csvOf(collegeSheet, [{ scCode: 'x', scName: 'x' }]), { kind: 'college' }))
        .status,
    ).toBe(403)
    const classes = await checked(client, classSheet, [
      { scClassName: '一班', scName: '甲学院', smName: '甲专业', scClassGrade: '2025' },
      { scClassName: '一班', scName: '乙学院', smName: '乙专业', scClassGrade: '2025' },
    ])
    expect(classes.faults).toEqual(['', 'scName: 该学院或班级不在您的管理范围内'])
  })

  test('an undo is refused once somebody has changed or used what was imported', async () => {
    const school = await newSchool()
    const { admin } = school
    const batch = await checked(admin, collegeSheet, [
      { scCode: 'A', scName: '甲' },
      { scCode: 'B', scName: '乙' },
    ])
    await batch.commit()
    const [first] = (await admin.send(collegeApi.list, { ...all, scCode: 'A' })).records
    await school.major(first!.scId)
    expect(await batch.undo()).toMatchObject({
      reason: 'import-undo-late',
      msg: expect.stringContaining('学院“甲”已在使用'),
    })
    const other = await checked(admin, collegeSheet, [{ scCode: 'C', scName: '丙' }])
    await other.commit()
    const [third] = (await admin.send(collegeApi.list, { ...all, scCode: 'C' })).records
    await admin.send(collegeApi.save, { scId: third!.scId, version: 0, scName: '丙二', scCode: 'C' })
    expect(await other.undo()).toMatchObject({
      reason: 'import-undo-late',
      msg: expect.stringContaining('“丙二”在导入之后已被修改'),
    })
    expect((await admin.send(collegeApi.list, all)).total).toBe(3)
  })
})

describe('departments from sheets', () => {
  test('may stand below others of the same file, in any order, and never in a circle', async () => {
    const { admin } = await newSchool()
    const batch = await checked(admin, departmentSheet, [
      { sdCode: 'D2', sdName: '社团部', parentName: '校团委', sdType: '社团管理' },
      { sdCode: 'D1', sdName: '校团委', sdType: '群团组织' },
      { sdCode: 'D3', sdName: '活动组', parentName: 'D2' },
    ])
    expect(batch.verdicts).toEqual(['new', 'new', 'new'])
    await batch.commit()
    expect(await admin.send(departmentApi.tree, {})).toMatchObject([
      {
        sdName: '校团委',
        children: [{ sdName: '社团部', sdType: departmentType.clubs, children: [{ sdName: '活动组' }] }],
      },
    ])
    const circle = await checked(admin, departmentSheet, [
      { sdCode: 'D1', sdName: '校团委', parentName: '活动组' },
      { sdCode: 'D4', sdName: '甲', parentName: '乙' },
    ])
    expect(circle.faults).toEqual(['parentName: 上级部门不能是自己或自己的下级', 'parentName: 没有名为“乙”的部门'])
    const same = await checked(admin, departmentSheet, [
      { sdCode: 'D2', sdName: '社团部', parentName: '校团委', sdType: '社团管理' },
      { sdCode: 'D3', sdName: '活动小组' },
    ])
    expect(same.verdicts).toEqual(['same', 'update'])
    expect((await batch.undo()).code).toBe(200)
    expect(await admin.send(departmentApi.tree, {})).toEqual([])
  })

  test('members are added once, their posts updated and taken back', async () => {
    const school = await newSchool()
    const sdId = await school.department('学工处')
    const person = await school.person('GUIDE_TEACHER')
    const row = { sdName: '学工处', suiNumber: person.suiNumber, post: '干事' }
    const first = await checked(school.admin, departmentUserSheet, [
      row,
      { ...row, suiNumber: 'x' },
      { ...row, sdName: '无' },
    ])
    expect(first.verdicts).toEqual(['new', 'fault', 'fault'])
    await school.admin.send(importApi.commit, { kind: 'departmentUser', ibId: first.ibId, skipFaults: yesNo.yes })
    const second = await checked(school.admin, departmentUserSheet, [{ ...row, post: '处长' }])
    expect(second.verdicts).toEqual(['update'])
    await second.commit()
    const posts = async () =>
      (await school.admin.send(departmentApi.users, { ...all, sdId })).records.map(({ post }) => post)
    expect(await posts()).toEqual(['处长'])
    expect(await school.admin.ask(importApi.undo, { kind: 'departmentUser', ibId: first.ibId })).toMatchObject({
      reason: 'import-undo-late',
      msg: expect.stringContaining(`${person.suiName}（${person.suiNumber}）的部门职务在导入之后已被修改`),
    })
    expect((await second.undo()).code).toBe(200)
    expect(await posts()).toEqual(['干事'])
    expect((await school.admin.ask(importApi.undo, { kind: 'departmentUser', ibId: first.ibId })).code).toBe(200)
    expect(await posts()).toEqual([])
  })

  test('templates offer the words of the school', async () => {
    const school = await newSchool()
    await school.department(`部${unique()}`)
    for (const kind of [
      'college',
      'major',
      'class',
      'department',
      'departmentUser',
      'student',
      'teacher',
      'roleUser',
    ] as const) {
      const { name, bytes } = await school.admin.download(importApi.template, { kind })
      expect(name).toMatch(/\.xlsx$/)
      expect(bytes.subarray(0, 2).toString()).toBe('PK')
    }
  })
})
