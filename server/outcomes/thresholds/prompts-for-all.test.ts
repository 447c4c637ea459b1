import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { fullPath } from '../../../contract/core/call.ts'
import { warnLevel } from '../../../contract/core/codes/outcomes.ts'
import { yesNo } from '../../../contract/core/codes/platform.ts'
import { thresholdApi } from '../../../contract/outcomes/thresholds/thresholds.calls.ts'
import { backgroundApi } from '../../../contract/platform/background/background.calls.ts'
import type { JobRunner } from '../../core/jobs/job-runner.ts'
import { runBackground, whenOver } from '../../testing/background.ts'
import { useOwnDatabase } from '../../testing/database.ts'
import { thresholdWorld } from '../../testing/thresholds.ts'

await useOwnDatabase()

let runner: JobRunner
beforeAll(async () => {
  runner = await runBackground()
})
afterAll(() => runner.stop(100))

test('all that the filters find are reminded, however many, each once', async () => {
  const { school, grade, students, scId, smId, scClassId } = await thresholdWorld()
  await students(1)
  const many = 450
  const {
    schoolId,
    services: { db },
  } = school
  await sql`
    with made as (select n, gen_random_uuid() id from generate_series(1, ${many}::int) n),
      accounts as (
        insert into "account" ("schoolId", "suId", "suLoginName", "suNickname", "suType", "passwordHash")
        select ${schoolId}, id, 'many' || n, '学生' || n, '1', ''
        from made
        returning "suId"
      ),
      people as (
        insert into "person" (
          "schoolId", "suId", "suiType", "suiName", "suiNumber", "suiCollegeId", "majorId", "scClassId", "suiGrade"
        )
        select ${schoolId}, id, '1', '学生' || n, 'many' || lpad(n::text, 6, '0'), ${scId}, ${smId}, ${scClassId},
          ${grade}
        from made
        join accounts on accounts."suId" = id
        returning "suId"
      )
    insert into "studentWarning" (
      "schoolId", "suId", "warnLevel", "termNo", "have", "gaps", "totalHave", "totalNeed", "totalGap", "finalGap",
      "ruleKey", "calcTime", "levelSince"
    )
    select ${schoolId}, "suId", '2', 3, '{}', '[]', 0, 1600, 1600, 1600, '', now(), now()
    from people`.execute(db)
  await sql`analyze "person", "studentWarning"`.execute(db)
  expect((await school.admin.send(thresholdApi.promptCount, { filter: { warnLevel: warnLevel.moderate } })).count).toBe(
    many,
  )
  // one of those on the list is no longer warned when it comes to them
  await sql`
    update "studentWarning"
    set "warnLevel" = ${warnLevel.normal}
    where "schoolId" = ${schoolId}
      and "suId" = (select "suId" from "person" where "schoolId" = ${schoolId} and "suiNumber" = 'many000300')`.execute(
    db,
  )
  const { btId } = await school.admin.send(backgroundApi.actOnAll, {
    list: fullPath(thresholdApi.list),
    filter: { all: yesNo.yes, search: '学生' },
    act: fullPath(thresholdApi.prompt),
    given: { content: '{姓名}请尽快参加活动' },
    title: '提醒',
    total: many,
  })
  expect(await whenOver(school.admin, btId)).toMatchObject({
    btTitle: '预警名单：提醒',
    doneCount: many - 1,
    refusedCount: 1,
  })
  const { rows } = await sql<{
    n: number
    people: number
  }>`
    select count(*)::int n, count(distinct "suId")::int people
    from "thresholdPrompt"
    where "schoolId" = ${schoolId}`.execute(db)
  expect(rows[0]).toEqual({ n: many - 1, people: many - 1 })
})
