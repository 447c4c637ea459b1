import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { yesNo } from '../../../../contract/core/codes/platform.ts'
import {
  applyStatus,
  credibilityReason,
  creditType,
  lessonKind,
  lessonStatus,
  partakeMode as partakeModeCodes,
  resultStatus,
  signStatus,
} from '../../../../contract/core/codes/programme.ts'
import { lessonApi } from '../../../../contract/programme/lessons/lessons.calls.ts'
import { registrationApi } from '../../../../contract/programme/lessons/registration.calls.ts'
import { addDays } from '../../../core/base/clock.ts'
import { newId } from '../../../core/base/ids.ts'
import { schoolYearOf } from '../../credits/limits.service.ts'
import { entriesFor } from '../../credits/rules.ts'
import { lessonWorld, type LessonWorld } from '../../../testing/lessons.ts'
import { completeLessons } from './completion.service.ts'
import { ratedBy, ratingOf } from '../model/rating.queries.ts'

/** Courses whose public notice ended yesterday, with participants as given: sign status and result. */
async function noticed(
  world: LessonWorld,
  participants: { suId: string; laSignStatus?: string; laResult?: string; adId?: string; partakeMode?: string }[],
  more = {},
) {
  const { school } = world
  const { db } = school.ctx
  const { liId } = await world.teacher.client.send(lessonApi.save, world.form({ ...more }, -200))
  const now = school.clock.now()
  const lesson = {
    ...(await db
      .selectFrom('lesson')
      .selectAll()
      .where('schoolId', '=', school.schoolId)
      .where('liId', '=', liId)
      .executeTakeFirstOrThrow()),
  }
  const rating = await ratingOf({ db }, lesson)
  const rows = participants.map(
    ({
      suId,
      laSignStatus = signStatus.signedIn,
      laResult = resultStatus.passed,
      adId,
      partakeMode = partakeModeCodes.participant,
    }) => {
      const values = entriesFor(ratedBy(rating, lesson, { partakeMode, laResult, adId: adId ?? null }))
      const of = (clType: string) => values.find((entry) => entry.clType === clType)?.value ?? 0
      return {
        schoolId: school.schoolId,
        laId: newId(),
        liId,
        suId,
        laStatus: applyStatus.accepted,
        laSignStatus,
        laResult,
        adId: adId ?? null,
        partakeMode,
        laHours: of('1'),
        laCredit: of('2'),
        laPoints: of('3'),
      }
    },
  )
  for (let at = 0; at < rows.length; at += 1000)
    await db
      .insertInto('registration')
      .values(rows.slice(at, at + 1000))
      .execute()
  await db
    .updateTable('lesson')
    .set({
      liStatus: lessonStatus.inNotice,
      liPublictySdate: addDays(now, -5),
      liPublictyEdate: addDays(now, -1),
      passCount: rows.length,
      quota: rows.length,
    })
    .where('schoolId', '=', school.schoolId)
    .where('liId', '=', liId)
    .execute()
  return liId
}
const ledger = ({ school }: LessonWorld) =>
  school.ctx.db.selectFrom('creditLedger').selectAll().where('schoolId', '=', school.schoolId).execute()
const stateOf = async ({ school }: LessonWorld, liId: string) =>
  (
    await school.ctx.db
      .selectFrom('lesson')
      .select('liStatus')
      .where('schoolId', '=', school.schoolId)
      .where('liId', '=', liId)
      .executeTakeFirstOrThrow()
  ).liStatus
const complete = ({ school }: LessonWorld) => completeLessons(school.services, school.schoolId)

describe('completion', () => {
  test('many runners at once write one set of ledger rows, equal to what the rules give', async () => {
    const world = await lessonWorld()
    const { school } = world
    const people = await world.students(30)
    const plan = people.map(({ suId }, at) => ({
      suId,
      ...(at % 5 === 4
        ? { laSignStatus: signStatus.absent, laResult: resultStatus.failed }
        : at % 5 === 3
          ? { laResult: resultStatus.awarded, adId: world.awards.second }
          : {}),
      partakeMode: at % 2 ? partakeModeCodes.organiser : partakeModeCodes.participant,
    }))
    const ids = [await noticed(world, plan, { liKind: lessonKind.volunteering }), await noticed(world, plan)]
    const counts = await Promise.all(Array.from({ length: 5 }, () => complete(world)))
    expect(counts.reduce((sum, n) => sum + n, 0)).toBe(2)
    expect(await complete(world)).toBe(0)
    const rows = await ledger(world)
    const wanted = []
    for (const liId of ids) {
      const lesson = await school.ctx.db
        .selectFrom('lesson')
        .selectAll()
        .where('schoolId', '=', school.schoolId)
        .where('liId', '=', liId)
        .executeTakeFirstOrThrow()
      expect(lesson.liStatus).toBe(lessonStatus.completed)
      const rating = await ratingOf(school.ctx, lesson)
      for (const one of plan)
        for (const { clType, sqlId, value } of entriesFor(
          ratedBy(rating, lesson, { laResult: resultStatus.passed, adId: null, ...one }),
        ))
          wanted.push([liId, one.suId, clType, sqlId, value].join())
    }
    expect(
      rows.map(({ bizId, suId, clType, sqlId, clValue }) => [bizId, suId, clType, sqlId, clValue].join()).toSorted(),
    ).toEqual(wanted.toSorted())
    expect(rows.some(({ clType }) => clType === creditType.volunteerHours)).toBe(true)
    const log = await school.ctx.db
      .selectFrom('credibilityLog')
      .selectAll()
      .where('schoolId', '=', school.schoolId)
      .execute()
    expect(log).toHaveLength(12)
    const own = await school.ctx.db
      .selectFrom('creditLedger')
      .selectAll()
      .where('schoolId', '=', school.schoolId)
      .where('suId', '=', people[0]!.suId)
      .orderBy('grantedAt')
      .orderBy('clId')
      .execute()
    expect(
      own.filter(({ clType }) => clType === creditType.hours).map(({ clValue, source }) => [clValue, source]),
    ).toEqual([
      [200, 'LESSON'],
      [200, 'LESSON'],
    ])
  })

  test('a course of three thousand is completed in batches, each student once', async () => {
    const world = await lessonWorld()
    const people = await world.students(3001)
    const liId = await noticed(
      world,
      people.map(({ suId }) => ({ suId })),
    )
    expect(await complete(world)).toBe(1)
    expect(await stateOf(world, liId)).toBe(lessonStatus.completed)
    const rows = await ledger(world)
    expect(rows.filter(({ clType }) => clType === creditType.hours)).toHaveLength(3001)
    expect(new Set(rows.map(({ suId }) => suId)).size).toBe(3001)
  }, 60_000)

  test('a course that fails keeps nothing and does not hold up the others', async () => {
    const world = await lessonWorld()
    const { db } = world.school.ctx
    const { schoolId } = world.school
    const [one, two] = await world.students(2)
    const broken = await noticed(world, [
      { suId: one!.suId },
      { suId: two!.suId, laSignStatus: signStatus.absent, laResult: resultStatus.failed },
    ])
    const sound = await noticed(world, [{ suId: two!.suId }])
    // a path without a module cannot be credited to one
    const { lsPath } = await db
      .selectFrom('lesson')
      .select('lsPath')
      .where('schoolId', '=', schoolId)
      .where('liId', '=', broken)
      .executeTakeFirstOrThrow()
    await db
      .updateTable('lesson')
      .set({ lsPath: [] })
      .where('schoolId', '=', schoolId)
      .where('liId', '=', broken)
      .execute()
    expect(await complete(world)).toBe(1)
    expect([await stateOf(world, sound), await stateOf(world, broken)]).toEqual([
      lessonStatus.completed,
      lessonStatus.inNotice,
    ])
    expect((await ledger(world)).every(({ bizId }) => bizId === sound)).toBe(true)
    await db.updateTable('lesson').set({ lsPath }).where('schoolId', '=', schoolId).where('liId', '=', broken).execute()
    expect(await complete(world)).toBe(1)
    expect(await stateOf(world, broken)).toBe(lessonStatus.completed)
  })

  test('waits for the end of the notice, for open questions, and never touches other states', async () => {
    const world = await lessonWorld()
    const { db } = world.school.ctx
    const [one] = await world.students(1)
    const ids = []
    for (const values of [
      { liPublictyEdate: addDays(world.school.clock.now(), 1) },
      { liStatus: lessonStatus.questioned },
      { liStatus: lessonStatus.resultPassed },
      { delFlag: yesNo.yes },
    ]) {
      const liId = await noticed(world, [{ suId: one!.suId }])
      await db
        .updateTable('lesson')
        .set(values)
        .where('schoolId', '=', world.school.schoolId)
        .where('liId', '=', liId)
        .execute()
      ids.push(liId)
    }
    expect(await complete(world)).toBe(0)
    expect(await ledger(world)).toEqual([])
  })

  test('the third absence closes registration for a week; credibility never falls below none', async () => {
    const world = await lessonWorld()
    const { db } = world.school.ctx
    const { schoolId } = world.school
    const [student] = await world.students(1)
    await db
      .updateTable('person')
      .set({ suiCredibility: 2 })
      .where('schoolId', '=', schoolId)
      .where('suId', '=', student!.suId)
      .execute()
    const person = () =>
      db
        .selectFrom('person')
        .select(['suiCredibility', 'blackUntil'])
        .where('schoolId', '=', schoolId)
        .where('suId', '=', student!.suId)
        .executeTakeFirstOrThrow()
    for (let n = 1; n <= 3; n++) {
      await noticed(world, [{ suId: student!.suId, laSignStatus: signStatus.absent, laResult: resultStatus.failed }])
      await complete(world)
      if (n < 3) expect(await person()).toEqual({ suiCredibility: 2 - n, blackUntil: null })
    }
    const after = await person()
    expect(after.suiCredibility).toBe(0)
    expect(after.blackUntil! > addDays(world.school.clock.now(), 6)).toBe(true)
    const log = await db
      .selectFrom('credibilityLog')
      .select(['before', 'after', 'change', 'reasonCode'])
      .where('schoolId', '=', schoolId)
      .orderBy('createTime')
      .orderBy('cgId')
      .execute()
    expect(log).toEqual([
      { before: 2, after: 1, change: -1, reasonCode: credibilityReason.absence },
      { before: 1, after: 0, change: -1, reasonCode: credibilityReason.absence },
      { before: 0, after: 0, change: 0, reasonCode: credibilityReason.absence },
    ])
    const liId = await world.published()
    expect(await world.teacher.client.ask(registrationApi.add, { liId, suIds: [student!.suId] })).toMatchObject({
      code: 300,
      msg: '该学生在黑名单期内，不能报名',
    })
  })

  test('leaving early costs two points, every third good sign-in and a course of school level give one back, up to the most', async () => {
    const world = await lessonWorld()
    const {
      school: {
        ctx: { db },
        schoolId,
      },
    } = world
    const [left, good, full] = await world.students(3)
    await db
      .updateTable('person')
      .set({ suiCredibility: 90 })
      .where('schoolId', '=', schoolId)
      .where('suId', 'in', [left!.suId, good!.suId])
      .execute()
    const of = async (suId: string) =>
      (
        await db
          .selectFrom('credibilityLog')
          .select(['change', 'reasonCode'])
          .where('schoolId', '=', schoolId)
          .where('suId', '=', suId)
          .orderBy('createTime')
          .orderBy('cgId')
          .execute()
      ).map(({ change, reasonCode }) => [change, reasonCode])
    for (let n = 1; n <= 4; n++) {
      await noticed(world, [
        { suId: left!.suId, laSignStatus: signStatus.leftEarly, laResult: resultStatus.failed },
        { suId: good!.suId, laSignStatus: n % 2 ? signStatus.signedIn : signStatus.signedOut },
        { suId: full!.suId },
      ])
      await complete(world)
    }
    expect(await of(left!.suId)).toEqual(Array(4).fill([-2, '2']))
    expect(await of(good!.suId)).toEqual([[1, '3']])
    expect(await of(full!.suId)).toEqual([])
    const liId = await noticed(world, [
      { suId: good!.suId, laSignStatus: signStatus.late },
      { suId: left!.suId, laSignStatus: signStatus.absent, laResult: resultStatus.failed },
    ])
    await db
      .updateTable('lesson')
      .set({ liLevel: '5' })
      .where('schoolId', '=', schoolId)
      .where('liId', '=', liId)
      .execute()
    await complete(world)
    expect(await of(good!.suId)).toEqual([
      [1, '3'],
      [1, '4'],
    ])
    expect((await of(left!.suId)).at(-1)).toEqual([-1, '1'])
  })
})

describe('what a student has already', () => {
  const hoursOf = async (world: LessonWorld, suId: string) =>
    (await ledger(world))
      .filter((row) => row.suId === suId && row.clType === creditType.hours)
      .toSorted((a, b) => (a.clId < b.clId ? -1 : 1))
  const settle = ({ school }: LessonWorld, change: object) =>
    sql`
      update "school"
      set "settings" = "settings" || ${JSON.stringify(change)}::jsonb
      where "schoolId" = ${school.schoolId}`.execute(school.ctx.db)
  const rule = (world: LessonWorld, change: object) =>
    world.school.ctx.db.updateTable('evaluation').set(change).where('esId', '=', world.esId).execute()

  test('of a group only the best counts, in any order, and the row says so', async () => {
    const world = await lessonWorld()
    const [student] = await world.students(1)
    await rule(world, { bestOnlyGroup: '英语' })
    for (const liHours of ['1', '3', '2']) {
      await noticed(world, [student!], { liHours })
      await complete(world)
    }
    const rows = await hoursOf(world, student!.suId)
    expect(rows.map(({ clValue }) => clValue)).toEqual([100, 200, 0])
    expect((rows[1]!.explain as { text: string }).text).toContain('“英语”就高，已计 1，补差 2 学时')
    // a school that counts every record counts this one too
    await settle(world, { bestOnly: '0' })
    await noticed(world, [student!], { liHours: '2' })
    await complete(world)
    expect((await hoursOf(world, student!.suId)).at(-1)!.clValue).toBe(200)
  })

  test.each([
    ['lectures', { lectureCreditCap: '0.3' }, { liKind: lessonKind.lecture }, '6', '讲座累计还可计 0.1，按 0.1 学分计'],
    ['activities of circles', { clubCreditCap: '0.3' }, {}, '8', '社团活动累计还可计 0.1，按 0.1 学分计'],
  ] as const)('credit of %s has a cap, that of others none', async (_, change, kind, liLevel, text) => {
    const world = await lessonWorld()
    const [student] = await world.students(1)
    await settle(world, change)
    const other = await noticed(world, [student!], { liKind: lessonKind.activity })
    const ids = [
      await noticed(world, [student!], kind),
      await noticed(world, [student!], kind),
      await noticed(world, [student!], kind),
    ]
    await world.school.ctx.db.updateTable('lesson').set({ liLevel }).where('liId', 'in', ids).execute()
    await complete(world)
    const credits = (await ledger(world)).filter(({ clType }) => clType === creditType.credit)
    const of = (liIds: string[]) => credits.filter(({ bizId }) => liIds.includes(bizId))
    expect(
      of(ids)
        .map(({ clValue }) => clValue)
        .toSorted(),
    ).toEqual([0, 10, 20])
    expect(of(ids).some(({ explain }) => (explain as { text: string }).text.includes(text))).toBe(true)
    expect(of([other]).map(({ clValue }) => clValue)).toEqual([20])
    expect((await hoursOf(world, student!.suId)).map(({ clValue }) => clValue)).toEqual([200, 200, 200, 200])
  })

  test('two posts of one school year add up, unless the school counts only the best', async () => {
    const world = await lessonWorld()
    const [student] = await world.students(1)
    for (const dualOffice of ['0', '1']) {
      await settle(world, { dualOffice })
      for (const liHours of ['1', '3']) {
        await noticed(world, [student!], { liKind: lessonKind.office, liHours })
        await complete(world)
      }
    }
    const rows = await hoursOf(world, student!.suId)
    expect(rows.map(({ clValue }) => clValue)).toEqual([100, 200, 100, 300])
    expect((rows[1]!.explain as { text: string }).text).toMatch(/“\d{4}—\d{4} 学年任职”就高，已计 1，补差 2 学时/)
  })

  test.each([
    [
      'the school year of the rule',
      (world: LessonWorld) => rule(world, { yearCap: 300 }),
      '本学年还可计 1，按 1 学时计',
    ],
    [
      'the term of a node',
      ({ school }: LessonWorld) =>
        school.ctx.db
          .updateTable('curriculum')
          .set({ termCap: 300 })
          .where('lsId', '=', school.curriculum['SXCL']!)
          .execute(),
      '“思想成长”本学期还可计 1，按 1 学时计',
    ],
    [
      'the whole study of a node',
      ({ school }: LessonWorld) =>
        school.ctx.db
          .updateTable('curriculum')
          .set({ maxHours: 300 })
          .where('lsId', '=', school.curriculum['SXCL']!)
          .execute(),
      '“思想成长”累计还可计 1，按 1 学时计',
    ],
    [
      'the term of the school',
      (world: LessonWorld) => settle(world, { termCapHours: '3' }),
      '本学期还可计 1，按 1 学时计',
    ],
  ] as const)('%s has a cap that no two courses completed at once exceed', async (_, limit, text) => {
    const world = await lessonWorld()
    const [student, other] = await world.students(2)
    await limit(world)
    await noticed(world, [student!], { liHours: '2' })
    await noticed(world, [student!, other!], { liHours: '2' })
    await noticed(world, [student!], { liHours: '2' })
    await Promise.all([complete(world), complete(world), complete(world)])
    const rows = await hoursOf(world, student!.suId)
    expect(rows.map(({ clValue }) => clValue).toSorted()).toEqual([0, 100, 200])
    expect(rows.map(({ explain }) => (explain as { text: string }).text).some((one) => one.includes(text))).toBe(true)
    expect((await hoursOf(world, other!.suId)).map(({ clValue }) => clValue)).toEqual([200])
  })
})

test.each([
  ['2026-08-15 23:59:59', '2025-08-16 00:00:00', '2026-08-15 23:59:59'],
  ['2026-08-16 00:00:00', '2026-08-16 00:00:00', '2027-08-15 23:59:59'],
  ['2026-12-31 08:00:00', '2026-08-16 00:00:00', '2027-08-15 23:59:59'],
])('%s lies in the school year from %s', (moment, from, to) =>
  expect(schoolYearOf(moment, '08-16')).toEqual({ from, to }),
)
