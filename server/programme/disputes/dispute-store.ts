import type { Updateable } from 'kysely'
import { messageType } from '../../../contract/core/codes/platform.ts'
import { lessonStatus } from '../../../contract/core/codes/programme.ts'
import { labelOf } from '../../../contract/core/dictionary.ts'
import { Failure } from '../../../contract/core/failure.ts'
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
import { disputeCan } from './dispute-rules.ts'
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
  requireAction(ctx, act, dispute)
  if (version !== undefined) assertVersion(dispute, version)
  return { question: dispute, lesson }
}

/** Locks a course and one of its disputes. */
export async function lockBoth(ctx: Context, liId: string, qId: string): Promise<ReachedLesson> {
  const lesson = await lockDisputed(ctx, liId)
  await from(ctx, 'question', { withDeleted: true }).select('qId').where('qId', '=', qId).forUpdate().execute()
  return lesson
}

/**
 * Refuses an action that the state of the dispute, the rights of the person or their being concerned does not allow;
 * says which.
 */
export function requireAction(ctx: Context, act: DisputeAction, dispute: FoundDispute): void {
  const authority = authorityOver(ctx, dispute)
  if (disputeCan(dispute, authority).includes(act)) return
  if (authority.concerned && act !== 'withdraw') throw new Failure('question-concerned')
  if (act === 'decide' && dispute.approving) throw new Failure('question-by-approval')
  const elsewhere = {
    ...dispute,
    liStatus: lessonStatus.inNotice,
    approving: false,
    qStatus: expected[act],
    qOutcome: null,
  }
  throw disputeCan(elsewhere, authority).includes(act)
    ? new Failure('wrong-state', { act: names[act] })
    : new Failure('not-permitted')
}

const expected: Record<DisputeAction, string> = {
  accept: '0',
  decline: '0',
  decide: '1',
  settle: '2',
  abnormal: '2',
  withdraw: '0',
  reporter: '0',
}
const names: Record<DisputeAction, string> = {
  accept: '受理',
  decline: '不予受理',
  decide: '认定',
  settle: '处理',
  abnormal: '按异常结项处理',
  withdraw: '撤回',
  reporter: '查看质疑人',
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
