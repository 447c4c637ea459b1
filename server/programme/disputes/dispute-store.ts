import type { Updateable } from 'kysely'
import { messageType } from '../../../contract/core/codes/platform.ts'
import { labelOf } from '../../../contract/core/dictionary.ts'
import { fromHundredths } from '../../../contract/core/fields.ts'
import type { DisputeAction } from '../../../contract/programme/disputes/disputes.schema.ts'
import { auditDispute } from './dispute-trail.ts'
import type { Context } from '../../core/request/context.ts'
import { assertVersion } from '../../core/request/scope-check.ts'
import type { Tables } from '../../core/database/pool.ts'
import { from } from '../../core/database/tenant.ts'
import { updatedColumns } from '../../core/request/stamp-columns.ts'
import { notify } from '../../platform/notifications/notify.service.ts'
import { assertMove } from './dispute-life.ts'
import { lockSubjectThroughDispute, type DisputeSubject } from './dispute-subject.service.ts'
import { reachDispute, authorityOver, type FoundDispute } from './disputes.queries.ts'

/** What a dispute is about, by its name: the course or the supplement record. */
export const subjectName = ({ liName, lisName }: Pick<FoundDispute, 'liName' | 'lisName'>): string => liName || lisName

/** How a dispute is called in messages and in the trail: what it is about and what kind it is, never who asked. */
export const nameOf = (dispute: Pick<FoundDispute, 'liName' | 'lisName' | 'qType'>): string =>
  `${subjectName(dispute)} · ${labelOf('question_type', dispute.qType)}`

/** The dispute with its course or record, both locked (the dispute last), for one who may do the action to it now. */
export async function disputeFor(
  ctx: Context,
  act: DisputeAction,
  qId: string,
  version?: number,
): Promise<{ question: FoundDispute; disputed: DisputeSubject }> {
  const disputed = await lockBoth(ctx, await reachDispute(ctx, qId))
  // looked at again now that nobody else can change it
  const dispute = await reachDispute(ctx, qId)
  assertMove(act, dispute, authorityOver(ctx, dispute))
  if (version !== undefined) assertVersion(ctx, dispute, version)
  return { question: dispute, disputed }
}

/** Locks a course or record and one of its disputes. */
export async function lockBoth(
  ctx: Context,
  { liId, lisId, qId }: Pick<FoundDispute, 'liId' | 'lisId' | 'qId'>,
): Promise<DisputeSubject> {
  const disputed = await lockSubjectThroughDispute(ctx, { liId, lisId })
  await from(ctx, 'question').select('qId').where('qId', '=', qId).forUpdate().execute()
  return disputed
}

/** Writes what has become of a dispute, and the trail. */
export async function writeDispute(
  ctx: Context,
  dispute: Pick<FoundDispute, 'qId' | 'qStatus' | 'liName' | 'lisName' | 'qType' | 'reporterSuId'>,
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
  await auditDispute(ctx, dispute.reporterSuId, {
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
 * Tells both sides how a dispute ended, each in words of their own: the disputed person learns nothing of who asked,
 * and neither does whoever entered the supplement record.
 */
export async function notifyBothSides(ctx: Context, dispute: FoundDispute, end: string, detail: string): Promise<void> {
  const { qId, liId, lisId, qType, reporterSuId, targetSuId, enteredBy } = dispute
  const name = subjectName(dispute)
  const about = { type: messageType.approval, bizType: 'question', bizId: qId }
  const link = lisId
    ? `/courseManagement/RecordingCourse/detail?lisId=${lisId}`
    : `/courseManagement/detailCurriculumList?liId=${liId}`
  await notify(ctx, {
    ...about,
    link: `/courseManagement/Question/QuestionDetail?qId=${qId}`,
    suIds: [reporterSuId],
    title: `您对《${name}》的质疑${end}`,
    content: `您对《${name}》提出的质疑（${labelOf('question_type', qType)}）${end}。${detail}`,
  })
  if (targetSuId && targetSuId !== reporterSuId)
    await notify(ctx, {
      ...about,
      link,
      suIds: [targetSuId],
      title: `《${name}》中有关您的质疑${end}`,
      content: `公示期间，有关您在《${name}》中结果的质疑${end}。${detail}如有异议，请联系学院团委。`,
    })
  if (enteredBy && enteredBy !== reporterSuId && enteredBy !== targetSuId)
    await notify(ctx, {
      ...about,
      link,
      suIds: [enteredBy],
      title: `您录入的《${name}》的质疑${end}`,
      content: `公示期间，对您录入的补录《${name}》的质疑${end}。${detail}`,
    })
}
