import { sql } from 'kysely'
import { lessonLevel } from '../../../../contract/core/codes/rules.ts'
import { messageType, yesNo } from '../../../../contract/core/codes/platform.ts'
import {
  applyStatus,
  lessonStatus,
  publictyStatus,
  questionOutcome,
  resultStatus,
} from '../../../../contract/core/codes/programme.ts'
import { anyOf } from '../../../core/database/any-of.ts'
import { writeAudit } from '../../../core/audit/audit.ts'
import type { PublicContext } from '../../../core/request/context.ts'
import { newId } from '../../../core/base/ids.ts'
import { systemContext } from '../../../core/request/system.ts'
import { from, ofWorkingSchool, withinSchool } from '../../../core/database/tenant.ts'
import { inTransaction } from '../../../core/request/transaction.ts'
import { limitsFor } from '../../credits/limits.service.ts'
import { grant } from '../../credits/ledger.service.ts'
import { hasOpenDisputes, openDispute } from '../../credits/open-disputes.queries.ts'
import { notify } from '../../../platform/notifications/notify.service.ts'
import { goodSignStatuses, recordAttendance } from '../../../school/people/credibility-attendance.service.ts'
import { creditedLessonColumns, cappedKinds, ledgerRows } from './credit-rows.ts'
import { lessonTransitions } from '../model/lesson-life.ts'
import { endRound } from '../model/notice-rounds.service.ts'
import { ratingOf } from '../model/rating.queries.ts'
import { presentStatuses } from '../model/registration-counts.ts'
import { detailOf, notifyOrganisers } from '../model/notify.service.ts'

type CompletionServices = Omit<PublicContext, 'origin' | 'upload'>

/** Participants read and credited at a time. */
const batchSize = 1000

/**
 * A recurring job: completes courses whose public notice is over. One transaction a course, so that a course is
 * completed wholly or not at all; a course that another runner has in hand is left to it. A failing course is told in
 * the log and tried again next time.
 * @param only one school instead of all
 * @returns how many were completed
 */
export async function completeLessons(services: CompletionServices, only?: string): Promise<number> {
  const ctx: PublicContext = { ...services, origin: { requestId: newId(), ip: '', agent: 'system' } }
  const { from } = lessonTransitions.completed
  let query = ctx.db
    .selectFrom('lesson')
    .select(['schoolId', 'liId'])
    .where('liStatus', '=', sql.lit(from))
    .where('liPublictyEdate', '<', ctx.clock.now())
    .where('delFlag', '=', sql.lit(yesNo.no))
    .where(withoutQuestions)
    .where(ofWorkingSchool('lesson'))
  if (only) query = query.where('schoolId', '=', only)
  const due = await query.orderBy('liPublictyEdate').limit(500).execute()
  let completed = 0
  for (const { schoolId, liId } of due) {
    try {
      if (await completeLesson(ctx, schoolId, liId)) completed++
    } catch (err) {
      ctx.log.error({ err, schoolId, liId }, 'a course could not be completed')
    }
  }
  return completed
}

/** Courses of which a question waits do not hold up the others. */
const withoutQuestions = sql<boolean>`not exists (
    select
    from "question" q
    where q."schoolId" = "lesson"."schoolId" and q."liId" = "lesson"."liId" and ${openDispute}
  )`

type CompletedLesson = NonNullable<Awaited<ReturnType<typeof lockDue>>>

const lockDue = ({ db, clock }: PublicContext, schoolId: string, liId: string) =>
  from({ db, schoolId }, 'lesson')
    .select(creditedLessonColumns)
    .where('liId', '=', liId)
    .where('liStatus', '=', lessonTransitions.completed.from)
    .where('liPublictyEdate', '<', clock.now())
    // it may have come to stand still since the courses were looked for
    .where(ofWorkingSchool('lesson'))
    .select(schoolLevelOrAbove.as('isHigh'))
    .forUpdate()
    .skipLocked()
    .executeTakeFirst()

/**
 * Whether the course's level stands at or above that of the school (level 5 of the seed) in the school's order of
 * levels.
 */
const schoolLevelOrAbove = sql<boolean>`exists (
    select
    from "lessonLevel" v
    join "lessonLevel" school on school."schoolId" = v."schoolId" and school."llId" = ${sql.lit(lessonLevel.school)}
    where v."schoolId" = "lesson"."schoolId" and v."llId" = "lesson"."liLevel" and v."llSort" <= school."llSort"
  )`

function completeLesson(ctx: PublicContext, schoolId: string, liId: string): Promise<boolean> {
  return inTransaction(ctx, async (tx) => {
    const lesson = await lockDue(tx, schoolId, liId)
    // asked in a statement of its own, now that nobody can question the course any more until this ends
    if (!lesson || (await hasOpenDisputes(tx, schoolId, [liId]))) return false
    const rating = await ratingOf(tx, lesson)
    let [entries, absent, removed] = [0, 0, 0]
    const notifiedIds: string[] = []
    for (let after = '00000000-0000-0000-0000-000000000000'; ;) {
      const rows = await participants(tx, lesson, after)
      const taken = rows.filter(({ laStatus }) => laStatus === applyStatus.accepted)
      const earning = taken
        .filter(({ laResult }) => laResult === resultStatus.passed || laResult === resultStatus.awarded)
        .map(({ suId }) => suId)
      const limits = await limitsFor(
        tx,
        { schoolId, lsPath: lesson.lsPath, esId: lesson.esId, occurTime: lesson.startTime, kinds: cappedKinds(lesson) },
        earning,
      )
      entries += await grant(
        tx,
        schoolId,
        taken.flatMap((row) => ledgerRows(lesson, rating, row, limits.get(row.suId))),
      )
      const goodBefore = await goodSignIns(tx, lesson, taken)
      notifiedIds.push(...earning)
      const counted = await recordAttendance(
        tx,
        lesson,
        rows.map(({ suId, laStatus, laSignStatus, refuseReason }) => ({
          suId,
          laSignStatus,
          removedFor: laStatus === applyStatus.removed ? refuseReason : null,
          goodBefore: goodBefore.get(suId) ?? 0,
        })),
      )
      absent += counted.absent
      removed += counted.removed
      if (rows.length < batchSize) break
      after = rows.at(-1)!.laId
    }
    const now = tx.clock.now()
    await endRound(tx, schoolId, liId, { publictyStatus: publictyStatus.ended, endName: '系统', endReason: '公示期满' })
    await tx.db
      .updateTable('lesson')
      .set({
        liStatus: lessonTransitions.completed.to,
        completeTime: now,
        updateTime: now,
        version: sql<number>`version + 1`,
      })
      .where('schoolId', '=', schoolId)
      .where('liId', '=', liId)
      .execute()
    await writeAudit(tx, { schoolId, actorId: null, actorName: '系统' }, [
      {
        action: '课程完成',
        bizType: 'lesson',
        bizId: liId,
        bizName: lesson.liName,
        before: { liStatus: lessonTransitions.completed.from },
        after: { liStatus: lessonTransitions.completed.to, entries, absent, ...(removed > 0 && { removed }) },
      },
    ])
    const home = systemContext(tx, schoolId)
    await notify(home, {
      suIds: notifiedIds,
      type: messageType.system,
      title: `《${lesson.liName}》已完成，学时已入账`,
      content: `您参加的《${lesson.liName}》公示结束，结果已记入第二课堂成绩单。`,
      bizType: 'lesson',
      bizId: liId,
      link: detailOf({ liId }),
    })
    await notifyOrganisers(
      home,
      lesson,
      messageType.system,
      `《${lesson.liName}》已完成`,
      `《${lesson.liName}》公示结束，${notifiedIds.length} 人的结果已入账${absent > 0 ? `，${absent} 人因缺席扣减诚信分` : ''}${removed > 0 ? `，${removed} 人因签到后被移除扣减诚信分` : ''}。`,
    )
    return true
  })
}

/**
 * Taken out by the organiser after they had signed in. Whom an upheld question took out is left alone: what that costs
 * was decided with it. Who comes back into the course is no longer removed, and whose row is deleted was a mistake.
 */
const removedAfterSign = sql<boolean>`(
    "laStatus" = ${sql.lit(applyStatus.removed)}
    and "laSignStatus" in (${sql.join(presentStatuses.map((status) => sql.lit(status)))})
    and not exists (
      select
      from "question" q
      where q."schoolId" = "registration"."schoolId"
        and q."liId" = "registration"."liId"
        and q."targetSuId" = "registration"."suId"
        and q."qOutcome" = ${sql.lit(questionOutcome.remove)}
        and q."delFlag" = '0'
    )
  )`

const participants = ({ db }: PublicContext, { schoolId, liId }: CompletedLesson, after: string) =>
  from({ db, schoolId }, 'registration')
    .select([
      'laId',
      'suId',
      'laStatus',
      'partakeMode',
      'laSignStatus',
      'laResult',
      'adId',
      'teamRank',
      'teamSize',
      'laHours',
      'laCredit',
      'laPoints',
      'refuseReason',
    ])
    .where('liId', '=', liId)
    .where((or) => or.or([or('laStatus', '=', sql.lit(applyStatus.accepted)), removedAfterSign]))
    .where('laId', '>', after)
    .orderBy('laId')
    .limit(batchSize)
    .execute()

/** How many times these participants signed in on time in courses completed before, by person. */
async function goodSignIns(
  { db }: PublicContext,
  { schoolId, liId }: CompletedLesson,
  rows: readonly { suId: string }[],
): Promise<Map<string, number>> {
  const counts = await from({ db, schoolId }, 'registration')
    .innerJoin('lesson', withinSchool('lesson.liId', 'registration.liId'))
    .select(['suId', sql<number>`count(*)::int`.as('n')])
    .where(
      anyOf(
        'suId',
        rows.map(({ suId }) => suId),
      ),
    )
    .where('registration.liId', '<>', liId)
    .where('laStatus', '=', applyStatus.accepted)
    .where('laSignStatus', 'in', goodSignStatuses)
    .where('liStatus', 'in', [lessonTransitions.completed.to, lessonStatus.archived])
    .groupBy('suId')
    .execute()
  return new Map(counts.map(({ suId, n }) => [suId, n]))
}
