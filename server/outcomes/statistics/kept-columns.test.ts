import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { yesNo } from '../../../contract/core/codes/platform.ts'
import { abilityStatApi } from '../../../contract/outcomes/statistics/ability-statistics.calls.ts'
import { loginStatApi } from '../../../contract/outcomes/statistics/login-statistics.calls.ts'
import { studentStatApi } from '../../../contract/outcomes/statistics/student-statistics.calls.ts'
import { grantRecord, oneClass, recordPlans, type TestStudent } from '../../testing/ledger.ts'
import { newSchool, type TestSchool } from '../../testing/school.ts'
import { refreshSchool } from './refresh.service.ts'
import { asOwner } from '../../testing/database.ts'

/** What a process keeps of the rollups in columns is what the database holds, whatever has happened to that. */

let school: TestSchool
let students: TestStudent[]

const refresh = () => refreshSchool(school.ctx, school.schoolId)
/** Answers are kept for some seconds by the version of the rollups, which a backup put back may lower. */
const forgetAnswers = () =>
  sql`update "statState" set "statVersion" = "statVersion" + 1000 where "schoolId" = ${school.schoolId}`.execute(
    school.ctx.db,
  )
/** Students, their hours on average, and who signed in, as three calls tell. */
async function told() {
  const [{ people, avgHours }, { rows }, ability] = await Promise.all([
    school.admin.send(studentStatApi.total, {}),
    school.admin.send(loginStatApi.grade, { tab: '1' }),
    school.admin.send(abilityStatApi.colleges, {}),
  ])
  return {
    people,
    hours: Math.round((avgHours ?? 0) * people!),
    came: rows.reduce((sum, { people: came }) => sum + came, 0),
    counted: ability.school.students,
  }
}
const signIn = ({ suId }: TestStudent, logDay: string) =>
  school.ctx.db
    .insertInto('loginDay')
    .values({
      schoolId: school.schoolId,
      suId,
      logDay,
      times: 1,
      hours: Array.from({ length: 24 }, (_, at) => Number(at === 8)),
      lastTime: `${logDay} 08:00:00`,
    })
    .execute()
/** @returns a function that puts back what the rollups are now */
async function backup(): Promise<() => Promise<void>> {
  const { db } = school.ctx
  const tables = ['statPerson', 'statEarned', 'statSignIn', 'statState'] as const
  const copies = new Map<string, string>()
  for (const table of tables) {
    const { rows } = await sql<{
      all: string
    }>`select jsonb_agg(t)::text "all" from ${sql.table(table)} t where "schoolId" = ${school.schoolId}`.execute(db)
    copies.set(table, rows[0]!.all)
  }
  return () =>
    asOwner(async (all) => {
      for (const table of tables) {
        await sql`delete from ${sql.table(table)} where "schoolId" = ${school.schoolId}`.execute(all)
        await sql`
          insert into ${sql.table(table)}
          select *
          from jsonb_populate_recordset(null::${sql.table(table)}, ${copies.get(table)!}::jsonb)`.execute(all)
      }
    })
}

beforeAll(async () => {
  school = await newSchool()
  students = await (await oneClass(school)).students(5)
  await grantRecord(school, students[0]!, { ...recordPlans[0]!, hours: 500 })
  await signIn(students[0]!, '2026-03-02')
  await refresh()
}, 60_000)

test('what changes is read at the next question', async () => {
  expect(await told()).toEqual({ people: 5, hours: 5, came: 1, counted: 5 })
  await grantRecord(school, students[1]!, { ...recordPlans[1]!, hours: 200 })
  await signIn(students[1]!, '2026-03-03')
  await refresh()
  expect(await told()).toEqual({ people: 5, hours: 7, came: 2, counted: 5 })
})

test('who is removed is no longer counted, and counts again once they are back', async () => {
  const remove = async (delFlag: '0' | '1') => {
    await school.ctx.db.updateTable('person').set({ delFlag }).where('suId', '=', students[1]!.suId).execute()
    await refresh()
  }
  await remove(yesNo.yes)
  expect(await told()).toEqual({ people: 4, hours: 5, came: 1, counted: 4 })
  await remove(yesNo.no)
  expect(await told()).toEqual({ people: 5, hours: 7, came: 2, counted: 5 })
})

test('a backup that is put back under a running process is what counts', async () => {
  const restore = await backup()
  await grantRecord(school, students[2]!, { ...recordPlans[2]!, hours: 1000 })
  await signIn(students[2]!, '2026-03-04')
  await refresh()
  expect(await told()).toEqual({ people: 5, hours: 17, came: 3, counted: 5 })
  await restore()
  await forgetAnswers()
  expect(await told()).toEqual({ people: 5, hours: 7, came: 2, counted: 5 })
  // what happens after it gets stamps that were given out before
  await signIn(students[3]!, '2026-03-05')
  await refresh()
  expect((await told()).came).toBe(3)
})

test('rollups of the version before are made anew by the first question', async () => {
  const { db } = school.ctx
  await sql`update "statState" set "stamp" = 0 where "schoolId" = ${school.schoolId}`.execute(db)
  await asOwner(async (all) => {
    await sql`update "statPerson" set "stamp" = 0 where "schoolId" = ${school.schoolId}`.execute(all)
    for (const table of ['statEarned', 'statSignIn', 'statItem'])
      await sql`delete from ${sql.table(table)} where "schoolId" = ${school.schoolId}`.execute(all)
  })
  // as the migration notes it
  await sql`insert into "statChange" ("schoolId", "scKind") values (${school.schoolId}, 'A')`.execute(db)
  await forgetAnswers()
  expect(await told()).toEqual({ people: 5, hours: 17, came: 4, counted: 5 })
})
