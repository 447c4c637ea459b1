import { sql } from 'kysely'
import { yesNo, messageType } from '../../../../contract/core/codes/platform.ts'
import { lessonStatus } from '../../../../contract/core/codes/programme.ts'
import { peopleExpected, placesText } from '../../../../contract/programme/lessons/team-fields.ts'
import { audit } from '../../../core/audit/audit.ts'
import type { Context } from '../../../core/request/context.ts'
import { updatedColumns } from '../../../core/request/stamp-columns.ts'
import { systemContext, type JobServices } from '../../../core/request/system.ts'
import { from, ofWorkingSchool } from '../../../core/database/tenant.ts'
import { inTransaction } from '../../../core/request/transaction.ts'
import { schoolSettings } from '../../../school/school/settings.service.ts'
import { lessonMoves } from '../model/lesson-life.ts'
import { notifyOrganisers, notifyParticipants } from '../model/notify.service.ts'
import { figure } from '../../../../contract/core/figure.ts'

/** Courses looked at in one run; what is left comes next minute. */
const batchSize = 500

/**
 * Whether so few have come forward that the school wants something done: fewer than its share of the planned places
 * (per cent). Pure.
 */
export const isLow = (
  {
    passCount,
    pendingCount,
    ...places
  }: Parameters<typeof peopleExpected>[0] & { passCount: number; pendingCount: number },
  turnoutRate: number,
): boolean => (passCount + pendingCount) * 100 < peopleExpected(places) * turnoutRate

/**
 * A recurring job: when sign-up for a course has ended and too few have come forward, tells its organisers, or takes it
 * down where the school wants that. Once for each end of sign-up, however often it runs; a course under change is left
 * until the change is decided.
 * @param only one school instead of all
 * @returns how many courses had too few
 */
export async function checkTurnout(services: JobServices, only?: string): Promise<number> {
  const now = services.clock.now()
  let query = services.db
    .selectFrom('lesson')
    .select(['schoolId', 'liId'])
    .where('liStatus', '=', sql.lit(lessonStatus.published))
    .where('delFlag', '=', sql.lit(yesNo.no))
    .where('applyEnd', '<', now)
    .where('startTime', '>', now)
    .where('changeId', 'is', null)
    .where(sql<boolean>`"turnoutFor" is distinct from "applyEnd"`)
    .where(ofWorkingSchool('lesson'))
  if (only) query = query.where('schoolId', '=', only)
  let low = 0
  for (const { schoolId, liId } of await query.orderBy('applyEnd').limit(batchSize).execute()) {
    const ctx = systemContext(services, schoolId)
    try {
      if (await checkOne(ctx, liId)) low++
    } catch (err) {
      ctx.log.error({ err, schoolId, liId }, 'the turnout of a course could not be weighed')
    }
  }
  return low
}

const checkOne = (ctx: Context, liId: string): Promise<boolean> =>
  inTransaction(ctx, async (tx) => {
    const { schoolId } = tx.actor
    const lesson = await from(tx, 'lesson')
      .select([
        'liId',
        'liName',
        'quota',
        'quotaUnit',
        'teamMin',
        'passCount',
        'pendingCount',
        'signCount',
        'applyWay',
        'applyEnd',
      ])
      .where('liId', '=', liId)
      .where('liStatus', '=', lessonStatus.published)
      .where('applyEnd', '<', tx.clock.now())
      .where('changeId', 'is', null)
      .where(sql<boolean>`"turnoutFor" is distinct from "applyEnd"`)
      .forUpdate()
      .skipLocked()
      .executeTakeFirst()
    if (!lesson) return false
    const { turnoutRate, turnoutAct } = await schoolSettings(tx, schoolId)
    const few = isLow(lesson, turnoutRate)
    const takenDown = few && turnoutAct === 'unpublish' && lesson.signCount === 0
    const came = `截止报名时 ${figure(lesson.passCount + lesson.pendingCount)} 人，计划 ${placesText(lesson)}，不足 ${turnoutRate}%`
    const reason = `报名人数不足：${came}`
    await tx.db
      .updateTable('lesson')
      .set({
        turnoutFor: lesson.applyEnd,
        ...(takenDown
          ? { liStatus: lessonMoves.unpublish.to, exitReason: reason, ...updatedColumns(tx), updateBy: null }
          : {}),
      })
      .where('schoolId', '=', schoolId)
      .where('liId', '=', liId)
      .execute()
    if (!few) return false
    const next = takenDown
      ? '已按学校规定自动取消发布，报名暂予保留；调整后可重新发布，或取消课程。'
      : '请考虑延长报名、调整名额或取消课程。'
    await notifyOrganisers(
      tx,
      lesson,
      messageType.reminder,
      `《${lesson.liName}》报名人数不足`,
      `《${lesson.liName}》${came}，${next}`,
    )
    if (takenDown) {
      await notifyParticipants(
        tx,
        lesson,
        `《${lesson.liName}》已取消发布`,
        `您报名的《${lesson.liName}》因报名人数不足已取消发布，重新发布或取消时将另行通知。`,
      )
      await audit(tx, {
        action: '报名不足自动取消发布',
        bizType: 'lesson',
        bizId: liId,
        bizName: lesson.liName,
        reason,
        before: { liStatus: lessonStatus.published },
        after: { liStatus: lessonMoves.unpublish.to },
      })
    }
    return true
  })
