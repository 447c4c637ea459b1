import { sql } from 'kysely'
import { Failure } from '../../contract/core/failure.ts'
import { audit } from '../core/audit.ts'
import { chunksOf, recordset } from '../core/bulk.ts'
import type { Context } from '../core/context.ts'
import { newId } from '../core/ids.ts'
import type { Candidate } from './admission.ts'
import type { ReachedLesson } from './lessons.queries.ts'
import { movedCounts, type Countable } from './registration-counts.ts'

/** How rows of participants are written: always in a transaction that has locked their course, with its counters moved along. */

/** Ways of registration in which somebody entered by an organiser is admitted at once. */
export const directWays: readonly string[] = ['1', '5', '6']

/**
 * Moves the counters of a course by what its rows changed. The one place where places are taken: of any number of callers only as
 * many get through as there is room.
 */
export async function moveCounters({ db, actor }: Context, liId: string, before: readonly Countable[], after: readonly Countable[]): Promise<void> {
  const by = movedCounts(before, after)
  const moved = await db
    .updateTable('lesson')
    .set({
      applyCount: sql<number>`"applyCount" + ${by.applyCount}`, pendingCount: sql<number>`"pendingCount" + ${by.pendingCount}`, passCount: sql<number>`"passCount" + ${by.passCount}`,
      signCount: sql<number>`"signCount" + ${by.signCount}`, resultCount: sql<number>`"resultCount" + ${by.resultCount}`,
    })
    .where('schoolId', '=', actor.schoolId).where('liId', '=', liId)
    .where(sql<boolean>`(${by.passCount}::int <= 0 or "passCount" + ${by.passCount}::int <= "quota")`)
    .executeTakeFirst()
  if (moved.numUpdatedRows === 0n) throw new Failure('quota-full')
}

export interface Entry {
  candidate: Candidate
  partakeMode: string
  remark: string
}

/** What came of an entry; `before` is the row that a returning student already had. */
export interface Enrolled {
  suId: string
  laId: string
  laStatus: string
  version: number
  returned: boolean
}

/**
 * Enters students who have passed the checks: admitted, waiting for a decision, or on the waiting list, as the course says. Those for
 * whom no place is left are not in the answer.
 */
export async function enrol(ctx: Context, lesson: ReachedLesson, entries: readonly Entry[], applyFrom: string, importBatchId: string | null = null): Promise<Enrolled[]> {
  const direct = directWays.includes(lesson.applyWay)
  const free = Math.max(0, lesson.quota - lesson.passCount)
  const waits = lesson.waitlistOn === '1'
  const taken = direct && !waits ? entries.slice(0, free) : entries
  if (taken.length === 0) return []
  const lastWait = direct && waits && taken.length > free ? await lastWaitNo(ctx, lesson.liId) : 0
  const rows = taken.map(({ candidate, partakeMode, remark }, at) => {
    const laStatus = !direct ? '0' : at < free ? '1' : '3'
    return { laId: candidate.laId ?? newId(), suId: candidate.suId, laStatus, partakeMode, remark, waitNo: laStatus === '3' ? lastWait + 1 + at - free : null, returned: candidate.laId !== null, version: (candidate.version ?? -1) + 1 }
  })
  const { schoolId, suId } = ctx.actor
  const now = ctx.clock.now()
  const decided = direct ? sql`${suId}::uuid, ${now}::timestamptz` : sql`null::uuid, null::timestamptz`
  const columns = { laId: 'uuid', suId: 'uuid', laStatus: 'text', partakeMode: 'text', remark: 'text', waitNo: 'int' }
  const fresh = rows.filter(({ returned }) => !returned)
  const back = rows.filter(({ returned }) => returned)
  for await (const some of chunksOf(fresh, 2000)) {
    await sql`insert into "registration" ("schoolId", "laId", "liId", "suId", "laStatus", "applyTime", "applyFrom", "auditBy", "auditTime", "waitNo", "partakeMode", "remark", "importBatchId", "updateTime")
      select ${schoolId}, r."laId", ${lesson.liId}::uuid, r."suId", r."laStatus", ${now}::timestamptz, ${applyFrom}, ${decided}, r."waitNo", r."partakeMode", r."remark", ${importBatchId}::uuid, ${now}::timestamptz
      from ${recordset(some, columns)}`.execute(ctx.db)
  }
  for await (const some of chunksOf(back, 2000)) {
    await sql`update "registration" t set "laStatus" = r."laStatus", "applyTime" = ${now}::timestamptz, "applyFrom" = ${applyFrom}, ("auditBy", "auditTime") = (select ${decided}), "waitNo" = r."waitNo", "partakeMode" = r."partakeMode",
        "remark" = r."remark", "refuseReason" = '', "importBatchId" = ${importBatchId}::uuid, "updateTime" = ${now}::timestamptz, "version" = t."version" + 1, "laSignStatus" = '0', "signInTime" = null, "signOutTime" = null,
        "signMethod" = null, "signBy" = null, "signReason" = '', "laResult" = '0', "adId" = null, "awardName" = '', "laHours" = 0, "laCredit" = 0, "laPoints" = 0
      from ${recordset(some, columns)} where t."schoolId" = ${schoolId} and t."laId" = r."laId"`.execute(ctx.db)
  }
  const clean = { laSignStatus: '0', laResult: '0' }
  const before = taken.flatMap(({ candidate }) => (candidate.laId ? [{ laStatus: candidate.laStatus!, laSignStatus: candidate.laSignStatus!, laResult: candidate.laResult! }] : []))
  await moveCounters(ctx, lesson.liId, before, rows.map(({ laStatus }) => ({ laStatus, ...clean })))
  return rows
}

async function lastWaitNo({ db, actor }: Context, liId: string): Promise<number> {
  const { last } = await db
    .selectFrom('registration').select(sql<number>`coalesce(max("waitNo"), 0)`.as('last'))
    .where('schoolId', '=', actor.schoolId).where('liId', '=', liId).where('delFlag', '=', '0').executeTakeFirstOrThrow()
  return last
}

/** Fills places that have become free from the waiting list, in its order; once the activity has begun nobody is called up, for he would count as absent. */
export async function promoteWaiting(ctx: Context, liId: string): Promise<void> {
  const { schoolId } = ctx.actor
  const now = ctx.clock.now()
  const { rows } = await sql<{ laId: string; laSignStatus: string; laResult: string; suiName: string }>`
    update "registration" t set "laStatus" = '1', "waitNo" = null, "auditTime" = ${now}::timestamptz, "updateTime" = ${now}::timestamptz, "version" = t."version" + 1
    from "person" p where p."schoolId" = t."schoolId" and p."suId" = t."suId" and t."schoolId" = ${schoolId} and t."laId" = any(array(
      select w."laId" from "registration" w where w."schoolId" = ${schoolId} and w."liId" = ${liId}::uuid and w."delFlag" = '0' and w."laStatus" = '3' order by w."waitNo"
      limit coalesce((select greatest(0, l."quota" - l."passCount") from "lesson" l where l."schoolId" = ${schoolId} and l."liId" = ${liId}::uuid and l."startTime" > ${now}::timestamptz), 0)))
    returning t."laId", t."laSignStatus", t."laResult", p."suiName"`.execute(ctx.db)
  if (rows.length === 0) return
  await moveCounters(ctx, liId, rows.map((row) => ({ ...row, laStatus: '3' })), rows.map((row) => ({ ...row, laStatus: '1' })))
  await audit(ctx, { action: '候补转为录取', bizType: 'lesson', bizId: liId, after: { people: rows.map(({ suiName }) => suiName) } })
}
