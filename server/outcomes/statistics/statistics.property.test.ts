import fc from 'fast-check'
import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { supplementType } from '../../../contract/core/codes/programme.ts'
import { personType } from '../../../contract/core/codes/school.ts'
import { schoolInfoApi } from '../../../contract/school/school/school-info.calls.ts'
import { abilityStatApi } from '../../../contract/outcomes/statistics/ability-statistics.calls.ts'
import { circleStatApi } from '../../../contract/outcomes/statistics/circle-statistics.calls.ts'
import { lessonStatApi } from '../../../contract/outcomes/statistics/lesson-statistics.calls.ts'
import { activeApi, loginStatApi } from '../../../contract/outcomes/statistics/login-statistics.calls.ts'
import { studentStatApi } from '../../../contract/outcomes/statistics/student-statistics.calls.ts'
import { supplementStatApi } from '../../../contract/outcomes/statistics/supplement-statistics.calls.ts'
import { teacherStatApi } from '../../../contract/outcomes/statistics/teacher-statistics.calls.ts'
import { addDays } from '../../core/base/clock.ts'
import { testApp } from '../../testing/app.ts'
import { fuzz } from '../../testing/fuzz.ts'
import { addAskers, selections } from '../../testing/statistics-askers.ts'
import { CallInput, Seen } from '../../testing/statistics-asked.ts'
import { changes } from '../../testing/statistics-changes.ts'
import { abilities } from '../../testing/statistics-of-abilities.ts'
import { circles } from '../../testing/statistics-of-circles.ts'
import { lessons } from '../../testing/statistics-of-lessons.ts'
import { logins } from '../../testing/statistics-of-logins.ts'
import { students } from '../../testing/statistics-of-students.ts'
import { supplements } from '../../testing/statistics-of-supplements.ts'
import { teachers } from '../../testing/statistics-of-teachers.ts'
import { factsOf, type Facts, type Wanted } from '../../testing/statistics-oracle.ts'
import { readRaw } from '../../testing/statistics-raw.ts'
import type { Asker } from '../../testing/statistics-visibility.ts'
import { statisticsWorld, type StatisticsWorld } from '../../testing/statistics-world.ts'
import { checkSchool } from './check.service.ts'
import { rebuildSchool, refreshSchool } from './refresh.service.ts'
import { asOwner } from '../../testing/database.ts'

/**
 * Every statistics call of a generated school against the same figures calculated row by row, whoever asks for whatever
 * selection; and again while the school changes, which the refresh must have caught. `FUZZ_SEED` makes another school
 * and asks other questions, `FUZZ_RUNS` asks more of them.
 */

let world: StatisticsWorld
let askers: Asker[]
let anySelection: fc.Arbitrary<Wanted>
const seen = new Seen()
const seed = fuzz(1).seed ?? Math.floor(Math.random() * 2 ** 31)

const period = ['startTime', 'endTime'] as const
const placed = ['collegeId', 'majorId', 'scClassId', 'grade', 'everybody'] as const
const pick = <K extends keyof Wanted>(wanted: Wanted, ...keys: readonly K[]) =>
  Object.fromEntries(keys.filter((key) => wanted[key] !== undefined).map((key) => [key, wanted[key]])) as Pick<
    Wanted,
    K
  >
beforeAll(async () => {
  // the same day in every run of a seed: what a period is compared with hangs on it
  ;(await testApp()).clock.travelTo(`${addDays('2026-03-01', seed % 800)} 10:00:00`)
  world = await statisticsWorld(seed)
  const { ctx, schoolId, curriculum } = world.school
  const node = curriculum[Object.keys(curriculum).find((key) => key.startsWith('CXCY/'))!]!
  askers = await addAskers({ ...world, curriculum: { module: curriculum['CXCY']!, node } })
  const terms = await ctx.db
    .selectFrom('term')
    .select(['tmStart', 'tmEnd'])
    .where('schoolId', '=', schoolId)
    .orderBy('tmStart')
    .execute()
  anySelection = selections(world, terms, [curriculum['CXCY']!, curriculum['SXCL']!, node])
  await refreshSchool(ctx, schoolId)
}, 60_000)

/**
 * Answers are kept for some seconds whatever settings, names and raw rows say; of changed rollups they are made anew.
 */
const forgetAnswers = () =>
  world.school.ctx.db
    .updateTable('statState')
    .set({ statVersion: sql`"statVersion" + 1` })
    .where('schoolId', '=', world.school.schoolId)
    .execute()

/** The school as it is now, with what its settings ask. */
async function facts(): Promise<Facts> {
  const { admin, ctx, schoolId } = world.school
  const raw = await readRaw(ctx.db, schoolId)
  const now = ctx.clock.now()
  const { values } = await admin.send(schoolInfoApi.settings, {})
  const term = raw.term.find(({ tmStart, tmEnd }) => tmStart <= now.slice(0, 10) && now.slice(0, 10) <= tmEnd)!
  return factsOf(raw, now, {
    totalHours: Math.round(Number(values['totalHours']) * 100),
    newSince: values['averageWithoutNew'] === '1' ? term.tmStart : undefined,
  })
}

const order = fc.constantFrom(undefined, 'asc' as const, 'desc' as const)
/** Which of the filters of a list is tried beside it. */
const nth = fc.nat(59)
const listed = <S extends string>(...sorts: S[]) =>
  fc
    .record({ sort: fc.constantFrom(undefined, ...sorts), order, pageSize: fc.constantFrom(200, 7), nth })
    .map(({ sort, order: way, pageSize, nth }) => ({
      ...(sort && { sort }),
      ...(way && { order: way }),
      pageSize,
      nth,
    }))
const anyAsk = fc.record({
  byDay: fc.boolean(),
  lessons: listed('publishTime', 'applied', 'passed', 'signed', 'qualified', 'granted', 'hours'),
  students: listed('suiNumber', 'hours', 'credit', 'activities', 'suiCredibility', 'lastTime'),
  teachers: listed('suiNumber', 'lessons', 'circles', 'times', 'hours', 'handled'),
  circles: listed('ciNo', 'members', 'lessons', 'people', 'lastTime'),
  sups: fc.record({
    pageSize: fc.constantFrom(200, 7),
    nth,
    lisType: fc.constantFrom(supplementType.competitionAward, supplementType.certificate, supplementType.honour),
  }),
  logins: fc.record({
    pageSize: fc.constantFrom(200, 7),
    nth,
    tab: fc.constantFrom('1' as const, '2' as const, '3' as const),
  }),
})
type Ask = typeof anyAsk extends fc.Arbitrary<infer A> ? A : never

/** The calls of each domain with the filters of its contract. */
const domains: Record<string, (asked: CallInput, wanted: Wanted, ask: Ask) => Promise<void>> = {
  lessons: (asked, wanted, ask) => lessons(asked, pick(wanted, ...period, 'collegeId', 'lsId', 'llId'), ask.lessons),
  sups: (asked, wanted, ask) => supplements(asked, pick(wanted, ...period, ...placed, 'lsId', 'llId'), ask.sups),
  abilities: (asked, wanted) => abilities(asked, pick(wanted, ...period, ...placed)),
  students: (asked, wanted, ask) => students(asked, pick(wanted, ...period, ...placed, 'lsId', 'llId'), ask.students),
  logins: (asked, wanted, ask) => logins(asked, pick(wanted, ...period, ...placed), ask.logins),
  teachers: (asked, wanted, ask) => teachers(asked, pick(wanted, ...period, 'collegeId', 'lsId', 'llId'), ask.teachers),
  circles: (asked, wanted, ask) =>
    circles(asked, pick(wanted, ...period, 'collegeId', 'lsId', 'llId', 'ciClass', 'ciLevel'), ask.circles),
}

const permits: Record<string, readonly string[]> = {
  lessons: ['lessonstat:list'],
  sups: ['supstat:list'],
  abilities: ['abilitystat:list'],
  students: ['studentstat:list'],
  logins: ['loginstat:list'],
  teachers: ['teacherstat:list'],
  circles: ['circlestat:list'],
}
const plain = (at: number): Ask => {
  const list = { pageSize: 200 as const, nth: at }
  return {
    byDay: false,
    lessons: list,
    students: list,
    teachers: list,
    circles: list,
    sups: { ...list, lisType: supplementType.competitionAward },
    logins: { ...list, tab: '3' },
  }
}

/** Asks for all there is as everybody who may ask (or the first of them), and for some selections as some of them. */
async function compare(name: string, runs: number, { everybody = true } = {}): Promise<void> {
  const known = await facts()
  const whoMay = askers
    .filter(({ roles }) => roles.some((role) => permits[name]!.some((permit) => role.permits.includes(permit))))
    .map((asker) => asker.name)
  const [{ numRuns }, asking] = [fuzz(runs), everybody ? whoMay : whoMay.slice(0, 1)]
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...whoMay), anySelection, anyAsk, (who, wanted, ask) =>
      domains[name]!(
        new CallInput(
          known,
          askers.find((asker) => asker.name === who)!,
          seen,
          ask.byDay,
        ),
        wanted,
        ask,
      ),
    ),
    {
      ...fuzz(runs),
      seed,
      numRuns: numRuns + asking.length,
      examples: asking.map((who, at): [string, Wanted, Ask] => [who, {}, plain(at)]),
    },
  )
}

describe('every call equals the raw rows', () => {
  test.each(Object.keys(domains))('%s, whoever asks for whatever', (name) => compare(name, 20), 600_000)

  test('means that leave out who entered this term', async () => {
    const { school } = world
    await school.rules({ averageWithoutNew: '1' })
    await forgetAnswers()
    const { rules, persons } = await facts()
    expect(
      persons.some(
        ({ suiType, suiEnterDate }) =>
          suiType === personType.student && suiEnterDate !== null && suiEnterDate >= rules.newSince!,
      ),
    ).toBe(true)
    for (const name of ['abilities', 'students']) await compare(name, 6, { everybody: false })
    await school.rules({ averageWithoutNew: '0' })
  }, 600_000)

  test('while the school changes: people move, records are reversed, courses are called off, sign-ins come', async () => {
    const { ctx, schoolId } = world.school
    const anyChanges = fc.shuffledSubarray(Object.keys(changes), { minLength: 4, maxLength: 7 })
    await fc.assert(
      fc.asyncProperty(anyChanges, async (names) => {
        for (const name of names) await changes[name]!(world)
        await refreshSchool(ctx, schoolId)
        await forgetAnswers()
        expect(await checkSchool(ctx, schoolId), names.join()).toEqual({
          statPerson: 0,
          statAbility: 0,
          statEarned: 0,
          statSignIn: 0,
          statSupplement: 0,
          statLesson: 0,
        })
        for (const domain of Object.keys(domains)) await compare(domain, 2, { everybody: false })
      }),
      { ...fuzz(3), seed, numRuns: Math.min(fuzz(3).numRuns, 20), examples: [[Object.keys(changes)]] },
    )
  }, 600_000)

  test('no call and no figure of an answer is left out', () => {
    const apis = [
      lessonStatApi,
      supplementStatApi,
      abilityStatApi,
      circleStatApi,
      studentStatApi,
      teacherStatApi,
      loginStatApi,
      activeApi,
    ]
    const calls = apis.flatMap((api) => Object.values(api)).filter(({ gives }) => gives !== 'file')
    expect(calls.map(({ path }) => path).filter((path) => !seen.compared.has(path))).toEqual([])
    expect(seen.missed()).toEqual([])
  })

  test('the check finds what was tampered with, and the rebuild mends it', async () => {
    const {
      school: { ctx, schoolId },
    } = world
    const { liId, signed } = await ctx.db
      .selectFrom('statLesson')
      .select(['liId', 'signed'])
      .where('schoolId', '=', schoolId)
      .orderBy('liId')
      .executeTakeFirstOrThrow()
    await asOwner((db) =>
      db
        .updateTable('statLesson')
        .set({ signed: signed + 1 })
        .where('schoolId', '=', schoolId)
        .where('liId', '=', liId)
        .execute(),
    )
    expect((await checkSchool(ctx, schoolId))?.statLesson).toBe(2)
    await rebuildSchool(ctx, schoolId)
    expect((await checkSchool(ctx, schoolId))?.statLesson).toBe(0)
    await compare('lessons', 1, { everybody: false })
  }, 60_000)
})
