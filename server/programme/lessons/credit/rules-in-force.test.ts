import { expect, test } from 'vitest'
import { approvalApi } from '../../../../contract/programme/approvals/approvals.calls.ts'
import { lessonStatus, resultStatus, signStatus } from '../../../../contract/core/codes/programme.ts'
import { personSex, holidayKind } from '../../../../contract/core/codes/school.ts'
import { lessonApi } from '../../../../contract/programme/lessons/lessons.calls.ts'
import { registrationApi } from '../../../../contract/programme/lessons/registration.calls.ts'
import { studentApi } from '../../../../contract/school/people/students.calls.ts'
import { addDays, addMinutes, dayOf } from '../../../core/base/clock.ts'
import { lessonWorld, untilNoon, type LessonWorld } from '../../../testing/lessons.ts'
import { completeLessons } from './completion.service.ts'

/** What a school sets is what happens: each rule is tried before and after it is changed. */

const monday = ({ school }: LessonWorld): string => {
  let day = addDays(dayOf(school.clock.now()), 1)
  while (new Date(`${day}T00:00:00Z`).getUTCDay() !== 1) day = addDays(day, 1)
  return day
}

/** A course whose result is approved and waits for its public notice. */
async function approved(world: LessonWorld, more = {}): Promise<string> {
  const liId = await world.published(more, -3)
  const laIds = await world.enrol(liId, await world.students(1))
  await world.teacher.client.send(registrationApi.sign, { laIds, laSignStatus: signStatus.signedIn })
  await world.teacher.client.send(registrationApi.setAward, { laIds, laResult: resultStatus.passed })
  await world.teacher.client.send(lessonApi.resultAudit, { liId })
  return liId
}

test('the public notice keeps within the school’s limits, and no shorter than the course promised', async () => {
  const world = await lessonWorld()
  const liId = await approved(world, { publictyDays: 2 })
  const start = monday(world)
  const ask = (days: number) =>
    world.leader.client.ask(lessonApi.publicty, {
      liId,
      liPublictySdate: `${start} 00:00:00`,
      liPublictyEdate: `${addDays(start, days - 1)} 23:59:59`,
    })
  expect(await ask(1)).toMatchObject({ code: 300, msg: '公示期不得少于 2 个工作日' })
  await world.school.rules({ publictyMin: 4, publictyDefault: 4, publictyMax: 4 })
  expect(await ask(3)).toMatchObject({ code: 300, msg: '公示期不得少于 4 个工作日' })
  expect(await ask(5)).toMatchObject({ code: 300, msg: '公示期不得超过 4 个工作日' })
  await world.school.rules({ publictyMin: 3, publictyDefault: 3 })
  expect(await ask(3)).toMatchObject({ code: 200 })
})

test('a form takes over what the school proposes and is held to its limits', async () => {
  const world = await lessonWorld()
  const { client } = world.teacher
  await world.school.rules({ publictyMin: 4, publictyDefault: 5, signLateMinutes: 20, hoursPerDay: '2' })
  const { publictyDays: _, ...form } = world.form({}, untilNoon(world.school.clock.now()))
  expect(await client.ask(lessonApi.save, { ...form, publictyDays: 3 })).toMatchObject({
    errors: [{ field: 'publictyDays', msg: '公示期须为 4 至 7 个工作日' }],
  })
  expect(await client.ask(lessonApi.save, { ...form, liHours: '2.5' })).toMatchObject({
    errors: [{ field: 'liHours', msg: expect.stringContaining('每天不能超过 2 学时') as string }],
  })
  const { liId, version } = await client.send(lessonApi.save, form)
  expect(await client.send(lessonApi.details, { liId })).toMatchObject({ publictyDays: 5, lateMinutes: 20 })
  await world.school.rules({ publictyMin: 6, publictyDefault: 7, hoursPerDay: '3' })
  // what the course was made with stays, and is no fault of whoever edits something else
  await client.send(lessonApi.save, { ...form, liId, version, liHours: '2.5' })
  expect(await client.send(lessonApi.details, { liId })).toMatchObject({
    publictyDays: 5,
    lateMinutes: 20,
    liHours: '2.5',
  })
})

test('a course asked for too late is told to its reviewers, or refused with the first day that would do', async () => {
  const world = await lessonWorld(({ leader }) => [{ node: 'PUBLISH', checkers: [leader.suId] }])
  const { client } = world.teacher
  const save = () => client.ask(lessonApi.save, { ...world.form({}, 4), submit: '1' })
  const { liId } = (await save()).data
  expect((await world.leader.client.send(approvalApi.publishQueue, {})).total).toBe(1)
  await world.school.rules({ leadRefuse: '1', leadDays: 2 })
  const refused = await save()
  expect(refused).toMatchObject({
    code: 300,
    reason: 'lead-too-short',
    msg: expect.stringContaining('2 个工作日之后开始') as string,
  })
  const day = /\d{4}-\d\d-\d\d/.exec(refused.msg)![0]
  const at = (start: string) =>
    client.ask(lessonApi.save, {
      ...world.form({ startTime: `${start} 09:00:00`, endTime: `${start} 10:00:00` }),
      submit: '1',
    })
  expect(await at(addDays(day, -1))).toMatchObject({ code: 300, reason: 'lead-too-short' })
  expect(await at(day)).toMatchObject({ code: 200, data: { liStatus: lessonStatus.publishInReview } })
  await client.send(lessonApi.withdraw, { liId })
  expect(await client.ask(lessonApi.submit, { liId })).toMatchObject({ code: 300, reason: 'lead-too-short' })
  await world.school.rules({ leadDays: 0 })
  expect(await client.ask(lessonApi.submit, { liId })).toMatchObject({ code: 200 })
})

test('sign-in and its codes open when the school says', async () => {
  const world = await lessonWorld()
  const { client } = world.teacher
  const liId = await world.published({}, 3)
  const [laId] = await world.enrol(liId, await world.students(1))
  const sign = () => client.ask(registrationApi.sign, { laIds: [laId], laSignStatus: signStatus.signedIn })
  expect(await sign()).toMatchObject({ code: 300, msg: '签到尚未开始，活动开始前 30 分钟起可登记' })
  await world.school.rules({ signOpenMinutes: 120, codeOpenHours: 2 })
  expect(await sign()).toMatchObject({ code: 300, msg: '签到尚未开始，活动开始前 120 分钟起可登记' })
  expect((await client.send(lessonApi.view, { liName: '' })).records[0]!.can).not.toContain('sign')
  expect(await client.ask(lessonApi.codePackage, { liId })).toMatchObject({
    code: 300,
    msg: '未到可下载时间，活动开始前 2 小时起可下载',
  })
  await world.school.rules({ signOpenMinutes: 200, codeOpenHours: 4 })
  expect((await client.send(lessonApi.details, { liId })).can).toEqual(expect.arrayContaining(['sign', 'codes']))
  expect(await sign()).toMatchObject({ code: 200 })
})

test('tasks are due after the school’s working days unless the step has hours of its own', async () => {
  const world = await lessonWorld(({ leader }) => [{ node: 'PUBLISH', checkers: [leader.suId] }])
  const { school, teacher } = world
  const due = async () => {
    const { liId } = await teacher.client.send(lessonApi.save, { ...world.form(), submit: '1' })
    const { db } = school.ctx
    return await db
      .selectFrom('approvalTask')
      .innerJoin('approval', 'approval.insId', 'approvalTask.insId')
      .select(['dueTime', 'arriveTime'])
      .where('approvalTask.schoolId', '=', school.schoolId)
      .where('bizId', '=', liId)
      .executeTakeFirstOrThrow()
  }
  await school.rules({ remindDays: 1, escalateDays: 1 })
  const { dueTime, arriveTime } = await due()
  const next = (day: string): string =>
    [0, 6].includes(new Date(`${day}T00:00:00Z`).getUTCDay()) ? next(addDays(day, 1)) : day
  const first = next(addDays(dayOf(arriveTime), 1))
  expect(dueTime).toBe(`${first}${arriveTime.slice(10)}`)
  await school.ctx.db
    .insertInto('holiday')
    .values({ schoolId: school.schoolId, hdDate: first, hdName: '校庆', hdKind: holidayKind.dayOff })
    .execute()
  expect(dayOf((await due()).dueTime!)).toBe(next(addDays(first, 1)))
})

test('absence costs what the school says and closes registration when it says', async () => {
  const world = await lessonWorld()
  const { school } = world
  const { db } = school.ctx
  await school.rules({ noShowLoss: 30, credibilityMin: 50, blackCount: 2, blackDays: 20 })
  const [student] = await world.students(1)
  const absent = async (hours: number) => {
    const liId = await world.published({}, hours)
    await world.enrol(liId, [student!])
    await world.teacher.client.send(lessonApi.resultAudit, { liId })
    await db
      .updateTable('lesson')
      .set({ liStatus: lessonStatus.inNotice, liPublictyEdate: addMinutes(school.clock.now(), -1) })
      .where('schoolId', '=', school.schoolId)
      .where('liId', '=', liId)
      .execute()
    await completeLessons(school.services, school.schoolId)
    return db
      .selectFrom('person')
      .select(['suiCredibility', 'blackUntil'])
      .where('schoolId', '=', school.schoolId)
      .where('suId', '=', student!.suId)
      .executeTakeFirstOrThrow()
  }
  expect(await absent(-3)).toEqual({ suiCredibility: 70, blackUntil: null })
  const second = await absent(-6)
  expect(second.suiCredibility).toBe(50)
  expect(dayOf(second.blackUntil!)).toBe(addDays(dayOf(school.clock.now()), 20))
})

test('a new student begins with the school’s credibility', async () => {
  const { school, scId, place } = await lessonWorld()
  await school.rules({ credibilityStart: 80 })
  const { suId } = await school.admin.send(studentApi.save, {
    suiName: '新生',
    suiNumber: 'NEW001',
    suiSex: personSex.male,
    suiCollegeId: scId,
    majorId: place.majorId,
    scClassId: place.scClassId,
    suiGrade: '2024',
  })
  expect(
    await school.ctx.db
      .selectFrom('person')
      .select('suiCredibility')
      .where('schoolId', '=', school.schoolId)
      .where('suId', '=', suId)
      .executeTakeFirst(),
  ).toEqual({ suiCredibility: 80 })
})

test('a name is taken within the term as the school has set it', async () => {
  const world = await lessonWorld()
  const { school } = world
  const save = (day: string, liName = '讲座（第 1 期）') =>
    world.teacher.client.ask(
      lessonApi.save,
      world.form({ liName, startTime: `${day} 09:00:00`, endTime: `${day} 10:00:00` }),
    )
  expect(await save('2031-03-10')).toMatchObject({ code: 200 })
  expect(await save('2031-06-10')).toMatchObject({ code: 300, reason: 'lesson-name-taken' })
  await school.ctx.db
    .insertInto('term')
    .values({
      schoolId: school.schoolId,
      tmId: school.adminId,
      tmName: '短学期',
      tmStart: '2031-06-01',
      tmEnd: '2031-06-30',
    })
    .execute()
  expect(await save('2031-06-10')).toMatchObject({ code: 200 })
  expect(await save('2031-03-20', '另一讲座')).toMatchObject({ code: 200 })
  expect(await save('2031-04-20', '另一讲座')).toMatchObject({ code: 300, reason: 'lesson-name-taken' })
  await school.rules({ springStart: '04-01' })
  expect(await save('2031-04-20', '另一讲座')).toMatchObject({ code: 200 })
})
