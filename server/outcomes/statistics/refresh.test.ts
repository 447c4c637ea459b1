import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { warnLevel } from '../../../contract/core/codes/outcomes.ts'
import { yesNo } from '../../../contract/core/codes/platform.ts'
import { personSex, politicalStatus, studentStatus } from '../../../contract/core/codes/school.ts'
import { modelPreviewApi } from '../../../contract/rules/labels/model.calls.ts'
import type { Db } from '../../core/database/pool.ts'
import { grantRecord, oneClass, recordPlans, type TestStudent } from '../../testing/ledger.ts'
import { newSchool, type TestSchool } from '../../testing/school.ts'
import { checkEach, checkSchool, dueTonight, checkInItsTurn, checkJob, startNightlyChecks } from './check.service.ts'
import { rebuildSchool, refreshEach, refreshSchool } from './refresh.service.ts'
import { newId } from '../../core/base/ids.ts'
import { asOwner } from '../../testing/database.ts'
import { recording, type Statement } from '../../testing/recorded-statements.ts'

/**
 * How the rollups are kept when others are at them, when one school cannot be calculated, and which changes are worth a
 * note.
 */

let broken: TestSchool
let school: TestSchool
let students: TestStudent[]

const scoreOf = async (one: TestSchool, { suId }: TestStudent) =>
  Number(
    (
      await one.ctx.db
        .selectFrom('statPerson')
        .select('hours')
        .where('schoolId', '=', one.schoolId)
        .where('suId', '=', suId)
        .executeTakeFirst()
    )?.hours,
  )
const notes = async () =>
  (await school.ctx.db.selectFrom('statChange').selectAll().where('schoolId', '=', school.schoolId).execute()).length
/** How many people or courses a statement is given at most. */
const peopleIn = ({ values }: Statement) =>
  Math.max(...values.map((value) => (Array.isArray(value) ? value.length : 0)))
const at = (time: string) => ({ ...school.ctx, clock: { now: () => time } })

beforeAll(async () => {
  // made first, and so the first of all schools that are gone through
  broken = await newSchool()
  school = await newSchool()
  students = await (await oneClass(school)).students(6)
  await refreshSchool(school.ctx, school.schoolId)
}, 60_000)

/** Does something while another connection has begun to work at the school. */
async function whileTaken<R>(work: () => Promise<R>): Promise<R> {
  return school.ctx.db.transaction().execute(async (tx) => {
    await sql`select pg_advisory_xact_lock(hashtextextended(${`statistics:${school.schoolId}`}::text, 0))`.execute(tx)
    return work()
  })
}

test('a school that another one is working at is neither up to date nor compared', async () => {
  expect(await whileTaken(() => refreshSchool(school.ctx, school.schoolId))).toBeNull()
  expect(await whileTaken(() => checkSchool(school.ctx, school.schoolId, 2))).toBeNull()
  expect(await checkSchool(school.ctx, school.schoolId)).toEqual({
    statPerson: 0,
    statAbility: 0,
    statEarned: 0,
    statSignIn: 0,
    statSupplement: 0,
    statLesson: 0,
  })
})

test('the comparison is tried again until the other one is through', async () => {
  let free = () => {}
  const taken = whileTaken(() => new Promise<void>((done) => (free = done)))
  await sleep(50)
  const found = checkSchool(school.ctx, school.schoolId)
  await sleep(100)
  free()
  await taken
  expect(await found).toMatchObject({ statPerson: 0 })
})

describe('a school that cannot be calculated', () => {
  let own: TestStudent
  beforeAll(async () => {
    ;[own] = (await (await oneClass(broken)).students(1)) as [TestStudent]
    // more hours than a rollup can hold
    for (const name of ['甲', '乙']) await grantRecord(broken, own, { ...recordPlans[0]!, name, hours: 2_000_000_000 })
  })

  test('leaves the statistics of the others as they should be', async () => {
    await grantRecord(school, students[0]!, { ...recordPlans[1]!, hours: 300 })
    const { failed } = await refreshEach(school.ctx, [broken.schoolId, school.schoolId])
    expect(failed).toEqual([broken.schoolId])
    expect(await scoreOf(school, students[0]!)).toBe(300)
  })

  test('leaves their comparison too', async () => {
    await asOwner((db) =>
      db
        .updateTable('statPerson')
        .set({ hours: 999 })
        .where('schoolId', '=', school.schoolId)
        .where('suId', '=', students[1]!.suId)
        .execute(),
    )
    const found = await checkEach(at('2031-03-05 02:10:00'), [broken.schoolId, school.schoolId])
    expect(found).toEqual({ [school.schoolId]: 2, [broken.schoolId]: null })
    expect(await scoreOf(school, students[1]!)).toBe(0)
  })

  test('is compared again the same night, the others the next one, and nobody by day', async () => {
    for (const time of ['2031-03-05 14:00:00', '2031-03-06 01:59:00', '2031-03-06 06:00:00'])
      expect(await dueTonight(at(time)), time).toEqual([])
    const due = async (time: string) => {
      const all = await dueTonight(at(time))
      return [broken, school].map((one) => one.schoolId).filter((schoolId) => all.includes(schoolId))
    }
    expect(await due('2031-03-05 02:40:00')).toEqual([broken.schoolId])
    expect(await due('2031-03-06 02:00:00')).toEqual([broken.schoolId, school.schoolId])
    // each school is a job of its own, once, and is left when its turn comes by day
    await startNightlyChecks(at('2031-03-06 02:00:00'))
    await startNightlyChecks(at('2031-03-06 02:30:00'))
    const jobs = await school.ctx.db
      .selectFrom('job')
      .select('schoolId')
      .where('jobKind', '=', checkJob)
      .where('schoolId', 'in', [broken.schoolId, school.schoolId])
      .execute()
    expect(jobs.map(({ schoolId }) => schoolId).sort()).toEqual([broken.schoolId, school.schoolId].sort())
    expect(await checkInItsTurn(at('2031-03-06 09:00:00'), broken.schoolId)).toEqual({})
    expect(await checkInItsTurn(at('2031-03-06 03:00:00'), broken.schoolId)).toEqual({ [broken.schoolId]: null })
  })
})

test('calculation may take longer than a request', async () => {
  await grantRecord(school, students[2]!, { ...recordPlans[1]!, hours: 700 })
  await school.ctx.db.connection().execute(async (db) => {
    await sql`set statement_timeout = 400`.execute(db)
    let free = () => {}
    const held = asOwner((all) =>
      all.transaction().execute(async (tx) => {
        await sql`select from "statPerson" where "schoolId" = ${school.schoolId} for update`.execute(tx)
        await new Promise<void>((done) => (free = done))
      }),
    )
    await sleep(50)
    const refreshed = refreshSchool({ ...school.ctx, db: db as Db }, school.schoolId)
    await sleep(700)
    free()
    await held
    expect(await refreshed).toBeGreaterThan(0)
    await sql`reset statement_timeout`.execute(db)
  })
  expect(await scoreOf(school, students[2]!)).toBe(700)
})

test('more people than one statement takes are calculated by several, and nothing stays noted', async () => {
  const atOnce = { people: 2, courses: 2 }
  for (const student of students) await grantRecord(school, student, { ...recordPlans[1]!, hours: 100 })
  expect(await notes()).toBeGreaterThan(0)
  const statements = await recording(async () => void (await refreshSchool(school.ctx, school.schoolId, { atOnce })))
  const people = statements.filter(({ text }) => /^\s*insert into "statPerson"/.test(text)).map(peopleIn)
  expect(people.toSorted()).toEqual([2, 2, 2])
  expect(await notes()).toBe(0)
  expect(await scoreOf(school, students[2]!)).toBe(800)
  expect(Object.values((await checkSchool(school.ctx, school.schoolId))!)).toEqual([0, 0, 0, 0, 0, 0])
})

test('a school made anew is calculated by as many people at once, and those who are gone leave nothing', async () => {
  const kept = await school.ctx.db
    .selectFrom('statPerson')
    .selectAll()
    .where('schoolId', '=', school.schoolId)
    .executeTakeFirstOrThrow()
  const gone = newId()
  await asOwner((db) =>
    db
      .insertInto('statPerson')
      .values({ ...kept, suId: gone })
      .execute(),
  )
  const statements = await recording(() =>
    rebuildSchool(school.ctx, school.schoolId, { atOnce: { people: 3, courses: 1 } }),
  )
  const people = statements
    .filter(({ text }) => /^\s*insert into "stat(Person|Earned|SignIn)"/.test(text))
    .map(peopleIn)
  expect(people.length).toBeGreaterThan(3)
  expect(Math.max(...people)).toBe(3)
  const left = await school.ctx.db.selectFrom('statPerson').select('suId').where('suId', '=', gone).execute()
  expect(left).toEqual([])
  expect(Object.values((await checkSchool(school.ctx, school.schoolId))!)).toEqual([0, 0, 0, 0, 0, 0])
})

test.each([
  [{ warnLevel: warnLevel.moderate }, 0],
  [{ suiPhoneHash: null, updateTime: '2026-01-02 00:00:00' }, 0],
  [{ suiName: '改名' }, 0],
  [{ suiSex: personSex.female }, 1],
  [{ suiPolitical: politicalStatus.masses }, 1],
  [{ suiCredibility: 77 }, 1],
  [{ blackUntil: '2030-01-01 00:00:00' }, 1],
  [{ suiEnterDate: '2024-09-02' }, 1],
  [{ suiGrade: '2022' }, 1],
  [{ suiStatus: studentStatus.suspended }, 1],
  [{ delFlag: yesNo.yes }, 1],
])('of a person changed by %j there are %i notes', async (change, count) => {
  await refreshSchool(school.ctx, school.schoolId)
  await school.ctx.db
    .updateTable('person')
    .set(change as never)
    .where('suId', '=', students[5]!.suId)
    .execute()
  expect(await notes()).toBe(count)
})

test('the model is previewed from what is kept, not from the ledger', async () => {
  await refreshSchool(school.ctx, school.schoolId)
  expect((await school.admin.send(modelPreviewApi.preview, {})).schoolPeople).toBe(5)
})
