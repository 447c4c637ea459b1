import { sql } from 'kysely'
import {
  applyStatus,
  lessonStatus,
  partakeMode as partakeModeCodes,
  publictyStatus,
  resultStatus,
  signStatus,
  signType,
} from '../../../../contract/core/codes/programme.ts'
import { personType } from '../../../../contract/core/codes/school.ts'
import { labelOf } from '../../../../contract/core/dictionary.ts'
import { Failure } from '../../../../contract/core/failure.ts'
import { fromHundredths } from '../../../../contract/core/fields.ts'
import type { Permit } from '../../../../contract/core/call.ts'
import { audit } from '../../../core/audit/audit.ts'
import type { Context } from '../../../core/request/context.ts'
import { scopeIncludes } from '../../../core/request/scope-check.ts'
import { newId } from '../../../core/base/ids.ts'
import { from } from '../../../core/database/tenant.ts'
import { updatedColumns } from '../../../core/request/stamp-columns.ts'
import { hasAcceptedDisputes } from '../../credits/open-disputes.queries.ts'
import { recredit, type CreditKinds } from '../../credits/recredit.service.ts'
import { reasonOf } from '../../../school/people/credibility-log.service.ts'
import { schoolSettings } from '../../../school/school/settings.service.ts'
import { makeCourseLossesGood, makeLossGood } from '../../../school/people/credibility-restore.service.ts'
import { lessonSubject } from '../approval/lesson-approval.service.ts'
import { courseRows, creditedStates, creditedStudents } from '../credit/lesson-credit.service.ts'
import type { LessonStatus } from '../../../../contract/core/codes/programme.ts'
import { reachLesson, visibleLessons, type ReachedLesson } from '../model/lessons.queries.ts'
import { notifyEndedAbnormally } from '../model/notify.service.ts'
import { endRound } from '../model/notice-rounds.service.ts'
import { applyTransition } from '../approval/outcomes.service.ts'
import { ratingOf } from '../model/rating.queries.ts'
import { attendedStatuses } from '../model/registration-counts.ts'
import { moveCounters } from '../registration/registration-write.ts'
import { hasLeftEarly } from '../model/sign-rules.ts'
import { rate } from './result.service.ts'

/** What disputes need of courses: the course itself, and what a justified dispute does to its result. */
export { lessonSubject, visibleLessons as lessonsInSight }
export type { ReachedLesson }

/** The course of a dispute, locked, for one who may see it. */
export const lockLesson = (ctx: Context, liId: string): Promise<ReachedLesson> => reachLesson(ctx, liId, { lock: true })

/** A course that the dispute's handler reaches through the dispute itself; locked. */
export async function lockDisputed(ctx: Context, liId: string): Promise<ReachedLesson> {
  const row = await from(ctx, 'lesson').selectAll().where('liId', '=', liId).forUpdate().executeTakeFirst()
  if (!row) throw new Failure('not-found')
  return { ...row, myRoles: [], initiated: false }
}

/** Whether what a right covers for the person includes the course. */
export const scopeIncludesLesson = (
  { actor }: Context,
  permit: Permit,
  { liCollegeId, liDepartmentId, lsPath }: Pick<ReachedLesson, 'liCollegeId' | 'liDepartmentId' | 'lsPath'>,
): boolean =>
  actor.permits.has(permit) &&
  scopeIncludes(actor.scopeFor(permit), { college: liCollegeId, department: liDepartmentId, path: lsPath })

/**
 * Keeps the state of a course in line with its disputes: looked into while one is accepted, in plain notice otherwise.
 */
export async function followDisputes(ctx: Context, liId: string): Promise<void> {
  if (await hasAcceptedDisputes(ctx, liId)) await applyTransition(ctx, liId, 'questioned', '开始处理质疑')
  else await applyTransition(ctx, liId, 'questionsSettled', '质疑处理完毕')
}

/** A student's place in a course, as disputes see it. */
export interface DisputedRecord {
  suId: string
  suiName: string
  suiNumber: string
  laId: string | null
  laStatus: string
  laSignStatus: string
  signOutTime: string | null
  laResult: string
  adId: string | null
  awardName: string
  partakeMode: string
  laHours: number
}

/** Students and their places in a course, where they have one. */
export async function recordsIn(
  { db, actor }: Context,
  liId: string,
  of: { suIds: readonly string[] } | { suiNumbers: readonly string[] },
  { lock = false } = {},
): Promise<DisputedRecord[]> {
  const which =
    'suIds' in of ? sql`p."suId" = any(${of.suIds}::uuid[])` : sql`p."suiNumber" = any(${of.suiNumbers}::text[])`
  if (lock)
    await sql`
      select
      from "registration" t
      join "person" p on p."schoolId" = t."schoolId" and p."suId" = t."suId"
      where t."schoolId" = ${actor.schoolId} and t."liId" = ${liId}::uuid and t."delFlag" = '0' and ${which}
      order by t."laId"
      for update of t`.execute(db)
  const { rows } = await sql<DisputedRecord>`
      select p."suId", p."suiName", p."suiNumber", t."laId", coalesce(t."laStatus", '') "laStatus",
        coalesce(t."laSignStatus", ${sql.lit(signStatus.notSigned)}) "laSignStatus", t."signOutTime",
        coalesce(t."laResult", ${sql.lit(resultStatus.unrated)}) "laResult", t."adId",
        coalesce(t."awardName", '') "awardName",
        coalesce(t."partakeMode", ${sql.lit(partakeModeCodes.participant)}) "partakeMode",
        coalesce(t."laHours", 0) "laHours"
      from "person" p
      left join "registration" t on t."schoolId" = p."schoolId"
        and t."suId" = p."suId"
        and t."liId" = ${liId}::uuid
        and t."delFlag" = '0'
      where p."schoolId" = ${actor.schoolId}
        and p."suiType" = ${sql.lit(personType.student)}
        and p."delFlag" = '0'
        and ${which}`.execute(db)
  return rows
}

/** A record in words: `获奖（一等奖），3 学时`. */
export function recordWords({
  laId,
  laStatus,
  laResult,
  awardName,
  laHours,
}: Pick<DisputedRecord, 'laId' | 'laStatus' | 'laResult' | 'awardName' | 'laHours'>): string {
  if (laId === null) return '不在名单中'
  if (laStatus !== applyStatus.accepted) return labelOf('apply_status', laStatus)
  const result =
    laResult === resultStatus.awarded && awardName ? `获奖（${awardName}）` : labelOf('result_status', laResult)
  return laHours > 0 ? `${result}，${fromHundredths(laHours)} 学时` : result
}

/**
 * What a correction came to: the record before and after in words, the change of the student's hours in hundredths, and
 * the credibility they got back.
 */
interface Corrected {
  before: string
  after: string
  delta: number
  restored: number
}

/**
 * Corrects the result of one student in a locked course; one who was left out is entered, one marked absent, or as
 * having left early, is marked as signed in afterwards. What that, or having been removed, took from them is given
 * back.
 */
export async function correctResult(
  ctx: Context,
  kinds: CreditKinds,
  lesson: ReachedLesson,
  suId: string,
  { laResult, adId, partakeMode }: { laResult: string; adId: string | null; partakeMode?: string | undefined },
  why: string,
): Promise<Corrected> {
  const { schoolId } = ctx.actor
  const before = await oneRecord(ctx, lesson.liId, suId)
  const now = ctx.clock.now()
  const rules = await schoolSettings(ctx, schoolId)
  const stayed = attendedStatuses.includes(before.laSignStatus) && !hasLeftEarly(lesson, before, rules)
  const present = laResult === resultStatus.failed || stayed ? before.laSignStatus : signStatus.madeUp
  const laId = before.laId ?? newId()
  const placed = {
    laStatus: applyStatus.accepted,
    laSignStatus: present,
    ...(present === signStatus.madeUp && before.laSignStatus !== signStatus.madeUp
      ? { signMethod: signType.manual, signBy: ctx.actor.suId, signInTime: lesson.startTime, signReason: why }
      : {}),
  }
  if (before.laId === null)
    await ctx.db
      .insertInto('registration')
      .values({
        schoolId,
        laId,
        liId: lesson.liId,
        suId,
        applyFrom: 'question',
        auditBy: ctx.actor.suId,
        auditTime: now,
        applyTime: now,
        updateTime: now,
        partakeMode: partakeMode ?? partakeModeCodes.participant,
        ...placed,
      })
      .execute()
  else if (before.laStatus !== applyStatus.accepted || present !== before.laSignStatus)
    await ctx.db
      .updateTable('registration')
      .set({ ...placed, updateTime: now, version: sql<number>`version + 1` })
      .where('schoolId', '=', schoolId)
      .where('laId', '=', laId)
      .execute()
  await moveCounters(ctx, lesson.liId, before.laId === null ? [] : [before], [{ ...before, ...placed }], {
    beyondQuota: true,
  })
  await rate(
    ctx,
    lesson,
    [{ ...before, ...placed, laId, partakeMode: partakeMode ?? before.partakeMode }],
    laResult,
    adId,
  )
  const wronged =
    before.laStatus === applyStatus.removed
      ? reasonOf.removed
      : before.laSignStatus === signStatus.absent && present === signStatus.madeUp
        ? reasonOf.absence
        : before.laSignStatus === signStatus.leftEarly && present === signStatus.madeUp
          ? reasonOf.left
          : null
  const restored =
    wronged === null
      ? 0
      : await makeLossGood(ctx, {
          suId,
          liId: lesson.liId,
          reasonCode: wronged,
          reason: `课程“${lesson.liName}”更正为已参加`,
        })
  return { ...(await corrected(ctx, kinds, lesson, before, why)), restored }
}

/** Takes a student out of the result of a locked course. */
export async function removeFromResult(
  ctx: Context,
  kinds: CreditKinds,
  lesson: ReachedLesson,
  suId: string,
  why: string,
): Promise<Corrected> {
  const before = await oneRecord(ctx, lesson.liId, suId)
  if (before.laId === null || before.laStatus !== applyStatus.accepted)
    throw new Failure('question-not-in-list', { name: before.suiName })
  await ctx.db
    .updateTable('registration')
    .set({
      laStatus: applyStatus.removed,
      refuseReason: why,
      laResult: resultStatus.failed,
      adId: null,
      awardName: '',
      laHours: 0,
      laCredit: 0,
      laPoints: 0,
      auditBy: ctx.actor.suId,
      auditTime: ctx.clock.now(),
      updateTime: ctx.clock.now(),
      version: sql<number>`version + 1`,
    })
    .where('schoolId', '=', ctx.actor.schoolId)
    .where('laId', '=', before.laId)
    .execute()
  await moveCounters(
    ctx,
    lesson.liId,
    [before],
    [{ ...before, laStatus: applyStatus.removed, laResult: resultStatus.failed }],
  )
  return corrected(ctx, kinds, lesson, before, why)
}

async function oneRecord(ctx: Context, liId: string, suId: string): Promise<DisputedRecord> {
  const [record] = await recordsIn(ctx, liId, { suIds: [suId] }, { lock: true })
  if (!record) throw new Failure('not-found')
  return record
}

async function corrected(
  ctx: Context,
  kinds: CreditKinds,
  lesson: ReachedLesson,
  before: DisputedRecord,
  why: string,
): Promise<Corrected> {
  const delta = creditedStates.includes(lesson.liStatus)
    ? ((
        await recredit(ctx, kinds, {
          bizId: lesson.liId,
          suIds: [before.suId],
          why,
          rows: (suIds) => courseRows(ctx, lesson, suIds),
        })
      ).get(before.suId) ?? 0)
    : 0
  const [after] = await recordsIn(ctx, lesson.liId, { suIds: [before.suId] })
  return { before: recordWords(before), after: recordWords(after!), delta, restored: 0 }
}

const endable: readonly string[] = [
  lessonStatus.resultPassed,
  lessonStatus.inNotice,
  lessonStatus.questioned,
  lessonStatus.completed,
  lessonStatus.archived,
] satisfies LessonStatus[]

/**
 * Ends a locked course as abnormal: it gives nothing, what it gave is taken back, and what it took of credibility is
 * given back. Everybody who took part or looks after it is told.
 */
export async function endAbnormally(
  ctx: Context,
  kinds: CreditKinds,
  lesson: ReachedLesson,
  reason: string,
): Promise<number> {
  if (!endable.includes(lesson.liStatus)) throw new Failure('wrong-state', { act: '异常结项' })
  const people = creditedStates.includes(lesson.liStatus) ? await creditedStudents(ctx, lesson.liId) : []
  if (people.length > 0)
    await recredit(ctx, kinds, { bizId: lesson.liId, suIds: people, why: '课程异常结项', rows: async () => [] })
  const restored = await makeCourseLossesGood(ctx, lesson.liId, `课程“${lesson.liName}”异常结项`)
  await ctx.db
    .updateTable('lesson')
    .set({ liStatus: lessonStatus.abnormal, exitReason: reason, ...updatedColumns(ctx) })
    .where('schoolId', '=', ctx.actor.schoolId)
    .where('liId', '=', lesson.liId)
    .execute()
  await endRound(ctx, ctx.actor.schoolId, lesson.liId, {
    publictyStatus: publictyStatus.revoked,
    endName: ctx.actor.suNickname,
    endReason: '异常结项',
  })
  await audit(ctx, {
    action: '异常结项',
    bizType: 'lesson',
    bizId: lesson.liId,
    bizName: lesson.liName,
    before: { liStatus: lesson.liStatus },
    after: {
      liStatus: lessonStatus.abnormal,
      people: people.length,
      ...(restored > 0 && { restoredPeople: restored }),
    },
    reason,
  })
  await notifyEndedAbnormally(ctx, lesson, reason, { credited: people.length > 0 })
  return people.length
}

/** The awards that a course may give, by name. */
export const lessonAwardNames = async (ctx: Context, lesson: ReachedLesson): Promise<string[]> =>
  (await ratingOf(ctx, lesson)).awards.filter(({ withdrawn }) => !withdrawn).map(({ adName }) => adName)
