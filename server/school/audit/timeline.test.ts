import { describe, expect, test } from 'vitest'
import { auditApi } from '../../../contract/school/audit/audit.calls.ts'
import { awardApi } from '../../../contract/rules/awards/awards.calls.ts'
import { enableStatus } from '../../../contract/core/codes/platform.ts'
import { awardType, curriculumType } from '../../../contract/core/codes/rules.ts'
import {
  accountStatus,
  dataScope,
  personSex,
  studentStatus,
  teacherStatus,
} from '../../../contract/core/codes/school.ts'
import { curriculumApi } from '../../../contract/rules/curriculum/curriculum.calls.ts'
import { labelApi } from '../../../contract/rules/labels/labels.calls.ts'
import { lessonApi } from '../../../contract/programme/lessons/lessons.calls.ts'
import { collegeApi } from '../../../contract/school/organisation/colleges.calls.ts'
import { departmentApi } from '../../../contract/school/organisation/departments.calls.ts'
import { studentApi } from '../../../contract/school/people/students.calls.ts'
import { teacherApi } from '../../../contract/school/people/teachers.calls.ts'
import { memberApi } from '../../../contract/school/roles/members.calls.ts'
import { roleApi } from '../../../contract/school/roles/roles.calls.ts'
import type { Client } from '../../testing/client.ts'
import { lessonWorld } from '../../testing/lessons.ts'
import { newSchool, unique } from '../../testing/school.ts'

const timeline = async (client: Client, bizType: string, bizId: string) =>
  (await client.send(auditApi.timeline, { bizType, bizId })).records

describe('in words', () => {
  test('a student’s move names the places, the states and the old values', async () => {
    const school = await newSchool()
    const { admin } = school
    const [from, to] = [await school.college('文学院'), await school.college('理学院')]
    const places = await Promise.all(
      [from, to].map(async (scId, at) => {
        const majorId = await school.major(scId, ['中文', '物理'][at]!)
        return {
          suiCollegeId: scId,
          majorId,
          scClassId: await school.schoolClass(majorId, scId, { scClassName: ['中文一班', '物理一班'][at]! }),
        }
      }),
    )
    const suiNumber = unique()
    const form = {
      suiName: '张三',
      suiNumber,
      suiSex: personSex.male,
      suiGrade: '2024',
      suiStatus: studentStatus.enrolled,
      suStatus: accountStatus.active,
    }
    const { suId } = await admin.send(studentApi.save, { ...form, ...places[0]! })
    await admin.send(studentApi.save, {
      ...form,
      ...places[1]!,
      suId,
      version: 0,
      suiStatus: studentStatus.suspended,
      suiNation: '02',
      suiPhone: '13800138000',
    })
    const [edit, add] = await timeline(admin, 'person', suId)
    expect(edit).toMatchObject({ action: '编辑学生', actorName: '管理员', result: 'ok' })
    expect(edit!.changes).toEqual(
      expect.arrayContaining([
        { label: '学院', before: '文学院', after: '理学院' },
        { label: '专业', before: '中文', after: '物理' },
        { label: '班级', before: '中文一班', after: '物理一班' },
        { label: '学籍状态', before: '在读', after: '休学' },
        { label: '民族', before: '', after: '蒙古族' },
        { label: '修改了敏感信息', before: '', after: '手机号' },
      ]),
    )
    expect(JSON.stringify(edit)).not.toContain('13800138000')
    expect(add!.changes).toEqual(
      expect.arrayContaining([
        { label: '学号', before: '', after: suiNumber },
        { label: '性别', before: '', after: '男' },
      ]),
    )
  })

  test('a teacher’s state is a teacher’s', async () => {
    const { admin, ...school } = await newSchool()
    const form = {
      suiName: '李四',
      suiNumber: unique(),
      suiSex: personSex.female,
      suiCollegeId: await school.college(),
      suStatus: accountStatus.active,
    }
    const { suId } = await admin.send(teacherApi.save, { ...form, suiStatus: teacherStatus.employed })
    await admin.send(teacherApi.save, { ...form, suiStatus: teacherStatus.left, suId, version: 0 })
    expect((await timeline(admin, 'person', suId))[0]!.changes).toContainEqual({
      label: '在职状态',
      before: '在职',
      after: '离职',
    })
  })

  test('amounts, awards, rights and levels read as people write them', async () => {
    const { admin } = await newSchool()
    const { atId } = await admin.send(awardApi.add, {
      atName: unique(),
      atType: awardType.grade,
      details: [{ adName: '一等奖', hours: '2.5' }],
    })
    expect((await timeline(admin, 'awardTemplate', atId))[0]!.changes).toContainEqual({
      label: '奖项',
      before: '',
      after: expect.stringMatching(/^一等奖（学时 2\.5，学分 0，/) as string,
    })
    const role = {
      srName: unique(),
      dataScope: dataScope.college,
      permits: ['student:list'],
      srSort: 0,
      enable: enableStatus.enabled,
    }
    const { srId } = await admin.send(roleApi.save, role)
    await admin.send(roleApi.save, { ...role, srId, version: 0, permits: ['student:list', 'lesson:export'] })
    expect((await timeline(admin, 'role', srId))[0]!.changes).toEqual([
      { label: '权限', before: '', after: '课程·导出' },
    ])
    const { lsId } = await admin.send(curriculumApi.add, {
      lsName: unique(),
      lsType: curriculumType.lessons,
      allowLevels: ['5', '6'],
      minHours: '12.5',
    })
    expect((await timeline(admin, 'curriculum', lsId))[0]!.changes).toEqual(
      expect.arrayContaining([
        { label: '适用范围', before: '', after: '课程活动' },
        { label: '毕业最低学时', before: '', after: '12.5' },
      ]),
    )
  })
})

describe('a course', () => {
  test('tells every action with its reason, approvals among them, newest first, page by page', async () => {
    const world = await lessonWorld()
    const { teacher } = world
    const liId = await world.published()
    await teacher.client.send(lessonApi.unpublish, { liId, reason: '场地临时有变' })
    const entries = await timeline(teacher.client, 'lesson', liId)
    expect(entries.map(({ action }) => action)).toEqual(['取消发布', '发布课程', '新增课程'])
    expect(entries[0]).toMatchObject({ reason: '场地临时有变', actorName: teacher.suiName })
    expect(entries[0]!.changes).toContainEqual({ label: '状态', before: '已发布', after: '已取消发布' })
    const second = await teacher.client.send(auditApi.timeline, {
      bizType: 'lesson',
      bizId: liId,
      current: 2,
      pageSize: 2,
    })
    expect(second).toMatchObject({ total: 3, pages: 2, records: [{ action: '新增课程' }] })
  })
})

describe('who may read it', () => {
  test('who sees the record does; out of sight, of another kind or of another school it is not there', async () => {
    const [school, other] = [await newSchool(), await newSchool()]
    const scId = await school.college()
    const elsewhere = await school.college()
    const league = await school.person('COLLEGE_LEAGUE', [{ caType: 'college', caTarget: scId }])
    const ask = async (client: Client, bizType: string, bizId: string) =>
      (await client.ask(auditApi.timeline, { bizType, bizId })).status
    expect(await ask(league.client, 'college', scId)).toBe(200)
    expect(await ask(league.client, 'college', elsewhere)).toBe(404)
    expect(await ask(league.client, 'person', scId)).toBe(404)
    expect(await ask(league.client, 'nonsense', scId)).toBe(404)
    expect(await ask(league.client, 'toString', scId)).toBe(404)
    // the trail of a role names people of all colleges
    expect(await ask(league.client, 'role', school.roles['COUNSELOR']!)).toBe(404)
    expect(await ask(school.admin, 'role', school.roles['COUNSELOR']!)).toBe(200)
    expect(await ask(other.admin, 'college', scId)).toBe(404)
  })

  test('a role’s sight is no key to records of other kinds', async () => {
    const school = await newSchool()
    const reader = await school.person('SCHOOL_AUDIT')
    const srId = school.roles['COUNSELOR']!
    const scId = await school.college()
    expect((await reader.client.ask(auditApi.timeline, { bizType: 'role', bizId: srId })).status).toBe(200)
    expect((await reader.client.ask(auditApi.timeline, { bizType: 'role', bizId: scId })).status).toBe(404)
  })

  test('what is deleted remains for those who read the whole trail', async () => {
    const school = await newSchool()
    const { admin } = school
    const [auditor, lister] = [await school.person('AUDITOR'), await school.person('DATA_VIEWER')]
    const { scId } = await admin.send(collegeApi.save, { scName: unique(), scCode: unique() })
    expect(await timeline(lister.client, 'college', scId)).toHaveLength(1)
    await admin.send(collegeApi.remove, { collegeIdList: [scId] })
    expect((await lister.client.ask(auditApi.timeline, { bizType: 'college', bizId: scId })).status).toBe(404)
    expect((await timeline(auditor.client, 'college', scId)).map(({ action }) => action)).toEqual([
      '删除学院',
      '新增学院',
    ])
  })

  test('every kind of record the console edits has a timeline', async () => {
    const school = await newSchool()
    const { admin } = school
    const sdId = await school.department()
    const { suId } = await school.person('COUNSELOR')
    await admin.send(departmentApi.addUsers, { sdId, suIds: [suId], post: '干事' })
    await admin.send(memberApi.add, { srId: school.roles['DATA_VIEWER']!, suIds: [suId] })
    const { sqlId } = await admin.send(labelApi.edit, { sqlName: unique(), sqlColor: '#2458C5' })
    expect((await timeline(admin, 'department', sdId))[0]).toMatchObject({ action: '添加部门成员' })
    expect((await timeline(admin, 'role', school.roles['DATA_VIEWER']!))[0]).toMatchObject({ action: '添加角色成员' })
    expect((await timeline(admin, 'qualityLabel', sqlId))[0]).toMatchObject({ action: '新增素质标签' })
  })
})
