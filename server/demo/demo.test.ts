import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { applyStatus, applyWay, lessonStatus, questionStatus } from '../../contract/core/codes/programme.ts'
import { teamStatus } from '../../contract/core/codes/teams.ts'
import { personType } from '../../contract/core/codes/school.ts'
import { leapYearToCome } from '../testing/clock.ts'
import { testApp, type TestApp } from '../testing/app.ts'
import { checkDemoSchool } from '../testing/demo-checks.ts'
import { unique } from '../testing/school.ts'
import { demoSize, makeDemoSchool } from './demo-school.ts'

let app: TestApp
const schoolId = `d${unique()}`
beforeAll(async () => {
  app = await testApp()
  app.clock.travelTo(`${leapYearToCome}-11-22 15:00:00`)
  await makeDemoSchool(app.ctx, schoolId, '演示大学', demoSize(300))
})

/** One number out of the database, for the school at hand. */
async function number(query: ReturnType<typeof sql<{ n: number }>>): Promise<number> {
  return (await query.execute(app.ctx.db)).rows[0]!.n
}

test('every state of a course occurs', async () => {
  const rows = await app.ctx.db
    .selectFrom('lesson')
    .select('liStatus')
    .distinct()
    .where('schoolId', '=', schoolId)
    .execute()
  expect(rows.map(({ liStatus }) => liStatus).toSorted()).toEqual([
    lessonStatus.draft,
    lessonStatus.publishInReview,
    lessonStatus.publishRefused,
    lessonStatus.publishPassed,
    lessonStatus.published,
    lessonStatus.resultInReview,
    lessonStatus.resultRefused,
    lessonStatus.resultPassed,
    lessonStatus.inNotice,
    lessonStatus.questioned,
    lessonStatus.completed,
    lessonStatus.archived,
    lessonStatus.unpublished,
    lessonStatus.cancelled,
    lessonStatus.abnormal,
  ])
})

test('questions occur in every state', async () => {
  const rows = await app.ctx.db
    .selectFrom('question')
    .select('qStatus')
    .distinct()
    .where('schoolId', '=', schoolId)
    .execute()
  expect(rows.map(({ qStatus }) => qStatus).toSorted()).toEqual([
    questionStatus.pending,
    questionStatus.inReview,
    questionStatus.upheld,
    questionStatus.rejected,
    questionStatus.withdrawn,
    questionStatus.overdue,
  ])
})

test('a course has drawn lots as it promised, and another one is full with people waiting', async () => {
  const [drawn] = await app.ctx.db
    .selectFrom('lessonDraw')
    .innerJoin('lesson', (join) =>
      join.onRef('lesson.schoolId', '=', 'lessonDraw.schoolId').onRef('lesson.liId', '=', 'lessonDraw.liId'),
    )
    .select(['seed', 'digest', 'drawnTime', 'quota', 'passCount'])
    .where('lesson.schoolId', '=', schoolId)
    .execute()
  expect(drawn).toMatchObject({
    quota: 8,
    passCount: 8,
    drawnTime: expect.any(String) as string,
    digest: createHash('sha256').update(drawn!.seed).digest('hex'),
  })
  expect(
    await number(
      sql<{
        n: number
      }>`
        select count(*)::int n
        from "registration" r
        join "lesson" l using ("schoolId", "liId")
        where r."schoolId" = ${schoolId}
          and r."laStatus" = ${sql.lit(applyStatus.waitlisted)}
          and l."applyWay" = ${sql.lit(applyWay.firstCome)}
          and l."passCount" = l."quota"`,
    ),
    // the student of the demo's accounts is the last of them
  ).toBe(5)
})

test('a course is for teams: registered, with all it needs, and half full', async () => {
  const { rows } = await sql<{ teamName: string; teamStatus: string; members: number; seated: number }>`
    select t."teamName", t."teamStatus",
      (select count(*)::int from "teamMember" m where m."schoolId" = t."schoolId" and m."teamId" = t."teamId") "members",
      (select count(*)::int from "registration" r where r."schoolId" = t."schoolId" and r."teamId" = t."teamId") "seated"
    from "team" t
    where t."schoolId" = ${schoolId}
    order by 1`.execute(app.ctx.db)
  expect(rows.map(({ teamName, teamStatus, members, seated }) => [teamName, teamStatus, members, seated])).toEqual(
    [
      ['星火队', teamStatus.confirmed, 5, 5],
      ['远航队', teamStatus.confirmed, 4, 4],
      ['启航队', teamStatus.forming, 3, 0],
      ['拾光队', teamStatus.forming, 2, 0],
    ].toSorted(([a], [b]) => (String(a) < String(b) ? -1 : 1)),
  )
})

test('what a school sets before anything happens is set', async () => {
  for (const table of ['qualityModel', 'transformation', 'holiday'] as const)
    expect([
      table,
      await number(sql`select count(*)::int n from ${sql.table(table)} where "schoolId" = ${schoolId}`),
    ]).not.toEqual([table, 0])
})

test('nothing is wrong with it, and much is recorded in it', async () => {
  expect(await checkDemoSchool(app.ctx.db, schoolId, app.clock.now())).toEqual([])
  expect(
    await number(sql<{ n: number }>`select count(*)::int n from "creditLedger" where "schoolId" = ${schoolId}`),
  ).toBeGreaterThan(500)
  expect(
    await number(sql<{ n: number }>`select count(*)::int n from "auditLog" where "schoolId" = ${schoolId}`),
  ).toBeGreaterThan(500)
})

test('the same seed makes the same school', async () => {
  const twin = `d${unique()}`
  await makeDemoSchool(app.ctx, twin, '演示大学', demoSize(300))
  const sum = (of: string) =>
    sql<{
      n: string
    }>`
      select md5(string_agg("suiName" || "suiNumber", ',' order by "suiNumber")) n
      from "person"
      where "schoolId" = ${of} and "suiType" = ${sql.lit(personType.student)}`.execute(app.ctx.db)
  expect((await sum(twin)).rows).toEqual((await sum(schoolId)).rows)
})
