import { sql } from 'kysely'
import type { Checked } from '../../../../contract/core/call.ts'
import { yesNo } from '../../../../contract/core/codes/platform.ts'
import { applyStatus, applyUnit, applyWay, lessonStatus } from '../../../../contract/core/codes/programme.ts'
import { Failure } from '../../../../contract/core/failure.ts'
import { registrationApi } from '../../../../contract/programme/lessons/registration.calls.ts'
import { isTeamCourse } from '../../../../contract/programme/lessons/team-fields.ts'
import { anyOf } from '../../../core/database/any-of.ts'
import { audit } from '../../../core/audit/audit.ts'
import type { Context } from '../../../core/request/context.ts'
import { collectRefusals } from '../../../core/request/for-each-item.ts'
import { withSemaphore } from '../../../core/base/semaphore.ts'
import { from, withinSchool } from '../../../core/database/tenant.ts'
import { afterCommit, inTransaction } from '../../../core/request/transaction.ts'
import { schoolSettings } from '../../../school/school/settings.service.ts'
import { admissionFault, candidatesFor, activeStatuses } from '../model/admission.ts'
import { hasDrawn } from '../model/draw-seed.ts'
import type { LessonMove } from '../model/lesson-life.ts'
import { lessonFor, type ReachedLesson } from '../model/lessons.queries.ts'
import type { Countable } from '../model/registration-counts.ts'
import { notifyStudents } from './registration-notify.service.ts'
import { enrol, changeRegistrations, moveCounters, type Entry } from './registration-write.ts'
import { promoteWaiting } from './waiting-list.service.ts'
import { formAnew, letGo, partOfTeams } from './team-members.ts'
import { discardWorks } from './works.service.ts'
import { groupsOf, seatGroups } from '../model/seats.ts'
import { noSeat, seatsOf } from '../model/seats.queries.ts'

export type RegistrationRow = Awaited<ReturnType<typeof lockedRegistrations>>['rows'][number]

const courseQueue = withSemaphore({ maxConcurrent: 1 })
/**
 * A transaction on the participants of one course; in this process such transactions of a course wait in a queue before
 * they take a connection.
 */
export const withCourseQueue = <R>(ctx: Context, liId: string, work: (tx: Context) => Promise<R>): Promise<R> => {
  ctx.giveWay?.()
  return courseQueue(() => inTransaction(ctx, work), `${ctx.actor.schoolId}:${liId}`)
}

/**
 * The same for participants named by their own ids: with their one course and themselves, locked, for one who may do
 * the action to it.
 */
export async function onParticipants<R>(
  ctx: Context,
  move: LessonMove,
  laIds: readonly string[],
  work: (tx: Context, lesson: ReachedLesson, rows: RegistrationRow[]) => Promise<R>,
): Promise<R> {
  const named = await from(ctx, 'registration').select('liId').distinct().where(anyOf('laId', laIds)).execute()
  if (named.length === 0) throw new Failure('not-found')
  if (named.length > 1) throw new Failure('one-lesson-only')
  const { liId } = named[0]!
  return withCourseQueue(ctx, liId, async (tx) => {
    const { lesson, rows } = await lockedRegistrations(tx, move, liId, laIds)
    return work(tx, lesson, rows)
  })
}

/**
 * The same for an act by which they give up their places, or lose them: whoever had one is then called up elsewhere,
 * where this course alone stood in the way.
 */
export async function onLeavers<R>(
  ctx: Context,
  laIds: readonly string[],
  work: (tx: Context, lesson: ReachedLesson, rows: RegistrationRow[]) => Promise<R>,
): Promise<R> {
  let free: string[] = []
  const done = await onParticipants(ctx, 'register', laIds, (tx, lesson, rows) => {
    free = rows.filter(({ laStatus }) => laStatus === applyStatus.accepted).map(({ suId }) => suId)
    return work(tx, lesson, rows)
  })
  // as a part of something larger, such as an act on all rows, it is not over yet, and holds what others wait for
  await afterCommit(ctx, (after) => callUpElsewhere(after, free))
  return done
}

/**
 * Fills the places that are free in courses in which these students wait, each course in its order. Each is a
 * transaction of its own, after the one by which they became free, for that one holds another course. Where it fails,
 * they are called up with the next place that becomes free there.
 */
async function callUpElsewhere(ctx: Context, suIds: readonly string[]): Promise<void> {
  if (suIds.length === 0) return
  // the place was given up all the same
  const told = (what: object) => (err: unknown) =>
    ctx.log.error({ err, ...what }, 'nobody could be called up where a clash of times has ended')
  const courses = await coursesWaitedFor(ctx, suIds).catch((error: unknown) => (told({ suIds })(error), []))
  for (const liId of courses)
    await withCourseQueue(ctx, liId, async (tx) => {
      await from(tx, 'lesson').select('liId').where('liId', '=', liId).forUpdate().execute()
      await promoteWaiting(tx, liId)
    }).catch(told({ liId }))
}

/** Courses still to come in which some of these students wait and that may have a place. */
async function coursesWaitedFor(ctx: Context, suIds: readonly string[]): Promise<string[]> {
  const rows = await from(ctx, 'registration')
    .innerJoin('lesson', withinSchool('lesson.liId', 'registration.liId'))
    .select('lesson.liId')
    .distinct()
    .where(anyOf('registration.suId', suIds))
    .where('laStatus', '=', applyStatus.waitlisted)
    .where('lesson.delFlag', '=', sql.lit(yesNo.no))
    .where('liStatus', '=', lessonStatus.published)
    .where('startTime', '>', ctx.clock.now())
    .where((eb) => eb.or([eb('applyUnit', '=', applyUnit.team), eb('passCount', '<', eb.ref('quota'))]))
    .orderBy('lesson.liId')
    .execute()
  return rows.map(({ liId }) => liId)
}

/** Locks the course, then the participants. One missing, and nothing is done. */
async function lockedRegistrations(ctx: Context, move: LessonMove, liId: string, laIds: readonly string[]) {
  const lesson = await lessonFor(ctx, move, liId)
  const rows = await from(ctx, 'registration')
    .innerJoin('person', withinSchool('person.suId', 'registration.suId'))
    .select([
      'laId',
      'registration.suId',
      'suiName',
      'suiNumber',
      'laStatus',
      'laSignStatus',
      'laResult',
      'signInTime',
      'signOutTime',
      'partakeMode',
      'adId',
      'awardName',
      'laHours',
      'laCredit',
      'laPoints',
      'registration.teamId',
      'teamRank',
      'teamSize',
    ])
    .where('liId', '=', liId)
    .where(anyOf('laId', laIds))
    .orderBy('laId')
    .forUpdate('registration')
    .execute()
  if (rows.length !== laIds.length) throw new Failure('not-found')
  return { lesson, rows }
}

/** Sets the state of participants, with who decided it and when. */
export const setStatus = (
  ctx: Context,
  liId: string,
  rows: readonly (Countable & { laId: string })[],
  laStatus: string,
  refuseReason = '',
): Promise<void> =>
  changeRegistrations(ctx, liId, rows, {
    laStatus,
    refuseReason,
    waitNo: null,
    auditBy: ctx.actor.suId,
    auditTime: ctx.clock.now(),
  })

/** People named in one entry of the trail; of more only the number is told besides. */
const maxNamed = 1000

/** One line of the trail for an action on participants; it stands with the course. */
export const auditPeople = (
  ctx: Context,
  action: string,
  lesson: ReachedLesson,
  rows: readonly { suiName: string; suiNumber: string }[],
  what: object = {},
  reason = '',
) =>
  audit(ctx, {
    action,
    bizType: 'lesson',
    bizId: lesson.liId,
    bizName: lesson.liName,
    reason,
    after: {
      ...what,
      ...(rows.length > maxNamed ? { count: rows.length } : {}),
      people: rows.slice(0, maxNamed).map(({ suiName, suiNumber }) => `${suiName} ${suiNumber}`),
    },
  })

/**
 * Enters students into a course in their stead: range, blacklist, other courses at the same time, repetition and places
 * are all heeded.
 */
export function addParticipants(ctx: Context, { liId, suIds, partakeMode }: Checked<typeof registrationApi.add>) {
  return withCourseQueue(ctx, liId, async (tx) => {
    const lesson = await lessonFor(tx, 'register', liId)
    if (isTeamCourse(lesson)) throw new Failure('team-course')
    const { failed, refuse } = collectRefusals(suIds.length)
    const candidates = new Map((await candidatesFor(tx, lesson, { suIds })).map((one) => [one.suId, one]))
    const rules = await schoolSettings(tx, tx.actor.schoolId)
    const entries: Entry[] = []
    for (const suId of suIds) {
      const candidate = candidates.get(suId)
      const fault = candidate ? admissionFault(candidate, lesson, tx.clock.now(), rules) : new Failure('not-found')
      if (fault) refuse(suId, candidate?.suiName ?? '', fault)
      else entries.push({ candidate: candidate!, partakeMode, remark: '' })
    }
    const enrolled = new Set((await enrol(tx, lesson, entries, 'proxy')).map(({ suId }) => suId))
    const [entered, left] = [
      entries.filter(({ candidate }) => enrolled.has(candidate.suId)),
      entries.filter(({ candidate }) => !enrolled.has(candidate.suId)),
    ]
    if (left.length > 0) {
      const seats = await seatsOf(tx, { ...lesson, passCount: lesson.passCount + entered.length })
      for (const { candidate } of left)
        refuse(candidate.suId, candidate.suiName, noSeat(lesson, seats, candidate.suiCollegeId))
    }
    if (entered.length > 0)
      await auditPeople(
        tx,
        registrationApi.add.summary,
        lesson,
        entered.map(({ candidate }) => candidate),
        { partakeMode },
      )
    return { affected: entered.length, failed }
  })
}

/**
 * Admits those who applied, as far as places reach, in the order in which they are named; a team as a whole or not at
 * all. Where lots are drawn, nobody is admitted before.
 * @param asOne a team: the first refusal is thrown
 */
export function passRegistrations(ctx: Context, laIds: string[], { asOne = false } = {}) {
  return onParticipants(ctx, 'admit', laIds, async (tx, lesson, rows) => {
    if (lesson.applyWay === applyWay.draw && !(await hasDrawn(tx, lesson.liId))) throw new Failure('draw-first')
    const { failed, refuse } = collectRefusals(asOne ? 1 : laIds.length)
    const known = new Map(
      (await candidatesFor(tx, lesson, { suIds: rows.map(({ suId }) => suId) }, [applyStatus.accepted])).map((one) => [
        one.suId,
        one,
      ]),
    )
    const fit: (RegistrationRow & { suiCollegeId: string | null })[] = []
    const parts = await partOfTeams(tx, rows, [applyStatus.pending])
    const clashing = new Map(
      rows.flatMap(({ teamId, suId, suiName }) => {
        const clash = teamId && known.get(suId)?.clash
        return clash ? [[teamId, `${suiName}的课程“${clash}”`] as const] : []
      }),
    )
    const byId = new Map(rows.map((row) => [row.laId, row]))
    for (const row of laIds.map((laId) => byId.get(laId)!)) {
      const { clash, suiCollegeId } = known.get(row.suId) ?? { clash: null, suiCollegeId: null }
      if (row.laStatus !== applyStatus.pending)
        refuse(row.laId, row.suiName, new Failure('registration-decided', { name: row.suiName }))
      else if (clash) refuse(row.laId, row.suiName, new Failure('time-conflict', { lesson: clash }))
      else if (row.teamId && parts.has(row.teamId))
        refuse(row.laId, row.suiName, new Failure('team-as-whole', { team: parts.get(row.teamId)! }))
      else if (row.teamId && clashing.has(row.teamId))
        refuse(row.laId, row.suiName, new Failure('team-conflict', { who: clashing.get(row.teamId)! }))
      else fit.push({ ...row, suiCollegeId })
    }
    const seats = await seatsOf(tx, lesson)
    const { seated: passed, left } = seatGroups(groupsOf(fit), seats)
    const taken = seats.byTeam ? groupsOf(passed).length : passed.length
    for (const row of left)
      refuse(row.laId, row.suiName, noSeat(lesson, { ...seats, free: seats.free - taken }, row.suiCollegeId))
    if (passed.length > 0) {
      await setStatus(tx, lesson.liId, passed, applyStatus.accepted)
      await auditPeople(tx, registrationApi.pass.summary, lesson, passed)
      await notifyStudents(
        tx,
        lesson,
        passed.map(({ suId }) => suId),
        'passed',
      )
    }
    return { affected: passed.length, failed }
  })
}

/**
 * Turns down those who applied, teams as a whole; they are told the reason. Places stay as they are, for none was
 * taken.
 */
export function refuseRegistrations(ctx: Context, laIds: string[], reason: string, { asOne = false } = {}) {
  return onParticipants(ctx, 'admit', laIds, async (tx, lesson, rows) => {
    const { failed, refuse } = collectRefusals(asOne ? 1 : laIds.length)
    const undecided: readonly string[] = [applyStatus.pending, applyStatus.waitlisted]
    const parts = await partOfTeams(tx, rows, undecided)
    const open = rows.filter(({ laStatus, teamId }) => undecided.includes(laStatus) && !(teamId && parts.has(teamId)))
    for (const { laId, suiName, laStatus, teamId } of rows.filter((row) => !open.includes(row)))
      refuse(
        laId,
        suiName,
        undecided.includes(laStatus)
          ? new Failure('team-as-whole', { team: parts.get(teamId!)! })
          : new Failure('registration-decided', { name: suiName }),
      )
    if (open.length > 0) {
      await setStatus(tx, lesson.liId, open, applyStatus.refused, reason)
      await formAnew(tx, open)
      await auditPeople(tx, registrationApi.refuse.summary, lesson, open, {}, reason)
      await notifyStudents(
        tx,
        lesson,
        open.map(({ suId }) => suId),
        'refused',
        reason,
      )
    }
    return { affected: open.length, failed }
  })
}

/** Takes participants out of a course; they stay in its books as removed, and their places go to those who wait. */
export function removeParticipants(ctx: Context, { laId: laIds, reason = '' }: Checked<typeof registrationApi.remove>) {
  return onLeavers(ctx, laIds, async (tx, lesson, rows) => {
    const gone = rows.find(({ laStatus }) => !activeStatuses.includes(laStatus))
    if (gone) throw new Failure('registration-decided', { name: gone.suiName })
    const unrated = await letGo(tx, lesson, rows)
    await setStatus(tx, lesson.liId, rows, applyStatus.removed, reason)
    await auditPeople(tx, registrationApi.remove.summary, lesson, rows, unrated > 0 ? { unrated } : {}, reason)
    await notifyStudents(
      tx,
      lesson,
      rows.map(({ suId }) => suId),
      'removed',
      reason,
    )
    await promoteWaiting(tx, lesson.liId)
    return { affected: rows.length }
  })
}

/** Deletes participation records entered by mistake, before the result is submitted. */
export function deleteParticipations(ctx: Context, { ids }: Checked<typeof registrationApi.delJoin>) {
  return onLeavers(ctx, ids, async (tx, lesson, rows) => {
    const unrated = await letGo(tx, lesson, rows)
    await discardWorks(tx, ids)
    await tx.db
      .updateTable('registration')
      .set({ delFlag: yesNo.yes, updateTime: tx.clock.now(), version: sql<number>`version + 1` })
      .where('schoolId', '=', tx.actor.schoolId)
      .where(anyOf('laId', ids))
      .execute()
    await moveCounters(tx, lesson.liId, rows, [])
    await auditPeople(tx, registrationApi.delJoin.summary, lesson, rows, unrated > 0 ? { unrated } : {})
    await promoteWaiting(tx, lesson.liId)
    return { affected: rows.length }
  })
}
