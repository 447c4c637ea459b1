import type { Updateable } from 'kysely'
import { messageType } from '../../../contract/core/codes/platform.ts'
import { labelOf } from '../../../contract/core/dictionary.ts'
import { fromHundredths } from '../../../contract/core/fields.ts'
import type { DisputeAction } from '../../../contract/programme/disputes/disputes.schema.ts'
import { audit } from '../../core/audit/audit.ts'
import type { Context } from '../../core/request/context.ts'
import { assertVersion } from '../../core/request/scope-check.ts'
import type { Tables } from '../../core/database/pool.ts'
import { from } from '../../core/database/tenant.ts'
import { updatedColumns } from '../../core/request/stamp-columns.ts'
import { lockDisputed, type ReachedLesson } from '../lessons/result/disputed.service.ts'
import { notify } from '../../platform/notifications/notify.service.ts'
import { requireMove } from './dispute-life.ts'
import { reachDispute, authorityOver, type FoundDispute } from './disputes.queries.ts'

/** How a dispute is called in messages and in the trail: its course and what kind it is, never who asked. */
export const nameOf = ({ liName, qType }: Pick<FoundDispute, 'liName' | 'qType'>): string =>
  `${liName} · ${labelOf('question_type', qType)}`

/** The dispute with its course, both locked (the course first), for one who may do the action to it now. */
export async function disputeFor(
  ctx: Context,
  act: DisputeAction,
  qId: string,
  version?: number,
): Promise<{ question: FoundDispute; lesson: ReachedLesson }> {
  const { liId } = await reachDispute(ctx, qId)
  const lesson = await lockBoth(ctx, liId, qId)
  // looked at again now that nobody else can change it
  const dispute = await reachDispute(ctx, qId)
  requireMove(act, dispute, authorityOver(ctx, dispute))
  if (version !== undefined) assertVersion(ctx, dispute, version)
  return { question: dispute, lesson }
}

/** Locks a course and one of its disputes. */
export async function lockBoth(ctx: Context, liId: string, qId: string): Promise<ReachedLesson> {
  const lesson = await lockDisputed(ctx, liId)
  await from(ctx, 'question').select('qId').where('qId', '=', qId).forUpdate().execute()
  return lesson
}

/** Writes what has become of a dispute, and the trail. */
export async function writeDispute(
  ctx: Context,
  dispute: Pick<FoundDispute, 'qId' | 'qStatus' | 'liName' | 'qType'>,
  action: string,
  set: Updateable<Tables['question']>,
  reason = '',
): Promise<void> {
  await ctx.db
    .updateTable('question')
    .set({ ...set, ...updatedColumns(ctx) })
    .where('schoolId', '=', ctx.actor.schoolId)
    .where('qId', '=', dispute.qId)
    .execute()
  const { qStatus, qOutcome, beforeResult, afterResult, creditDelta, credibilityDelta } = set as Partial<
    Record<string, unknown>
  >
  const changes = Object.entries({
    qStatus,
    qOutcome,
    beforeResult,
    afterResult,
    creditDelta: creditDelta === undefined ? undefined : fromHundredths(creditDelta as number),
    credibilityDelta,
  }).filter(([, value]) => value !== undefined)
  await audit(ctx, {
    action,
    bizType: 'question',
    bizId: dispute.qId,
    bizName: nameOf(dispute),
    before: { qStatus: dispute.qStatus },
    after: Object.fromEntries(changes),
    reason,
  })
}

/**
 * Tells both sides how a dispute ended, each in words of their own: the disputed person learns nothing of who asked.
 */
export async function notifyBothSides(
  ctx: Context,
  { qId, liId, liName, qType, reporterSuId, targetSuId }: FoundDispute,
  end: string,
  detail: string,
): Promise<void> {
  const about = { type: messageType.approval, bizType: 'question', bizId: qId }
  await notify(ctx, {
    ...about,
    link: `/courseManagement/Question/QuestionDetail?qId=${qId}`,
    suIds: [reporterSuId],
    title: `您对《${liName}》的质疑${end}`,
    content: `您对《${liName}》提出的质疑（${labelOf('question_type', qType)}）${end}。${detail}`,
  })
  if (targetSuId && targetSuId !== reporterSuId)
    await notify(ctx, {
      ...about,
      link: `/courseManagement/detailCurriculumList?liId=${liId}`,
      suIds: [targetSuId],
      title: `《${liName}》中有关您的质疑${end}`,
      content: `公示期间，有关您在《${liName}》中结果的质疑${end}。${detail}如有异议，请联系学院团委。`,
    })
}
