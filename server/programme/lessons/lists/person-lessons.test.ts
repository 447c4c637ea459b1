import { beforeAll, describe, expect, test } from 'vitest'
import { yesNo } from '../../../../contract/core/codes/platform.ts'
import {
  applyStatus,
  circleAuthStatus,
  circleStatus,
  lessonStatus,
  resultStatus,
  signStatus,
  supplementStatus,
  supplementType,
} from '../../../../contract/core/codes/programme.ts'
import { lessonApi } from '../../../../contract/programme/lessons/lessons.calls.ts'
import { personLessonApi } from '../../../../contract/programme/lessons/person-lessons.calls.ts'
import { registrationApi } from '../../../../contract/programme/lessons/registration.calls.ts'
import { supplementApi } from '../../../../contract/programme/supplements/supplements.calls.ts'
import { teacherApi } from '../../../../contract/school/people/teachers.calls.ts'
import { studentSupplementApi } from '../../../../contract/programme/supplements/student-supplements.calls.ts'
import { newId } from '../../../core/base/ids.ts'
import { lessonWorld, type LessonWorld } from '../../../testing/lessons.ts'
import { newSchool, type TestPerson } from '../../../testing/school.ts'

const all = { current: 1, pageSize: 50 }
let w: LessonWorld
let student: { suId: string; suiName: string }
let other: { suId: string }
/** The later course, in which the student won an award, and the earlier one. */
let late: string
let early: string
/** Knows students of the class, and may look after no courses. */
let tutor: TestPerson

beforeAll(async () => {
  w = await lessonWorld()
  const [first, second] = await w.students(2)
  student = first!
  other = second!
  late = await w.published({ liName: '后一门讲座' }, 72)
  early = await w.published({ liName: '前一门讲座' }, 24)
  await w.enrol(early, [student, other])
  const [laId] = await w.enrol(late, [student])
  await w.school.ctx.db
    .updateTable('registration')
    .set({
      laStatus: applyStatus.accepted,
      laSignStatus: signStatus.late,
      laResult: resultStatus.awarded,
      awardName: '一等奖',
      laHours: 250,
      laCredit: 25,
      signInTime: '2026-11-21 08:00:00',
    })
    .where('laId', '=', laId!)
    .execute()
  tutor = await w.school.person('DATA_VIEWER')
})

describe('the courses of a student', () => {
  test('are those they registered for, newest first, with attendance and result', async () => {
    const page = await w.leader.client.send(personLessonApi.ofStudent, { ...all, suId: student.suId })
    expect(page).toMatchObject({
      total: 2,
      records: [
        {
          liId: late,
          liName: '后一门讲座',
          lsName: expect.stringContaining(' / '),
          laStatus: applyStatus.accepted,
          laSignStatus: signStatus.late,
          signInTime: '2026-11-21 08:00:00',
          laResult: resultStatus.awarded,
          awardName: '一等奖',
          laHours: '2.5',
          laCredit: '0.25',
          opens: true,
        },
        {
          liId: early,
          laStatus: applyStatus.accepted,
          laSignStatus: signStatus.notSigned,
          laResult: resultStatus.unrated,
          laHours: '0',
        },
      ],
    })
    const found = async (input: object) =>
      (await w.leader.client.send(personLessonApi.ofStudent, { ...all, suId: student.suId, ...input })).records.map(
        ({ liId }) => liId,
      )
    expect(await found({ liName: '前一门' })).toEqual([early])
    expect(await found({ laResult: resultStatus.awarded })).toEqual([late])
    expect(await found({ laStatus: applyStatus.cancelled })).toEqual([])
    expect(await found({ sort: 'startTime', order: 'asc' })).toEqual([early, late])
    expect(await found({ pageSize: 1, current: 2 })).toEqual([early])
  })

  test('leave out what they were removed from', async () => {
    const liId = await w.published({ liName: '移除' }, 96)
    const [laId] = await w.enrol(liId, [other])
    const count = async () =>
      (await w.leader.client.send(personLessonApi.ofStudent, { ...all, suId: other.suId })).total
    expect(await count()).toBe(2)
    await w.teacher.client.send(registrationApi.delJoin, { ids: [laId!] })
    expect(await count()).toBe(1)
  })

  test('are for those who may see the student, and say whether they may open the course', async () => {
    const counselor = await w.school.person('CLASS_TUTOR', [{ caType: 'class', caTarget: w.place.scClassId }])
    const [row] = (await counselor.client.send(personLessonApi.ofStudent, { ...all, suId: student.suId })).records
    expect(row).toMatchObject({ opens: false })
    expect((await counselor.client.ask(lessonApi.details, { liId: row!.liId })).status).toBe(404)
    const elsewhere = await w.school.person('COUNSELOR')
    for (const call of [personLessonApi.ofStudent, studentSupplementApi.list]) {
      expect((await elsewhere.client.ask(call, { ...all, suId: student.suId })).status).toBe(404)
      expect((await (await newSchool()).admin.ask(call, { ...all, suId: student.suId })).status).toBe(404)
      expect((await w.teacher.client.ask(call, { ...all, suId: student.suId })).status).toBe(403)
    }
    expect((await w.leader.client.ask(personLessonApi.ofStudent, { ...all, suId: w.teacher.suId })).status).toBe(404)
  })
})

test('the supplement records of a student are shown without their drafts', async () => {
  const { schoolId, curriculum, ctx } = w.school
  const sup = (lisName: string, lisStatus: string, delFlag: string = yesNo.no) => ({
    schoolId,
    lisId: newId(),
    lisName,
    suId: student.suId,
    lsId: curriculum['SXCL/主题教育']!,
    lsPath: [curriculum['SXCL']!, curriculum['SXCL/主题教育']!],
    lisType: supplementType.honour,
    lisLevel: '5',
    lisObtainDate: '2026-05-04',
    lisHours: 150,
    lisCredit: 15,
    lisStatus,
    delFlag,
  })
  await ctx.db
    .insertInto('supplement')
    .values([
      sup('优秀共青团员', supplementStatus.credited),
      sup('草稿', supplementStatus.draft),
      sup('已删除', supplementStatus.credited, yesNo.yes),
      sup('被驳回', supplementStatus.refused),
    ])
    .execute()
  const list = (more = {}) => tutor.client.send(studentSupplementApi.list, { ...all, suId: student.suId, ...more })
  expect((await list()).records.map(({ lisName }) => lisName).toSorted()).toEqual(['优秀共青团员', '被驳回'])
  expect(await list({ lisStatus: supplementStatus.credited })).toMatchObject({
    total: 1,
    records: [
      {
        lisName: '优秀共青团员',
        lsName: expect.stringContaining(' / 主题教育'),
        lisHours: '1.5',
        lisCredit: '0.15',
        lisStatus: supplementStatus.credited,
      },
    ],
  })
  expect((await list({ lisName: '共青团', lisType: supplementType.competitionAward })).total).toBe(0)
  // the record itself opens for whom it says so, and for nobody else
  const seen = await Promise.all(
    [w.leader, tutor, await w.school.person('CLASS_TUTOR', [{ caType: 'class', caTarget: w.place.scClassId }])].map(
      async ({ client }) => {
        const { records } = await client.send(studentSupplementApi.list, { ...all, suId: student.suId })
        const replies = await Promise.all(records.map(({ lisId }) => client.ask(supplementApi.detail, { lisId })))
        expect(records.map(({ opens }) => opens)).toEqual(replies.map(({ code }) => code === 200))
        return records.some(({ opens }) => opens)
      },
    ),
  )
  expect(seen[0]).toBe(true)
  expect(seen).toContain(false)
})

test('the courses of a teacher are those they lead or guide, from publication on, as many as their page counts', async () => {
  const { leader, teacher, school } = w
  const guide = await school.person('GUIDE_TEACHER', [], { suiCollegeId: w.scId })
  const guided = await w.published({ liName: '受邀指导', teacherIds: [guide.suId] })
  await teacher.client.send(lessonApi.save, w.form({ liName: '未提交的草稿', teacherIds: [guide.suId] }))
  const page = await leader.client.send(personLessonApi.ofTeacher, { ...all, suId: guide.suId })
  expect(page).toMatchObject({ total: 1, records: [{ liId: guided, roles: ['teacher'], opens: true }] })
  expect(await leader.client.send(teacherApi.detail, { id: guide.suId })).toMatchObject({
    guideLessonCount: 1,
    guideCircleCount: 0,
    totalGuideHours: '0',
  })
  await school.ctx.db
    .updateTable('lesson')
    .set({ liStatus: lessonStatus.completed, liHours: 250 })
    .where('liId', '=', guided)
    .execute()
  const { ccId } = await school.ctx.db
    .selectFrom('circleClass')
    .select('ccId')
    .where('schoolId', '=', school.schoolId)
    .executeTakeFirstOrThrow()
  const [ciId, { schoolId }] = [newId(), school]
  await school.ctx.db
    .insertInto('circle')
    .values({
      schoolId,
      ciId,
      ciNo: ciId,
      ciName: '所指导的圈子',
      ciClass: ccId,
      cpiPersonId: school.adminId,
      ciStatus: circleStatus.enabled,
      ciAuthStatus: circleAuthStatus.passed,
    })
    .execute()
  await school.ctx.db.insertInto('circleTeacher').values({ schoolId, ciId, suId: guide.suId }).execute()
  expect(await leader.client.send(teacherApi.detail, { id: guide.suId })).toMatchObject({
    guideCircleCount: 1,
    totalGuideHours: '2.5',
  })
  await school.ctx.db
    .updateTable('lesson')
    .set({ liStatus: lessonStatus.published, liHours: 200 })
    .where('liId', '=', guided)
    .execute()
  const own = await leader.client.send(personLessonApi.ofTeacher, { ...all, suId: teacher.suId, liName: '讲座' })
  expect(own.records.map(({ liId, roles }) => [liId, roles])).toEqual([
    [late, ['principal']],
    [early, ['principal']],
  ])
  expect((await leader.client.ask(personLessonApi.ofTeacher, { ...all, suId: student.suId })).status).toBe(404)

  // the same as one sheet, whole or in part
  expect(await leader.client.send(personLessonApi.teacherSheet, { userId: guide.suId })).toMatchObject({
    teacher: { suId: guide.suId },
    summary: { lessons: 1, hours: page.records[0]!.liHours },
    records: [{ liId: guided, roles: ['teacher'] }],
  })
  const part = await leader.client.send(personLessonApi.teacherSheet, { userId: teacher.suId, ids: [late] })
  expect([part.summary.lessons, part.summary.people, part.records.map(({ liId }) => liId)]).toEqual([
    1,
    part.records[0]!.passCount,
    [late],
  ])
  expect(
    (await leader.client.ask(personLessonApi.teacherSheet, { userId: guide.suId, ids: [guided, late] })).reason,
  ).toBe('not-found')
  expect((await leader.client.ask(personLessonApi.teacherSheet, { userId: student.suId })).reason).toBe('not-found')
})
