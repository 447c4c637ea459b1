import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { erasureKind, graduationStatus } from '../../../contract/core/codes/outcomes.ts'
import { lessonStatus, questionType, supplementStatus } from '../../../contract/core/codes/programme.ts'
import { accountStatus, studentStatus } from '../../../contract/core/codes/school.ts'
import { noticeDays, graduationApi } from '../../../contract/outcomes/graduation/graduation.calls.ts'
import { addDays, dayOf } from '../../core/base/clock.ts'
import { newId } from '../../core/base/ids.ts'
import { grantRecord } from '../../testing/ledger.ts'
import { asOwner, useOwnDatabase } from '../../testing/database.ts'
import { newSchool, type TestSchool } from '../../testing/school.ts'
import { eraseGraduates, eraseByNight } from './erasure.service.ts'

await useOwnDatabase()

let school: TestSchool
let place: { suiCollegeId: string; majorId: string; scClassId: string; suiGrade: string }

beforeAll(async () => {
  school = await newSchool()
  const suiCollegeId = await school.college()
  const majorId = await school.major(suiCollegeId)
  const scClassId = await school.schoolClass(majorId, suiCollegeId, { scClassGrade: '2022' })
  place = { suiCollegeId, majorId, scClassId, suiGrade: '2022' }
})

const yearsAgo = (years: number) => addDays(dayOf(school.clock.now()), -Math.round(years * 365.25))

/** The same day of the next year, as PostgreSQL counts it. */
const yearLater = (day: string) => `${Number(day.slice(0, 4)) + 1}${day.slice(4)}`.replace('02-29', '02-28')

/** Somebody who left so many years ago, with an address; more is set as asked. */
async function graduate(years: number, more: object = {}, suStatus: string = accountStatus.disabled): Promise<string> {
  const [student] = await school.students(1, place)
  const { db } = school.ctx
  const { suId } = student!
  await db
    .updateTable('person')
    .set({ suiStatus: studentStatus.graduated, suiGraduateDate: yearsAgo(years), suiAddress: '旧址', ...more })
    .where('schoolId', '=', school.schoolId)
    .where('suId', '=', suId)
    .execute()
  await db
    .updateTable('account')
    .set({ suStatus })
    .where('schoolId', '=', school.schoolId)
    .where('suId', '=', suId)
    .execute()
  return suId
}
const address = async (suId: string) =>
  (
    await school.ctx.db
      .selectFrom('person')
      .select('suiAddress')
      .where('schoolId', '=', school.schoolId)
      .where('suId', '=', suId)
      .executeTakeFirstOrThrow()
  ).suiAddress
const run = () => eraseGraduates(school.services, school.schoolId)
const contacts = async () => (await school.admin.send(graduationApi.erasures, {})).kinds[0]!

/** Lets the announced day come; whoever was signed in has to do so again, so the clock is that of the job alone. */
async function runOnTheDay(): Promise<number> {
  const { clock } = school.services
  const later = addDays(clock.now(), noticeDays)
  return eraseGraduates({ ...school.services, clock: { now: () => later } }, school.schoolId)
}

/** Moves what was announced on that day to today. */
const asIfAnnouncedToday = () =>
  asOwner((db) =>
    sql`
      update "erasure"
      set "dueTime" = "announceTime", "announceTime" = "announceTime" - make_interval(days => ${noticeDays}::int)
      where "schoolId" = ${school.schoolId} and "doneTime" is null`.execute(db),
  )

describe('left alone', () => {
  const running = async (suId: string, what: string) => {
    const { schoolId } = school
    const { db } = school.ctx
    const now = school.clock.now()
    if (what === 'registration') {
      const { bizId } = await grantRecord(
        school,
        { suId, suiName: '', suiNumber: '' },
        { name: '未完', module: 'SXCL', on: '2025-03-05', hours: 1 },
      )
      await db
        .updateTable('lesson')
        .set({ liStatus: lessonStatus.inNotice })
        .where('schoolId', '=', schoolId)
        .where('liId', '=', bizId)
        .execute()
    }
    if (what === 'supplement') {
      const { bizId } = await grantRecord(
        school,
        { suId, suiName: '', suiNumber: '' },
        { name: '未审', module: 'SXCL', on: '2025-03-05', hours: 1, source: 'SUP' },
      )
      await db
        .updateTable('supplement')
        .set({ lisStatus: supplementStatus.inReview })
        .where('schoolId', '=', schoolId)
        .where('lisId', '=', bizId)
        .execute()
    }
    if (what === 'question') {
      const { bizId } = await grantRecord(
        school,
        { suId, suiName: '', suiNumber: '' },
        { name: '被质疑', module: 'SXCL', on: '2025-03-05', hours: 1 },
      )
      await db
        .insertInto('question')
        .values({
          schoolId,
          qId: newId(),
          liId: bizId,
          targetSuId: suId,
          reporterSuId: school.adminId,
          qType: questionType.missing,
          qContent: '结果有误请核对',
          deadline: now,
        })
        .execute()
    }
    if (what === 'application')
      await db
        .insertInto('transcriptApplication')
        .values({ schoolId, taId: newId(), suId, taLang: 'zh', taPurpose: '求职', taCopies: 0, createTime: now })
        .execute()
    if (what === 'course') {
      const { bizId } = await grantRecord(
        school,
        { suId: school.adminId, suiName: '', suiNumber: '' },
        { name: '负责的课程', module: 'SXCL', on: '2025-03-05', hours: 1 },
      )
      await db
        .updateTable('lesson')
        .set({ liStatus: lessonStatus.published, liPrincipalId: suId })
        .where('schoolId', '=', schoolId)
        .where('liId', '=', bizId)
        .execute()
    }
  }

  test('by rule: who left lately or at an unknown time, still studies, has a case, or is held, whether their account is on or not', async () => {
    const due = await graduate(2)
    const reading = await graduate(2, {}, accountStatus.active)
    const alone = {
      lately: await graduate(0.5),
      undated: await graduate(2, { suiGraduateDate: null }),
      studying: await graduate(2, { suiStatus: studentStatus.delayed }),
      held: await graduate(2),
      registration: await graduate(2),
      supplement: await graduate(2),
      question: await graduate(2),
      course: await graduate(2),
      application: await graduate(2),
    }
    for (const what of ['registration', 'supplement', 'question', 'course', 'application'] as const)
      await running(alone[what], what)
    await school.admin.send(graduationApi.hold, { ids: [alone.held], reason: '涉及诉讼，须保留' })
    expect(await contacts()).toMatchObject({
      erKind: erasureKind.contacts,
      years: 1,
      due: 2,
      running: 5,
      held: 1,
      undated: 1,
      nextDay: yearLater(yearsAgo(0.5)),
      announced: null,
    })
    expect(await run()).toBe(0)
    expect((await contacts()).announced).toMatchObject({ count: 2 })
    expect(await runOnTheDay()).toBe(2)
    expect([await address(due), await address(reading)]).toEqual([null, null])
    for (const [why, suId] of Object.entries(alone)) expect([why, await address(suId)]).toEqual([why, '旧址'])

    // a hold that is lifted, and a case that has ended, count no more
    const { held } = await school.admin.send(graduationApi.erasures, {})
    expect(held).toMatchObject([{ suId: alone.held, holdReason: '涉及诉讼，须保留' }])
    await school.admin.send(graduationApi.hold, { ids: [alone.held], hold: false, reason: '诉讼已经结束' })
    expect(await run()).toBe(0)
    expect(await runOnTheDay()).toBe(1)
    expect(await address(alone.held)).toBeNull()
  })

  test('who is put on hold after the announcement is not erased', async () => {
    const suId = await graduate(3)
    await run()
    await school.admin.send(graduationApi.hold, { ids: [suId], reason: '校友会仍需联系' })
    expect(await runOnTheDay()).toBe(0)
    expect(await address(suId)).toBe('旧址')
  })

  test('the day of graduating counts, not the one that was expected', async () => {
    const suId = await graduate(4)
    const gbId = newId()
    const doneTime = `${yearsAgo(0.2)} 10:00:00`
    const { db } = school.ctx
    await db
      .insertInto('graduationBatch')
      .values({
        schoolId: school.schoolId,
        gbId,
        gbStatus: graduationStatus.done,
        grades: ['2022'],
        goal: '{}',
        total: 1,
        metCount: 1,
        createBy: school.adminId,
        createName: '管理员',
        createTime: doneTime,
        expireTime: doneTime,
        doneTime,
      })
      .execute()
    await db
      .insertInto('graduationRow')
      .values({
        schoolId: school.schoolId,
        gbId,
        suId,
        suiNumber: 'x',
        met: true,
        hours: 0,
        gaps: '[]',
        statusBefore: studentStatus.delayed,
        accountBefore: accountStatus.active,
        statusAfter: studentStatus.graduated,
      })
      .execute()
    await run()
    await runOnTheDay()
    expect(await address(suId)).toBe('旧址')
  })
})

test('a school that keeps everything takes its announcement back', async () => {
  const suId = await graduate(5)
  await run()
  expect((await contacts()).announced).toMatchObject({ count: 1 })
  await school.rules({ contactYears: 0 })
  expect(await runOnTheDay()).toBe(0)
  expect(await contacts()).toMatchObject({ years: 0, due: 0, announced: null })
  expect(await address(suId)).toBe('旧址')
  await school.rules({ contactYears: 1 })
})

test('nobody is erased who was not announced, though they fall due by an import or by other years meanwhile', async () => {
  await school.rules({ contactYears: 10 })
  const announced = await graduate(11)
  await run()
  expect((await contacts()).announced).toMatchObject({ count: 1 })
  const [imported, earlier] = [await graduate(12), await graduate(9)]
  await school.rules({ contactYears: 8 })
  expect(await runOnTheDay()).toBe(1)
  expect(await address(announced)).toBeNull()
  expect([await address(imported), await address(earlier)]).toEqual(['旧址', '旧址'])
  const { rows } = await sql<{ kept: number }>`
    select count("announcedIds")::int "kept" from "erasure" where "schoolId" = ${school.schoolId}`.execute(
    school.ctx.db,
  )
  expect(rows).toEqual([{ kept: 0 }])

  // they come with the next announcement; one of a version that kept only how many is made anew
  await run()
  expect((await contacts()).announced).toMatchObject({ count: 2 })
  await sql`update "erasure" set "announcedIds" = null where "schoolId" = ${school.schoolId}`.execute(school.ctx.db)
  expect(await runOnTheDay()).toBe(0)
  expect(await address(imported)).toBe('旧址')
  expect((await contacts()).announced).toMatchObject({ count: 2 })
  await asIfAnnouncedToday()
  expect(await runOnTheDay()).toBe(2)
  expect([await address(imported), await address(earlier)]).toEqual([null, null])
  await school.rules({ contactYears: 1 })
})

test('a school that stands still erases nobody and announces nobody; what it was told is told anew, for all its days', async () => {
  await school.rules({ contactYears: 7 })
  const suId = await graduate(8)
  const standStill = (since: string | null) =>
    school.ctx.db.updateTable('school').set({ suspendedTime: since }).where('schoolId', '=', school.schoolId).execute()
  await standStill(school.clock.now())
  await run()
  await standStill(null)
  expect((await contacts()).announced).toBeNull()
  await run()
  await standStill(school.clock.now())
  expect(await runOnTheDay()).toBe(0)
  expect(await address(suId)).toBe('旧址')
  await standStill(null)
  // the days that ran while nobody could object do not count
  expect((await contacts()).announced).toBeNull()
  expect(await runOnTheDay()).toBe(0)
  expect((await contacts()).announced).toMatchObject({ count: 1 })
  expect(await runOnTheDay()).toBe(0)
  expect(await address(suId)).toBe('旧址')
  await asIfAnnouncedToday()
  expect(await runOnTheDay()).toBe(1)
  expect(await address(suId)).toBeNull()
  await school.rules({ contactYears: 1 })
})

test('by day too, what was announced is taken back of a school that stands still, but not of one that moves', async () => {
  await school.rules({ contactYears: 7 })
  await graduate(8)
  await run()
  const byDay = () =>
    eraseByNight({ ...school.services, clock: { now: () => `${dayOf(school.clock.now())} 12:00:00` } })
  const stand = (values: { suspendedTime: string | null; moveState: string }) =>
    school.ctx.db.updateTable('school').set(values).where('schoolId', '=', school.schoolId).execute()
  await byDay()
  await stand({ suspendedTime: school.clock.now(), moveState: 'moving' })
  await byDay()
  await stand({ suspendedTime: null, moveState: '' })
  expect((await contacts()).announced).toMatchObject({ count: 1 })
  await stand({ suspendedTime: school.clock.now(), moveState: '' })
  await byDay()
  await stand({ suspendedTime: null, moveState: '' })
  expect((await contacts()).announced).toBeNull()
  await run()
  expect(await runOnTheDay()).toBe(1)
  await school.rules({ contactYears: 1 })
})

test('data are erased by night only', async () => {
  const suId = await graduate(6)
  await run()
  const day = addDays(dayOf(school.clock.now()), noticeDays + 1)
  const at = (time: string) => eraseByNight({ ...school.services, clock: { now: () => `${day} ${time}` } })
  await at('12:00:00')
  expect(await address(suId)).toBe('旧址')
  await at('02:30:00')
  expect(await address(suId)).toBeNull()
})

test('two that come at once erase everybody once', async () => {
  await Promise.all([graduate(7), graduate(7), graduate(7)])
  await run()
  const [one, other] = await Promise.all([runOnTheDay(), runOnTheDay()])
  expect(one + other).toBe(3)
  const { rows } = await sql<{ erased: number }>`
    select "erased" from "erasure" where "schoolId" = ${school.schoolId} order by "announceTime" desc, "erId" desc limit 1`.execute(
    school.ctx.db,
  )
  expect(rows[0]!.erased).toBe(3)
})
