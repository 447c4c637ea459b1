import type { Checked } from '../../../contract/core/call.ts'
import { questionOutcome } from '../../../contract/core/codes/programme.ts'
import { labelOf } from '../../../contract/core/dictionary.ts'
import { Failure } from '../../../contract/core/failure.ts'
import { fromHundredths } from '../../../contract/core/fields.ts'
import { disputeApi } from '../../../contract/programme/disputes/disputes.calls.ts'
import type { Context } from '../../core/request/context.ts'
import { inTransaction } from '../../core/request/transaction.ts'
import type { CreditKinds } from '../credits/recredit.service.ts'
import { penalise } from '../../school/people/credibility-penalty.service.ts'
import { disputeFor, notifyBothSides, writeDispute } from './dispute-store.ts'
import { followDisputes } from './dispute-subject.service.ts'
import type { FoundDispute } from './disputes.queries.ts'
import { figure } from '../../../contract/core/figure.ts'

type Settlement = Checked<typeof disputeApi.setQAward>

/**
 * Does what a justified dispute calls for: leaves the result, takes the person out, or corrects it; and takes
 * credibility where participation was feigned, or gives back what an absence had taken. Once: the dispute is settled in
 * the same transaction. What had been credited is reversed and granted anew.
 */
export const settleDispute = (ctx: Context, kinds: CreditKinds, input: Settlement) =>
  inTransaction(ctx, async (tx) => {
    const { question, disputed } = await disputeFor(tx, 'settle', input.qId, input.version)
    const { targetSuId } = question
    if (!targetSuId && (input.qOutcome !== questionOutcome.keep || input.credibility > 0))
      throw new Failure('question-whole-course')
    if (input.qOutcome !== questionOutcome.keep && !disputed.isCorrectable)
      throw new Failure('wrong-state', { act: '更正结果' })
    const { before, after, delta, restored } = targetSuId
      ? await disputed.settle(kinds, targetSuId, input)
      : { before: '', after: '', delta: 0, restored: 0 }
    const lost =
      targetSuId && input.credibility > 0
        ? await penalise(tx, {
            suId: targetSuId,
            points: input.credibility,
            liId: question.liId,
            reason: `${disputed.what}“${disputed.name}”：${labelOf('question_type', question.qType)}`,
          })
        : 0
    await finish(tx, question, input.qOutcome, input.opinion, {
      beforeResult: before,
      afterResult: after,
      creditDelta: delta,
      credibilityDelta: restored + lost,
    })
    await notifyBothSides(tx, question, '已处理完毕', outcomeText(input.qOutcome, before, after, restored, lost))
    return { affected: 1, before, after, creditDelta: fromHundredths(delta) }
  })

const outcomeText = (qOutcome: string, before: string, after: string, restored: number, lost: number): string =>
  `${before === after ? `处理结果：${labelOf('question_outcome', qOutcome)}` : `结果由“${before}”更正为“${after}”`}${restored > 0 ? `，退还诚信分 ${figure(restored)} 分` : ''}${lost < 0 ? `，扣除诚信分 ${-lost} 分` : ''}。`

/** Ends the course of a justified dispute as abnormal: nobody gets anything of it. */
export const endByDispute = (ctx: Context, kinds: CreditKinds, { qId, opinion }: Checked<typeof disputeApi.abnormal>) =>
  inTransaction(ctx, async (tx) => {
    const { question, disputed } = await disputeFor(tx, 'abnormal', qId)
    const people = await disputed.endAbnormally(kinds, opinion)
    await finish(tx, question, questionOutcome.abnormal, opinion, {})
    await notifyBothSides(
      tx,
      { ...question, targetSuId: null },
      '已处理完毕',
      `处理结果：${labelOf('question_outcome', questionOutcome.abnormal)}。`,
    )
    return { affected: 1, people }
  })

async function finish(
  ctx: Context,
  dispute: FoundDispute,
  qOutcome: string,
  opinion: string,
  more: { beforeResult?: string; afterResult?: string; creditDelta?: number; credibilityDelta?: number },
): Promise<void> {
  await writeDispute(
    ctx,
    dispute,
    `质疑处理：${labelOf('question_outcome', qOutcome)}`,
    { qOutcome, outcomeOpinion: opinion, outcomeName: ctx.actor.suNickname, outcomeTime: ctx.clock.now(), ...more },
    opinion,
  )
  await followDisputes(ctx, dispute)
}
