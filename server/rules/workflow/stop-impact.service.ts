import { sql } from 'kysely'
import { isOneOf } from '../../../contract/core/codes/code-list.ts'
import { lessonStatus, supplementStatus } from '../../../contract/core/codes/programme.ts'
import { flowStatus, flowType } from '../../../contract/core/codes/rules.ts'
import type { Context } from '../../core/request/context.ts'
import { chooseFlow } from './choose-flow.ts'
import { wordsFor } from './range-words.service.ts'
import { gapsOf } from './validate.ts'
import { rangedFlows } from './workflow.queries.ts'

/** Records of the same place, level, kind of credit and people, which one flow rules. */
interface Waiting {
  lsPath: string[]
  level: string
  credit: number
  roleIds: string[]
  count: number
}

/**
 * What stops with flows that are switched off or deleted: the cases that no enabled flow rules any more, and how many
 * courses and records that still have something to submit would then be refused. Nothing of both where other flows
 * stand in, or where the flows are not in use.
 */
export async function stopImpact(ctx: Context, { wfIds }: { wfIds: string[] }) {
  const gaps = []
  let waiting = 0
  for (const wfType of [flowType.lesson, flowType.supplement]) {
    const before = (await rangedFlows(ctx, wfType)).filter(({ wfStatus }) => wfStatus === flowStatus.enabled)
    const after = before.filter(({ wfId }) => !wfIds.includes(wfId))
    if (after.length === before.length) continue
    const { mayStart } = await wordsFor(ctx, wfType)
    const known = new Set(gapsOf(before, mayStart).map((gap) => JSON.stringify(gap)))
    gaps.push(...gapsOf(after, mayStart).filter((gap) => !known.has(JSON.stringify(gap))))
    for (const { lsPath, level, credit, roleIds, count } of await unsubmitted(ctx, wfType)) {
      const wanted = { wfType, lsPath, level, credit, initiatorRoleIds: roleIds }
      if (chooseFlow(before, wanted) && !chooseFlow(after, wanted)) waiting += count
    }
  }
  return { gaps: gaps.slice(0, 20), waiting }
}

/** Courses and records with a submission before them, by what chooses their flow; whoever made them submits them. */
async function unsubmitted(ctx: Context, wfType: string): Promise<Waiting[]> {
  const isLesson = isOneOf(wfType, flowType.lesson)
  const rows = isLesson
    ? sql`
        select l."lsPath", l."liLevel" as "level", l."liCredit" as "credit", l."createBy"
        from "lesson" l
        where l."schoolId" = ${ctx.actor.schoolId}
          and l."delFlag" = '0'
          and l."liStatus" in (
            ${sql.lit(lessonStatus.draft)},
            ${sql.lit(lessonStatus.publishRefused)},
            ${sql.lit(lessonStatus.publishPassed)},
            ${sql.lit(lessonStatus.published)},
            ${sql.lit(lessonStatus.resultRefused)}
          )`
    : sql`
        select s."lsPath", s."lisLevel" as "level", s."lisCredit" as "credit", s."createBy"
        from "supplement" s
        where s."schoolId" = ${ctx.actor.schoolId}
          and s."delFlag" = '0'
          and s."lisStatus" in (
            ${sql.lit(supplementStatus.draft)},
            ${sql.lit(supplementStatus.refused)},
            ${sql.lit(supplementStatus.withdrawn)}
          )`
  const found = await sql<Waiting>`
    select w."lsPath", w."level", w."credit", coalesce(r."roleIds", '{}') as "roleIds", count(*)::int as "count"
    from (${rows}) w
    left join lateral (
      select array_agg(u."srId"::text order by u."srId") as "roleIds"
      from "roleUser" u
      where u."schoolId" = ${ctx.actor.schoolId} and u."suId" = w."createBy"
    ) r on true
    group by 1, 2, 3, 4`.execute(ctx.db)
  return found.rows
}
