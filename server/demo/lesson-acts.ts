import { sql } from 'kysely'
import { recordset } from '../core/bulk.ts'
import type { DemoLesson } from './demo-registrations.ts'
import type { DemoSchool } from './demo-school.ts'

/** Puts the approvals of courses and their tasks at the moments that the plan of each course has for them. */
export async function timeApprovals({ db, schoolId }: DemoSchool, lessons: readonly DemoLesson[]): Promise<void> {
  const rows = lessons.flatMap(({ row: { liId }, times }) => {
    const of = (bizType: string, startTime: string | null, [first, second, third]: string[]) =>
      startTime ? [{ bizId: liId, bizType, startTime, first, second, third }] : []
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
  })
  await sql`with planned as (select * from ${planned}), moved as (
      update "approval" a set "startTime" = p."startTime", "endTime" = case when a."endTime" is not null then case a."stepSort" when 1 then p."first" when 2 then p."second" else p."third" end end
      from planned p where a."schoolId" = ${schoolId} and a."bizId" = p."bizId" and a."bizType" = p."bizType" returning a."insId", p."startTime", p."first", p."second", p."third")
    update "approvalTask" t set "arriveTime" = q."arrive", "dueTime" = q."arrive" + interval '3 days', "handleTime" = case when t."handleTime" is not null then q."handle" end
    from (select m."insId", s."no", (array[m."startTime", m."first", m."second"])[least(s."no", 3)] as "arrive", (array[m."first", m."second", m."third"])[least(s."no", 3)] as "handle" from moved m, generate_series(1, 9) s("no")) q
    where t."schoolId" = ${schoolId} and t."insId" = q."insId" and t."stepSort" = q."no"`.execute(db)
}
