import { beforeAll, describe, expect, test } from 'vitest'
import { warnLevel as warnLevelCodes, loginState } from '../../../contract/core/codes/outcomes.ts'
import { yesNo } from '../../../contract/core/codes/platform.ts'
import { circleAuthStatus, circleStatus } from '../../../contract/core/codes/programme.ts'
import { personSex } from '../../../contract/core/codes/school.ts'
import { circleStatApi } from '../../../contract/outcomes/statistics/circle-statistics.calls.ts'
import { lessonFigures, lessonStatApi } from '../../../contract/outcomes/statistics/lesson-statistics.calls.ts'
import { activeApi, loginStatApi } from '../../../contract/outcomes/statistics/login-statistics.calls.ts'
import { studentStatApi } from '../../../contract/outcomes/statistics/student-statistics.calls.ts'
import { supplementStatApi } from '../../../contract/outcomes/statistics/supplement-statistics.calls.ts'
import { teacherStatApi } from '../../../contract/outcomes/statistics/teacher-statistics.calls.ts'
import { addDays, dayOf } from '../../core/base/clock.ts'
import type { Client } from '../../testing/client.ts'
import { statisticsWorld, type StatisticsWorld } from '../../testing/statistics-world.ts'
import { refreshSchool } from './refresh.service.ts'

/** The list behind a figure holds exactly what the figure counts, or that over which it is calculated. */

let world: StatisticsWorld
let admin: Client
let ofCollege: Client
const page = { pageSize: 200 }
const sum = (numbers: readonly number[]) => numbers.reduce((all, one) => all + one, 0)
const percent = (part: number, whole: number) => (whole === 0 ? null : Math.round((part * 10_000) / whole) / 100)
const lackingOf = (collegeId: string, grade?: string) =>
  collegeId === '' && grade === ''
    ? { lacking: 'both' as const }
    : collegeId === ''
      ? { lacking: 'college' as const }
      : grade === ''
        ? { lacking: 'grade' as const }
        : {}

beforeAll(async () => {
  world = await statisticsWorld(77)
  const { school } = world
  // people who belong nowhere, and a supplement of theirs
  await school.ctx.db
    .updateTable('person')
    .set({ suiCollegeId: null, suiGrade: '' })
    .where('suId', 'in', world.students.slice(0, 3))
    .execute()
  await school.ctx.db
    .updateTable('person')
    .set({ warnLevel: warnLevelCodes.moderate })
    .where('suId', '=', world.students[5]!)
    .execute()
  await refreshSchool(school.ctx, school.schoolId)
  admin = school.admin
  ofCollege = (await school.person('COLLEGE_LEAGUE', [{ caType: 'college', caTarget: world.colleges[0]! }])).client
}, 60_000)

test('courses', async () => {
  for (const client of [admin, ofCollege]) {
    const info = await client.send(lessonStatApi.info, {})
    const list = async (more: object) => (await client.send(lessonStatApi.detail, { ...page, ...more })).records
    for (const key of lessonFigures) expect(info[key], key).toBe(info.cards.find((card) => card.key === key)!.value)
    const [all, begun, granted, first, again, decided] = await Promise.all([
      list({}),
      list({ stage: 'begun' }),
      list({ stage: 'granted' }),
      list({ stage: 'first' }),
      list({ stage: 'again' }),
      list({ stage: 'decided' }),
    ])
    expect(percent(sum(begun.map(({ signed }) => signed)), sum(begun.map(({ passed }) => passed)))).toBe(info.signRate)
    expect(sum(granted.map((one) => one.granted))).toBe(info.granted)
    expect(percent(first.length, first.length + again.length)).toBe(info.firstPass)
    expect(decided.length).toBeGreaterThanOrEqual(first.length + again.length)
    for (const [at, key] of (['applied', 'passed', 'signed', 'qualified', 'granted'] as const).entries())
      expect(sum(all.map((row) => row[key])), key).toBe(info.funnel[at + 1]!.value)
    for (const { key, count, times } of info.organisers) {
      const rows = await list({ organiser: key })
      expect([rows.length, sum(rows.map(({ applied }) => applied))], key).toEqual([count, times])
    }
    const { dist } = await client.send(lessonStatApi.evaluate, {})
    for (const [at, times] of dist.entries()) expect((await list({ star: String(at + 1) })).length > 0).toBe(times > 0)
    for (const { id, count, levels } of await client.send(lessonStatApi.colleges, {})) {
      const group = id ? { collegeId: id } : { lacking: 'college' }
      expect((await list(group)).length).toBe(count)
      for (const { llId, count: of } of levels) expect((await list({ ...group, llId })).length).toBe(of)
    }
    const step = info.trend.find(({ count }) => count > 0)!
    expect(
      (
        await list({
          startTime: `${step.date}-01 00:00:00`,
          endTime: `${addDays(`${step.date}-28`, 4).slice(0, 7)}-01 00:00:00`,
        })
      ).filter(({ publishTime }) => publishTime.startsWith(step.date)),
    ).toHaveLength(step.count)
  }
})

test('sign-ins', async () => {
  const info = await admin.send(loginStatApi.college, {})
  const value = (key: string) => info.cards.find((card) => card.key === key)!.value
  const list = (more: object) => admin.send(loginStatApi.detail, { ...page, ...more })
  expect((await list({ loginState: loginState.last7Days })).total).toBe(value('week'))
  expect((await list({ loginState: loginState.last30Days })).total).toBe(value('month'))
  expect(percent((await list({ loginState: 'ever' })).total, (await list({ loginState: 'all' })).total)).toBe(
    value('activated'),
  )
  expect((await list({ tab: '1' })).total).toBe(value('students'))
  expect((await list({ tab: '2' })).total).toBe(value('staff'))
  expect(value('students')! + value('staff')!).toBe(value('people'))
  expect((await admin.send(loginStatApi.college, { tab: '1' })).cards.map(({ key }) => key)).not.toContain('staff')
  for (const { id, people, times, total } of info.rows) {
    const group = id ? { collegeId: id } : { lacking: 'college' }
    const came = await list(group)
    expect(
      [came.total, sum(came.records.map((row) => row.times)), (await list({ ...group, loginState: 'all' })).total],
      id,
    ).toEqual([people, times, total])
  }
  for (const { id, people } of (await admin.send(loginStatApi.grade, {})).rows)
    expect((await list(id ? { grade: id } : { lacking: 'grade' })).total).toBe(people)
  let cells = 0
  for (const [day, hours] of info.heat.entries())
    for (const [hour, times] of hours.entries())
      if (times > 0 && cells++ % 5 === 0) {
        const { records } = await list({ weekday: String(day + 1), hour: String(hour) })
        expect(sum(records.map((row) => row.times)), `${day} ${hour}`).toBe(times)
        expect(records.every((row) => row.times > 0)).toBe(true)
      }
  expect(cells).toBeGreaterThan(10)
  const home = await admin.send(activeApi.info, {})
  const today = dayOf(world.school.ctx.clock.now())
  expect(home.trend.at(-1)!.date).toBe(today)
  for (const [days, people] of [
    [1, home.today],
    [7, home.week],
    [30, home.month],
  ] as const)
    expect(
      (await list({ startTime: `${addDays(today, 1 - days)} 00:00:00`, endTime: `${today} 23:59:59` })).total,
    ).toBe(people)
})

test('supplements', async () => {
  for (const client of [admin, ofCollege]) {
    const info = await client.send(supplementStatApi.info, {})
    const list = async (more: object) => (await client.send(supplementStatApi.detail, { ...page, ...more })).records
    const value = (key: string) => info.cards.find((card) => card.key === key)!.value
    const twice = await list({ stage: 'twice' })
    expect(twice).toHaveLength(value('twice')!)
    for (const one of twice)
      expect(
        twice.filter(
          (row) =>
            row.suId === one.suId &&
            row.lisName === one.lisName &&
            row.levelName === one.levelName &&
            row.lisAward === one.lisAward,
        ).length,
      ).toBeGreaterThan(1)
    expect((await list({ stage: 'decided' })).length > 0).toBe(value('decideHours') !== null)
    for (const { reason, count } of info.reasons) expect(await list({ refuseReason: reason })).toHaveLength(count)
    for (const { id, hours } of info.types)
      expect(sum((await list({ lisType: id, stage: 'granted' })).map((row) => Number(row.hours)))).toBe(hours)
    for (const { id, count } of info.colleges)
      expect(await list(id ? { collegeId: id } : { lacking: 'college' })).toHaveLength(count)
  }
})

describe('people', () => {
  test('students of every group, with their warning', async () => {
    const list = (more: object) => admin.send(studentStatApi.detail, { ...page, ...more })
    const total = await admin.send(studentStatApi.total, {})
    expect(percent((await list({ stage: 'recorded' })).total, total.people!)).toBe(total.coverage)
    expect(percent((await list({ stage: 'met' })).total, total.people!)).toBe(total.metRate)
    const groups = await admin.send(studentStatApi.score, {})
    expect(groups.some(({ collegeId, grade }) => collegeId === '' && grade === '')).toBe(true)
    for (const { collegeId, grade, students } of groups)
      expect(
        (
          await list({
            ...(collegeId && { collegeId }),
            ...(grade && { grade }),
            ...lackingOf(collegeId, grade),
            stage: 'counted',
          })
        ).total,
      ).toBe(students)
    for (const { grade, male, unknown } of await admin.send(studentStatApi.gradeSex, {})) {
      const group = grade ? { grade } : { lacking: 'grade' }
      expect([
        (await list({ ...group, sex: personSex.male })).total,
        (await list({ ...group, sex: 'unknown' })).total,
      ]).toEqual([male, unknown])
    }
    const circles = await admin.send(circleStatApi.total, {})
    expect(circles.joinRate).toBeGreaterThan(0)
    expect(percent((await list({ stage: 'circle' })).total, total.people!)).toBe(circles.joinRate)
    const warned = (await list({ everybody: yesNo.yes })).records.filter(
      ({ warnLevel }) => warnLevel !== warnLevelCodes.normal,
    )
    expect(warned.map(({ suId, warnLevel }) => [suId, warnLevel])).toEqual([
      [world.students[5], warnLevelCodes.moderate],
    ])
  })

  test('teachers, with their circles', async () => {
    const list = async (more: object) => (await admin.send(teacherStatApi.detail, { ...page, ...more })).records
    const total = await admin.send(teacherStatApi.total, {})
    const all = await list({})
    expect(percent((await list({ guides: '1' })).length, all.length)).toBe(total.rate)
    expect((await list({ guides: 'rated' })).every(({ rating }) => rating !== null)).toBe(true)
    for (const { id, people, total: staff, num } of await admin.send(teacherStatApi.colleges, {})) {
      const group = id ? { collegeId: id } : { lacking: 'college' }
      const own = await list(group)
      expect([
        own.length,
        own.filter(({ lessons }) => lessons > 0).length,
        sum(own.map(({ lessons }) => lessons)),
      ]).toEqual([staff, people, num])
    }
    for (const { key, value } of await admin.send(teacherStatApi.sex, {}))
      expect(await list({ sex: key })).toHaveLength(value!)
    const { db } = world.school.ctx
    const guiding = await db
      .selectFrom('circleTeacher as x')
      .innerJoin('circle as i', 'i.ciId', 'x.ciId')
      .select(['x.suId', 'x.ciId'])
      .where('x.schoolId', '=', world.school.schoolId)
      .where('i.delFlag', '=', yesNo.no)
      .where('i.ciAuthStatus', '=', circleAuthStatus.passed)
      .where('i.ciStatus', '<>', circleStatus.dissolved)
      .execute()
    for (const { suId, circles } of all) expect(circles).toBe(guiding.filter((row) => row.suId === suId).length)
    expect(await list({ guides: 'circle' })).toHaveLength(all.filter(({ circles }) => circles > 0).length)
  })

  test('circles without a college, and those that somebody guides', async () => {
    const list = async (more: object) => (await admin.send(circleStatApi.detail, { ...page, ...more })).records
    for (const { id, circles } of await admin.send(circleStatApi.colleges, {}))
      expect(await list(id ? { collegeId: id } : { lacking: 'college' })).toHaveLength(circles)
    expect((await list({ stage: 'guided' })).every(({ teacherNames }) => teacherNames.length > 0)).toBe(true)
  })
})
