import { expect, test } from 'vitest'
import { lessonCaseApi } from '../../../../contract/programme/approvals/approvals.calls.ts'
import { yesNo } from '../../../../contract/core/codes/platform.ts'
import { applyWay, lessonForm } from '../../../../contract/core/codes/programme.ts'
import { lessonApi } from '../../../../contract/programme/lessons/lessons.calls.ts'
import { planCalendarApi } from '../../../../contract/school/school/plan-calendar.calls.ts'
import { addDays, dayOf } from '../../../core/base/clock.ts'
import { lessonWorld, untilNoon } from '../../../testing/lessons.ts'

test('planner and reviewer are told the same risks, and the plan is taken all the same', async () => {
  const world = await lessonWorld(({ leader, teacher }) => [
    { node: 'PUBLISH', checkers: [leader.suId] },
    { node: 'RESULT', checkers: [teacher.suId, leader.suId] },
  ])
  const { school, teacher, leader, scId } = world
  const form = world.form(
    {
      placeText: '大学生 活动中心302',
      quota: 80,
      liForm: lessonForm.offCampus,
      rangeColleges: [scId],
      rangeGrades: ['1999'],
      liHours: '3',
      liPrincipalId: leader.suId,
    },
    untilNoon(school.clock.now()),
  )
  const day = dayOf(form.startTime as string)
  await school.admin.send(planCalendarApi.savePlace, { plName: '大学生活动中心 302', plCapacity: 60 })
  await school.admin.send(planCalendarApi.saveExamWeek, {
    ewName: '期末考试周',
    ewStart: addDays(day, -2),
    ewEnd: day,
  })
  const { submit: _, ...plan } = form
  const told = [
    `名额 80 人，超过大学生活动中心 302可容纳的 60 人`,
    `活动时间与期末考试周（${addDays(day, -2)} 至 ${day}）重叠`,
    expect.stringMatching(/^课程负责人同时是审批人：/),
    '校外活动尚未购买意外险',
    '校外活动尚未上传安全预案',
    '报名范围内没有在读学生',
    '认定 3 学时，高于该级别标准的 2 学时',
    '未上传策划书',
    '未填写联系人',
  ]
  const risks = await teacher.client.send(lessonApi.conflicts, plan as never)
  expect(risks.map(({ text }) => text)).toEqual(told)
  expect(risks.every(({ lessons }) => lessons.length === 0)).toBe(true)

  const { liId } = await teacher.client.send(lessonApi.save, { ...form, submit: '1' })
  const { hints } = await leader.client.send(lessonCaseApi.lessonResult, { liId })
  const texts = hints.map(({ text }) => text)
  for (const text of told) expect(texts).toContainEqual(text)

  // what is put right is no longer told
  const right = {
    ...plan,
    placeText: '操场',
    startTime: `${addDays(day, 3)} 10:00:00`,
    endTime: `${addDays(day, 3)} 12:00:00`,
    liPrincipalId: teacher.suId,
    liExt: { insurance: yesNo.yes, safetyPlanFile: liId },
    rangeColleges: [],
    rangeGrades: [],
    liHours: '2',
    contactName: '王老师',
    liPlan: liId,
    liId,
    applyWay: applyWay.review,
  }
  const left = (await teacher.client.send(lessonApi.conflicts, right as never)).map(({ kind, text }) => [kind, text])
  expect(left).toEqual([['range', '未限定报名范围，全校学生均可报名']])
  // a form that is not filled in so far is told of other courses only
  expect(await teacher.client.send(lessonApi.conflicts, { startTime: plan.startTime, endTime: plan.endTime })).toEqual(
    [],
  )
})
