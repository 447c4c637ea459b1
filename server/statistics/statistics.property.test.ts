import { beforeAll, describe, expect, test } from 'vitest'
import { addDays } from '../core/clock.ts'
import { newId } from '../core/ids.ts'
import { termOf } from '../school/calendar.service.ts'
import type { Client } from '../testing/client.ts'
import { abilities, lessons, logins, pick, students, sups, teachers } from '../testing/statistics-compare.ts'
import { addCircles, circles } from '../testing/statistics-circles.ts'
import { Oracle, readRaw, type Sight, type Wanted } from '../testing/statistics-oracle.ts'
import { statisticsWorld, type StatisticsWorld } from '../testing/statistics-world.ts'
import { checkSchool } from './check.service.ts'
import { rebuildSchool, refreshSchool } from './refresh.service.ts'

/** Every statistics call against the same figures reckoned row by row, for every scope and many filters; also after changes, which the refresh must have caught. */

let world: StatisticsWorld
let kinds: string[]
let circleIds: string[]
let askers: { name: string; client: Client; sight: Sight }[]
const none = () => false
const everything: Sight = { student: () => true, staff: () => true, lesson: () => true, sup: () => true, circle: () => true }

beforeAll(async () => {
  world = await statisticsWorld(20261121)
  const { school, colleges, classes } = world
  const made = await addCircles(world, 20261122)
  kinds = made.classes
  circleIds = made.circles
  const [college, room, module] = [colleges[0]!, classes[2]!.scClassId, school.curriculum['CXCY']!]
  const ofCollege = await school.person('COLLEGE_LEAGUE', [{ caType: 'college', caTarget: college }])
  const ofClass = await school.person('COUNSELOR', [{ caType: 'class', caTarget: room }])
  const ofUnit = await school.person('DEPT_ADMIN', [{ caType: 'department', caTarget: made.sdId }])
  const ofModule = await school.person('MODULE_OWNER', [{ caType: 'curriculum', caTarget: module }])
  askers = [
    { name: '校级', client: school.admin, sight: everything },
    { name: '学院', client: ofCollege.client, sight: { student: (p) => p.suiCollegeId === college, staff: (p) => p.suiCollegeId === college, lesson: (l) => l.liCollegeId === college, sup: (_, p) => p.suiCollegeId === college, circle: (c) => c.ciCollegeId === college } },
    { name: '部门', client: ofUnit.client, sight: { student: none, staff: none, lesson: none, sup: none, circle: (c) => c.guideUnitId === made.sdId } },
    { name: '班级', client: ofClass.client, sight: { student: (p) => p.scClassId === room, staff: none, lesson: none, sup: (_, p) => p.scClassId === room, circle: none } },
    { name: '模块', client: ofModule.client, sight: { student: () => true, staff: none, lesson: (l) => l.lsPath.includes(module), sup: (s) => s.lsPath.includes(module), circle: none } },
  ]
  await refreshSchool(school.ctx, school.schoolId)
})

function filters(): Wanted[] {
  const { luck, colleges, majors, classes, school } = world
  const now = school.ctx.clock.now()
  const one = (): Wanted => {
    const from = addDays(now, -luck.whole(0, 480)).slice(0, 10)
    const to = addDays(from, luck.one([0, 6, 30, 150, 400]))
    return {
      ...(luck.odds(0.7) && { startTime: `${from} 00:00:00` }), ...(luck.odds(0.7) && { endTime: `${to} 23:59:59` }), ...(luck.odds(0.3) && { collegeId: luck.one(colleges) }), ...(luck.odds(0.15) && { majorId: luck.one(majors) }),
      ...(luck.odds(0.15) && { scClassId: luck.one(classes).scClassId }), ...(luck.odds(0.2) && { grade: luck.one(['2023', '2024']) }), ...(luck.odds(0.3) && { everybody: '1' as const }),
      ...(luck.odds(0.25) && { lsId: school.curriculum[luck.one(['CXCY', 'SXCL', 'WTHD'])]! }), ...(luck.odds(0.2) && { llId: luck.one(['3', '5']) }), ...(luck.odds(0.25) && { ciClass: luck.one(kinds) }), ...(luck.odds(0.2) && { ciLevel: luck.one(['1', '2'] as const) }),
    }
  }
  return [{}, ...Array.from({ length: 4 }, one)]
}

const oracleOf = async (sight: Sight, totalHours: number) => new Oracle(await readRaw(world.school.ctx.db, world.school.schoolId), sight, world.school.ctx.clock.now(), totalHours)
const course = ['startTime', 'endTime', 'collegeId', 'lsId', 'llId'] as const
const placed = ['collegeId', 'majorId', 'scClassId', 'grade', 'everybody'] as const

async function compareAll(asked: () => Wanted[] = filters, totalHours = 6400): Promise<void> {
  for (const { name, client, sight } of askers) {
    const oracle = await oracleOf(sight, totalHours)
    for (const wanted of asked()) {
      const what = `${name} ${JSON.stringify(wanted)}`
      if (['校级', '学院', '部门'].includes(name)) await circles(client, oracle, pick(wanted, ...course, 'ciClass', 'ciLevel'), what)
      if (name === '部门') continue
      if (name !== '班级') await lessons(client, oracle, pick(wanted, ...course), what)
      await sups(client, oracle, pick(wanted, 'startTime', 'endTime', 'lsId', 'llId', ...placed), what)
      if (name === '模块') continue
      await abilities(client, oracle, pick(wanted, 'startTime', 'endTime', ...placed), what)
      await students(client, oracle, pick(wanted, ...placed), what)
      if (name === '班级') continue
      await logins(client, oracle, pick(wanted, 'startTime', 'endTime', ...placed), what)
      await teachers(client, oracle, pick(wanted, ...course), what)
    }
  }
}

describe('every call equals the raw rows', () => {
  test('for every scope and many filters', () => compareAll(), 60_000)

  test('with means that leave out who entered this term', async () => {
    const { school } = world
    await school.rules({ averageWithoutNew: '1' })
    await rebuildSchool(school.ctx, school.schoolId)
    const { tmStart } = await termOf(school.ctx, school.schoolId, school.ctx.clock.now())
    const { client, sight } = askers[0]!
    const oracle = new Oracle(await readRaw(school.ctx.db, school.schoolId), sight, school.ctx.clock.now(), 6400, tmStart.slice(0, 10))
    expect(oracle.counted(oracle.students({})).length).toBeLessThan(oracle.students({}).length)
    for (const wanted of filters()) {
      await abilities(client, oracle, pick(wanted, 'startTime', 'endTime', ...placed), JSON.stringify(wanted))
      await students(client, oracle, pick(wanted, ...placed), JSON.stringify(wanted))
    }
    await school.rules({ averageWithoutNew: '0' })
  }, 60_000)

  test('after people moved, records were reversed, courses and sign-ins came', async () => {
    const { school: { ctx: { db, clock }, schoolId, curriculum }, students: people, lessons: courses, classes, luck } = world
    const now = clock.now()
    const to = classes[4]!
    await db.updateTable('person').set({ suiCollegeId: to.scId, majorId: to.smId, scClassId: to.scClassId, suiGrade: to.grade }).where('suId', 'in', luck.some(people, 6)).execute()
    await db.updateTable('person').set({ suiStatus: '4' }).where('suId', 'in', luck.some(people, 4)).execute()
    await db.updateTable('person').set({ delFlag: '1' }).where('suId', 'in', luck.some(people, 2)).execute()
    const entries = await db.selectFrom('creditLedger').selectAll().where('schoolId', '=', schoolId).where('reverseOf', 'is', null).where('clType', '=', '1').orderBy('clId').limit(5).execute()
    for (const entry of entries) await db.insertInto('creditLedger').values({ ...entry, clId: newId(), clValue: -entry.clValue, source: 'ADJUST', reverseOf: entry.clId, occurTime: now, explain: '{}' }).onConflict((on) => on.doNothing()).execute()
    await db.updateTable('registration').set({ laStars: 5, laSignStatus: '1' }).where('schoolId', '=', schoolId).where('liId', 'in', luck.some(courses, 5)).execute()
    await db.updateTable('lesson').set({ liStatus: '91' }).where('liId', 'in', luck.some(courses, 3)).execute()
    // members come and go, and courses change hands and days: who was a member when a course began
    const latest = await db.selectFrom('lesson').select(['liId', 'startTime']).where('schoolId', '=', schoolId).where('liCircleId', 'in', circleIds).orderBy('startTime', 'desc').limit(4).execute()
    await db.insertInto('circleMember').values(luck.some(people, 20).map((suId) => ({ schoolId, cpiId: newId(), ciId: luck.one(circleIds), suId, joinTime: addDays(now, -400) }))).onConflict((on) => on.doNothing()).execute()
    await db.updateTable('circleMember').set({ quitTime: addDays(now, -200) }).where('schoolId', '=', schoolId).where('ciId', '=', circleIds[0]!).execute()
    await db.updateTable('circleMember').set({ joinTime: addDays(now, -30) }).where('schoolId', '=', schoolId).where('ciId', '=', circleIds[1]!).where('quitTime', 'is', null).execute()
    await db.deleteFrom('circleMember').where('schoolId', '=', schoolId).where('ciId', '=', circleIds[2]!).where('quitTime', 'is not', null).execute()
    await db.updateTable('lesson').set({ liCircleId: circleIds[3]! }).where('schoolId', '=', schoolId).where('liId', '=', latest[0]!.liId).execute()
    await db.updateTable('lesson').set({ startTime: addDays(latest[1]!.startTime, -300) }).where('schoolId', '=', schoolId).where('liId', '=', latest[1]!.liId).execute()
    await db.updateTable('lesson').set({ liCircleId: null }).where('schoolId', '=', schoolId).where('liId', '=', latest[2]!.liId).execute()
    await refreshSchool(world.school.ctx, schoolId)
    const exact = { statPerson: 0, statAbility: 0, statDay: 0, statLogin: 0, statLoginYear: 0, statLesson: 0 }
    expect(await checkSchool(world.school.ctx, schoolId)).toEqual(exact)
    // what weighs on everybody has the school reckoned as a whole
    await db.updateTable('curriculum').set({ minHours: 100 }).where('schoolId', '=', schoolId).where('lsId', '=', curriculum['CXCY']!).execute()
    await db.updateTable('school').set({ settings: JSON.stringify({ totalHours: '3' }) }).where('schoolId', '=', schoolId).execute()
    await db.updateTable('loginDay').set({ times: 7, hours: Array.from({ length: 24 }, (_, at) => (at === 9 ? 7 : 0)) }).where('schoolId', '=', schoolId).where('suId', 'in', luck.some(people, 8)).execute()
    await refreshSchool(world.school.ctx, schoolId)
    expect(await checkSchool(world.school.ctx, schoolId)).toEqual(exact)
    await compareAll(() => [{}], 300)
  }, 60_000)

  test('the check finds what was tampered with, and the rebuild mends it', async () => {
    const { school: { ctx, schoolId } } = world
    await ctx.db.updateTable('statLesson').set({ signed: 999 }).where('schoolId', '=', schoolId).where('liId', '=', world.lessons[0]!).execute()
    expect((await checkSchool(ctx, schoolId))?.statLesson).toBe(2)
    await rebuildSchool(ctx, schoolId)
    expect((await checkSchool(ctx, schoolId))?.statLesson).toBe(0)
  })
})
