import { sql } from 'kysely'
import { approvalStatus, lessonStatus } from '../../contract/core/codes/programme.ts'
import { recordset } from '../core/database/bulk.ts'
import { addDays } from '../core/base/clock.ts'
import { officeMoments, universityCalendar } from './demo-calendar.ts'
import type { DemoLesson } from './demo-registrations.ts'
import type { DemoSchool } from './demo-school.ts'

/** Puts the approvals of courses and their tasks at the moments that the plan of each course has for them. */
export async function timeApprovals({ db, schoolId }: DemoSchool, lessons: readonly DemoLesson[]): Promise<void> {
  const rows = lessons.flatMap(({ row: { liId }, times }) => {
    const of = (bizType: string, startTime: string | null, [first, second, third]: string[]) =>
      startTime
        ? [
            {
              bizId: liId,
              bizType,
              startTime,
              first,
              second,
              third,
              due: [startTime, first, second].map((arrive) => (arrive === undefined ? null : addDays(arrive, 3))),
            },
          ]
        : []
    return [...of('publish', times.submitTime, times.decided), ...of('result', times.resultTime, times.resultDecided)]
  })
  if (rows.length === 0) return
  const planned = recordset(rows, {
    bizId: 'uuid',
    bizType: 'text',
    startTime: 'timestamptz',
    first: 'timestamptz',
    second: 'timestamptz',
    third: 'timestamptz',
    due: 'timestamptz[]',
  })
  await sql`
    with planned as (select * from ${planned}),
      moved as (
        update "approval" a
        set "startTime" = p."startTime",
          "endTime" = case
            when a."endTime" is not null then case
              when a."stepSort" = 1 then p."first"
              when a."stepSort" = 2 then p."second"
              else p."third"
            end
          end
        from planned p
        where a."schoolId" = ${schoolId} and a."bizId" = p."bizId" and a."bizType" = p."bizType"
        returning a."insId", p."startTime", p."first", p."second", p."third", p."due"
      )
    update "approvalTask" t
    set "arriveTime" = q."arrive",
      "dueTime" = q."due",
      "handleTime" = case when t."handleTime" is not null then q."handle" end
    from (
      select m."insId", s."no", (array[m."startTime", m."first", m."second"])[least(s."no", 3)] as "arrive",
        m."due"[least(s."no", 3)] as "due",
        (array[m."first", m."second", m."third"])[least(s."no", 3)] as "handle"
      from moved m, generate_series(1, 9) s("no")
    ) q
    where t."schoolId" = ${schoolId} and t."insId" = q."insId" and t."stepSort" = q."no"`.execute(db)
}

/**
 * Gives courses past their draft that were made without an approval the one that they would have: like another of the
 * same host, decided before they were published.
 */
export async function approveOthers({ db, schoolId, random }: DemoSchool): Promise<void> {
  const { rows } = await sql<{ liId: string; publishTime: string; insId: string | null }>`
      select l."liId", coalesce(l."publishTime", l."createTime") "publishTime",
        (
          select a."insId"
          from "approval" a
          join "lesson" o on o."schoolId" = a."schoolId" and o."liId" = a."bizId"
          where a."schoolId" = l."schoolId"
            and a."bizType" = 'publish'
            and a."insStatus" = ${sql.lit(approvalStatus.passed)}
            and o."liLevel" = l."liLevel"
          order by o."liCollegeId" is distinct from l."liCollegeId", a."insId"
          limit 1
        ) "insId"
      from "lesson" l
      where l."schoolId" = ${schoolId}
        and l."liStatus" not in (
          ${sql.lit(lessonStatus.draft)}, ${sql.lit(lessonStatus.publishInReview)},
          ${sql.lit(lessonStatus.publishRefused)}
        )
        and not exists (
          select
          from "approval" a
          where a."schoolId" = l."schoolId" and a."bizId" = l."liId" and a."bizType" = 'publish'
        )
      order by l."liId"`.execute(db)
  const calendar = universityCalendar()
  for (const { liId, publishTime, insId } of rows) {
    if (!insId) continue
    const [submitTime, first, second] = officeMoments(
      calendar,
      random.whole,
      3,
      addDays(publishTime, -15),
      publishTime,
      'before',
    )
    const copy = random.id()
    await sql`
        insert into "approval"
        select (
          jsonb_populate_record(
            a,
            jsonb_build_object(
              'insId',
              ${copy}::text,
              'bizId',
              l."liId",
              'bizName',
              l."liName",
              'startBy',
              l."createBy",
              'startName',
              l."createName",
              'scopeCollegeId',
              l."liCollegeId",
              'summary',
              to_char(l."startTime", 'YYYY-MM-DD HH24:MI') || '，' || l."quota" || ' 人',
              'startTime',
              ${submitTime}::text,
              'endTime',
              case a."stepSort" when 1 then ${first}::text else ${second}::text end
            )
          )
        ).*
        from "approval" a, "lesson" l
        where a."schoolId" = ${schoolId}
          and a."insId" = ${insId}
          and l."schoolId" = ${schoolId}
          and l."liId" = ${liId}`.execute(db)
    await sql`
      insert into "approvalTask"
      select (
        jsonb_populate_record(
          t,
          jsonb_build_object(
            'insId',
            ${copy}::text,
            'taskId',
            gen_random_uuid(),
            'arriveTime',
            case t."stepSort" when 1 then ${submitTime}::text else ${first}::text end,
            'handleTime',
            case t."stepSort" when 1 then ${first}::text else ${second}::text end
          )
        )
      ).*
      from "approvalTask" t
      where t."schoolId" = ${schoolId} and t."insId" = ${insId}`.execute(db)
  }
}
