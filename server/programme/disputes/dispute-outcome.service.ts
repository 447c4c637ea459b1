import { takeBackSeconds } from '../../../contract/programme/approvals/actions.calls.ts'
import { questionStatus } from '../../../contract/core/codes/programme.ts'
import { Failure } from '../../../contract/core/failure.ts'
import type { Outcome } from '../approvals/approvals.service.ts'
import { from } from '../../core/database/tenant.ts'
import type { Context } from '../../core/request/context.ts'
import { wholeSchool } from '../../../contract/core/scope.ts'
import { reachDispute, type FoundDispute } from './disputes.queries.ts'
import { notifyBothSides, writeDispute } from './dispute-store.ts'
import { followDisputes } from './dispute-subject.service.ts'

/** Whoever decides an approval reaches its dispute through it. */
const ofApproval = (ctx: Context, qId: string): Promise<FoundDispute> =>
  reachDispute({ ...ctx, scope: wholeSchool }, qId)

/** What the end of an approval means for its dispute; runs inside the deciding transaction. */
export const disputeOutcome: Outcome = {
  passed: async (ctx, qId) => conclude(ctx, await ofApproval(ctx, qId), 'pass', ''),
  refused: async (ctx, qId, reason) => conclude(ctx, await ofApproval(ctx, qId), 'refuse', reason),
  withdrawn: (ctx, qId) => backToPending(ctx, qId, '撤回受理'),
  terminated: (ctx, qId, reason) => backToPending(ctx, qId, '质疑审批被终止', reason),
  async reopened(ctx, qId, verdict, at) {
    const row = await from(ctx, 'question')
      .select('qId')
      .where('qId', '=', qId)
      .where('qStatus', '=', verdict === 'passed' ? questionStatus.upheld : questionStatus.rejected)
      .where('qOutcome', 'is', null)
      .where('updateTime', '<=', at)
      .forUpdate()
      .executeTakeFirst()
    if (!row) throw new Failure('take-back-late', { n: takeBackSeconds })
    const dispute = await ofApproval(ctx, qId)
    await writeDispute(ctx, dispute, '审批恢复为进行中', {
      qStatus: questionStatus.inReview,
      opinion: '',
      handleName: '',
      handleTime: null,
    })
    await followDisputes(ctx, dispute)
  },
}

/** A dispute whose approval is no more can be taken up or declined anew. */
async function backToPending(ctx: Context, qId: string, action: string, reason = ''): Promise<void> {
  const dispute = await ofApproval(ctx, qId)
  if (dispute.qStatus !== questionStatus.inReview) return
  await writeDispute(
    ctx,
    dispute,
    action,
    { qStatus: questionStatus.pending, acceptName: '', acceptTime: null },
    reason,
  )
  await followDisputes(ctx, dispute)
}

/**
 * Ends the inquiry: justified disputes then wait for what is to be done about them. A dispute that has left its
 * approval meanwhile stays as it is.
 */
export async function conclude(
  ctx: Context,
  dispute: FoundDispute,
  verdict: 'pass' | 'refuse',
  opinion: string,
): Promise<void> {
  if (dispute.qStatus !== questionStatus.inReview) return
  const isPass = verdict === 'pass'
  await writeDispute(
    ctx,
    dispute,
    isPass ? '质疑成立' : '质疑不成立',
    {
      qStatus: isPass ? questionStatus.upheld : questionStatus.rejected,
      opinion,
      handleName: ctx.actor.suNickname,
      handleTime: ctx.clock.now(),
    },
    opinion,
  )
  await followDisputes(ctx, dispute)
  if (!isPass) await notifyBothSides(ctx, dispute, '不成立', '结果维持不变。')
}
