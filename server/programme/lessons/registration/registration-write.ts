import { sql, type Updateable } from 'kysely'
import { yesNo } from '../../../../contract/core/codes/platform.ts'
import { applyStatus, applyWay, resultStatus, signStatus } from '../../../../contract/core/codes/programme.ts'
import { Failure } from '../../../../contract/core/failure.ts'
import { anyOf } from '../../../core/database/any-of.ts'
import { chunksOf, recordset } from '../../../core/database/bulk.ts'
import type { Tables } from '../../../core/database/pool.ts'
import type { Context } from '../../../core/request/context.ts'
import { from } from '../../../core/database/tenant.ts'
import { newId } from '../../../core/base/ids.ts'
import type { Candidate } from '../model/admission.ts'
import { promiseSeed } from '../model/draw-seed.ts'
import type { ReachedLesson } from '../model/lessons.queries.ts'
import { movedCounts, type Countable } from '../model/registration-counts.ts'
import { notifyStudents, type RegistrationNotice } from './registration-notify.service.ts'
import { groupsOf, seatGroups } from '../model/seats.ts'
import { placesBear, seatsOf } from '../model/seats.queries.ts'
import { discardWorks } from './works.service.ts'

/**
 * How rows of participants are written: always in a transaction that has locked their course, with its counters moved
 * along.
 */

/** Ways of registration in which somebody entered by an organiser is admitted at once. */
export const directWays: readonly string[] = [applyWay.firstCome, applyWay.importedList, applyWay.noRegistration]

/**
 * Moves the counters of a course by what its rows changed. The one place where places are taken: of any number of
 * callers only as many get through as there is room. `beyondQuota`: what is entered has happened already, and the
 * number of places only limits who may come.
 */
export async function moveCounters(
  { db, actor }: Context,
  liId: string,
  before: readonly Countable[],
  after: readonly Countable[],
  { beyondQuota = false } = {},
): Promise<void> {
  const by = movedCounts(before, after)
  let move = db
    .updateTable('lesson')
    .set({
      applyCount: sql<number>`"applyCount" + ${by.applyCount}`,
      pendingCount: sql<number>`"pendingCount" + ${by.pendingCount}`,
      passCount: sql<number>`"passCount" + ${by.passCount}`,
      signCount: sql<number>`"signCount" + ${by.signCount}`,
      resultCount: sql<number>`"resultCount" + ${by.resultCount}`,
    })
    .where('schoolId', '=', actor.schoolId)
    .where('liId', '=', liId)
  if (!beyondQuota && by.passCount > 0) move = move.where(placesBear(actor, liId, by.passCount))
  const moved = await move.executeTakeFirst()
  if (moved.numUpdatedRows === 0n) throw new Failure('quota-full')
}

/** Writes the same to some participants of a course and moves its counters by what that changes of them. */
export async function changeRegistrations(
  ctx: Context,
  liId: string,
  rows: readonly (Countable & { laId: string })[],
  change: Updateable<Tables['registration']>,
): Promise<void> {
  await ctx.db
    .updateTable('registration')
    .set({ ...change, updateTime: ctx.clock.now(), version: sql<number>`version + 1` })
    .where('schoolId', '=', ctx.actor.schoolId)
    .where(
      anyOf(
        'laId',
        rows.map(({ laId }) => laId),
      ),
    )
    .execute()
  const { laStatus, laSignStatus, laResult } = change
  const after = rows.map((row) => ({
    laStatus: laStatus ?? row.laStatus,
    laSignStatus: laSignStatus ?? row.laSignStatus,
    laResult: laResult ?? row.laResult,
  }))
  await moveCounters(ctx, liId, rows, after)
}

export interface Entry {
  candidate: Candidate
  partakeMode: string
  remark: string
  /** The team they come with; who writes it ranks it afterwards (`rankTeam`). */
  teamId?: string
  /** Who admitted them, where they are admitted at once; whoever acts, unless given. */
  decidedBy?: string
}

/** What came of an entry; `before` is the row that a returning student already had. */
export interface Enrolled {
  suId: string
  laId: string
  laStatus: string
  /** Their place on the waiting list, where they are on it. */
  waitNo: number | null
  version: number
  returned: boolean
}

interface EnrolOptions {
  importBatchId?: string | null
  /** They join a team and share what became of it, instead of what the course says; places have been looked at. */
  inState?: { laStatus: string; waitNo: number | null }
  /** What those who are admitted are told; that they are, unless given. Null: nobody is told anything. */
  told?: RegistrationNotice | null
}

/**
 * Enters students who have passed the checks: admitted, waiting for a decision, or on the waiting list, as the course
 * says; a team as a whole. Those for whom no place is left are not in the answer.
 */
export async function enrol(
  ctx: Context,
  lesson: ReachedLesson,
  entries: readonly Entry[],
  applyFrom: string,
  { importBatchId = null, inState, told = 'passed' }: EnrolOptions = {},
): Promise<Enrolled[]> {
  const direct = directWays.includes(lesson.applyWay)
  const waits = lesson.waitlistOn === yesNo.yes
  const { seated } =
    direct && !inState
      ? seatGroups(
          groupsOf(entries.map((entry) => ({ entry, ...entry, suiCollegeId: entry.candidate.suiCollegeId }))),
          await seatsOf(ctx, lesson),
        )
      : { seated: [] }
  const admitted = new Set(seated.map(({ entry }) => entry))
  const taken = direct && !waits && !inState ? entries.filter((entry) => admitted.has(entry)) : entries
  if (taken.length === 0) return []
  if (lesson.applyWay === applyWay.draw) await promiseSeed(ctx, lesson.liId)
  const waitNoOf = inState
    ? () => inState.waitNo
    : direct && waits && taken.length > admitted.size
      ? await nextWaitNos(ctx, lesson.liId)
      : () => null
  const rows = taken.map((entry) => {
    const { candidate, partakeMode, remark, teamId, decidedBy = ctx.actor.suId } = entry
    const laStatus =
      inState?.laStatus ??
      (!direct ? applyStatus.pending : admitted.has(entry) ? applyStatus.accepted : applyStatus.waitlisted)
    return {
      laId: candidate.laId ?? newId(),
      suId: candidate.suId,
      laStatus,
      partakeMode,
      remark,
      waitNo: laStatus === applyStatus.waitlisted ? waitNoOf(teamId) : null,
      teamId: teamId ?? null,
      decidedBy,
      returned: candidate.laId !== null,
      version: (candidate.version ?? -1) + 1,
    }
  })
  const { schoolId } = ctx.actor
  const now = ctx.clock.now()
  const decided = direct ? sql`r."decidedBy", ${now}::timestamptz` : sql`null::uuid, null::timestamptz`
  const columns = {
    laId: 'uuid',
    suId: 'uuid',
    laStatus: 'text',
    partakeMode: 'text',
    remark: 'text',
    waitNo: 'int',
    teamId: 'uuid',
    decidedBy: 'uuid',
  }
  const fresh = rows.filter(({ returned }) => !returned)
  const back = rows.filter(({ returned }) => returned)
  for await (const some of chunksOf(fresh, 2000)) {
    await sql`
      insert into "registration" (
        "schoolId", "laId", "liId", "suId", "laStatus", "applyTime", "applyFrom", "auditBy", "auditTime", "waitNo",
        "partakeMode", "remark", "importBatchId", "updateTime", "teamId"
      )
      select ${schoolId}, r."laId", ${lesson.liId}::uuid, r."suId", r."laStatus", ${now}::timestamptz, ${applyFrom},
        ${decided}, r."waitNo", r."partakeMode", r."remark", ${importBatchId}::uuid, ${now}::timestamptz, r."teamId"
      from ${recordset(some, columns)}`.execute(ctx.db)
  }
  if (back.length > 0) {
    const laIds = back.map(({ laId }) => laId)
    await discardWorks(ctx, laIds)
    // they have not signed in yet: what is left of another time would refuse their scan
    await ctx.db.deleteFrom('sessionSign').where('schoolId', '=', schoolId).where(anyOf('laId', laIds)).execute()
  }
  for await (const some of chunksOf(back, 2000)) {
    await sql`
      update "registration" t
      set "laStatus" = r."laStatus",
        "applyTime" = ${now}::timestamptz,
        "applyFrom" = ${applyFrom},
        ("auditBy", "auditTime") = (select ${decided}),
        "waitNo" = r."waitNo",
        "partakeMode" = r."partakeMode",
        "remark" = r."remark",
        "teamId" = r."teamId",
        "teamRank" = null,
        "teamSize" = null,
        "refuseReason" = '',
        "importBatchId" = ${importBatchId}::uuid,
        "updateTime" = ${now}::timestamptz,
        "version" = t."version" + 1,
        "laSignStatus" = ${sql.lit(signStatus.notSigned)},
        "signInTime" = null,
        "signOutTime" = null,
        "signMethod" = null,
        "signBy" = null,
        "signReason" = '',
        "laResult" = ${sql.lit(resultStatus.unrated)},
        "adId" = null,
        "awardName" = '',
        "laHours" = 0,
        "laCredit" = 0,
        "laPoints" = 0,
        "laStars" = null,
        "drawNo" = null,
        "applyAnswers" = '[]'
      from ${recordset(some, columns)}
      where t."schoolId" = ${schoolId} and t."laId" = r."laId"`.execute(ctx.db)
  }
  const clean = { laSignStatus: signStatus.notSigned, laResult: resultStatus.unrated }
  const before = taken.flatMap(({ candidate }) =>
    candidate.laId
      ? [{ laStatus: candidate.laStatus!, laSignStatus: candidate.laSignStatus!, laResult: candidate.laResult! }]
      : [],
  )
  await moveCounters(
    ctx,
    lesson.liId,
    before,
    rows.map(({ laStatus }) => ({ laStatus, ...clean })),
  )
  if (told === null) return rows
  const entered = (status: string) => rows.filter(({ laStatus }) => laStatus === status).map(({ suId }) => suId)
  await notifyStudents(ctx, lesson, entered(applyStatus.accepted), told)
  await notifyStudents(ctx, lesson, entered(applyStatus.waitlisted), 'waiting')
  return rows
}

/** Gives out the next places of the waiting list of a course: one each, and one for all of a team. */
async function nextWaitNos(ctx: Context, liId: string): Promise<(teamId: string | undefined) => number> {
  const { last } = await from(ctx, 'registration')
    .select(sql<number>`coalesce(max("waitNo"), 0)`.as('last'))
    .where('liId', '=', liId)
    .executeTakeFirstOrThrow()
  let waitNo = last
  const ofTeams = new Map<string, number>()
  return (teamId) => {
    if (teamId === undefined) return ++waitNo
    const known = ofTeams.get(teamId) ?? ++waitNo
    ofTeams.set(teamId, known)
    return known
  }
}
