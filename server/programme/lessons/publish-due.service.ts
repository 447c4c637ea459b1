import { sql } from 'kysely'
import { yesNo, messageType } from '../../../contract/core/codes/platform.ts'
import { applyWay } from '../../../contract/core/codes/programme.ts'
import { audit } from '../../core/audit/audit.ts'
import { systemContext, type JobServices } from '../../core/request/system.ts'
import type { Context } from '../../core/request/context.ts'
import { updatedColumns } from '../../core/request/stamp-columns.ts'
import { from, ofWorkingSchool } from '../../core/database/tenant.ts'
import { inTransaction } from '../../core/request/transaction.ts'
import { appointStageCheckers } from './approval/stage-checkers.service.ts'
import { lessonTransitions } from './model/lesson-life.ts'
import { promiseSeed } from './model/draw-seed.ts'
import { admitReserved } from './registration/reserved.service.ts'
import { notifyOrganisers } from './model/notify.service.ts'

/** Courses published in one run; what is left comes next minute. */
const batchSize = 200

/**
 * A recurring job: publishes approved courses whose planned moment has come. One that was approved only after its
 * activity began is left to people. A failing course is told in the log and tried again next time.
 * @param only one school instead of all
 * @returns how many were published
 */
export async function publishDue(services: JobServices, only?: string): Promise<number> {
  const now = services.clock.now()
  let query = services.db
    .selectFrom('lesson')
    .select(['schoolId', 'liId'])
    .where('liStatus', '=', sql.lit(lessonTransitions.publishedByPlan.from))
    .where('delFlag', '=', sql.lit(yesNo.no))
    .where('publishAt', '<=', now)
    .where('startTime', '>', now)
    .where(ofWorkingSchool('lesson'))
  if (only) query = query.where('schoolId', '=', only)
  let published = 0
  for (const { schoolId, liId } of await query.orderBy('publishAt').limit(batchSize).execute()) {
    const ctx = systemContext(services, schoolId)
    try {
      if (await publishOne(ctx, liId)) published++
    } catch (err) {
      ctx.log.error({ err, schoolId, liId }, 'a course could not be published')
    }
  }
  return published
}

const publishOne = (ctx: Context, liId: string): Promise<boolean> =>
  inTransaction(ctx, async (tx) => {
    const { schoolId } = tx.actor
    const now = tx.clock.now()
    const transition = lessonTransitions.publishedByPlan
    const lesson = await from(tx, 'lesson')
      .select(['liId', 'liName', 'applyWay', 'publishAt'])
      .where('liId', '=', liId)
      .where('liStatus', '=', transition.from)
      .where('publishAt', '<=', now)
      .where('startTime', '>', now)
      .forUpdate()
      .skipLocked()
      .executeTakeFirst()
    if (!lesson) return false
    if (lesson.applyWay === applyWay.draw) await promiseSeed(tx, liId)
    await appointStageCheckers(tx, liId)
    await admitReserved(tx, liId)
    await tx.db
      .updateTable('lesson')
      .set({
        liStatus: transition.to,
        publishTime: now,
        publishBy: null,
        exitReason: '',
        ...updatedColumns(tx),
        updateBy: null,
      })
      .where('schoolId', '=', schoolId)
      .where('liId', '=', liId)
      .execute()
    await audit(tx, {
      action: '按计划自动发布',
      bizType: 'lesson',
      bizId: liId,
      bizName: lesson.liName,
      before: { liStatus: transition.from },
      after: { liStatus: transition.to, publishAt: lesson.publishAt },
    })
    await notifyOrganisers(
      tx,
      lesson,
      messageType.system,
      `《${lesson.liName}》已发布`,
      `《${lesson.liName}》已按计划时间自动发布。`,
    )
    return true
  })
