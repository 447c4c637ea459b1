import type { Checked } from '../../../contract/core/call.ts'
import { lessonStatus, questionOutcome, resultStatus } from '../../../contract/core/codes/programme.ts'
import { labelOf } from '../../../contract/core/dictionary.ts'
import { Failure, invalidInput } from '../../../contract/core/failure.ts'
import { fromHundredths } from '../../../contract/core/fields.ts'
import { disputeApi } from '../../../contract/programme/disputes/disputes.calls.ts'
import type { Context } from '../../core/request/context.ts'
import { inTransaction } from '../../core/request/transaction.ts'
import type { CreditKinds } from '../credits/recredit.service.ts'
import {
  correctResult,
  endAbnormally,
  followDisputes,
  recordsIn,
  recordWords,
  removeFromResult,
  type Corrected,
  type ReachedLesson,
} from '../lessons/result/disputed.service.ts'
import { penalise } from '../../school/people/credibility-penalty.service.ts'
import { disputeFor, notifyBothSides, writeDispute } from './dispute-store.ts'
import type { FoundDispute } from './disputes.queries.ts'

type Settlement = Checked<typeof disputeApi.setQAward>

/** States in which a result can still be corrected. */
const correctable: string[] = [
  lessonStatus.resultPassed,
  lessonStatus.inNotice,
  lessonStatus.questioned,
  lessonStatus.completed,
  lessonStatus.archived,
]

/** What the trail and the ledger say of a correction; never more. */
const why = '质疑成立'

/**
 * Does what a justified dispute calls for: leaves the result, takes the person out, or corrects it; and takes
 * credibility where participation was feigned, or gives back what an absence had taken. Once: the dispute is settled in
 * the same transaction. What had been credited is reversed and granted anew.
 */
export const settleDispute = (ctx: Context, kinds: CreditKinds, input: Settlement) =>
  inTransaction(ctx, async (tx) => {
    const { question, lesson } = await disputeFor(tx, 'settle', input.qId, input.version)
    const { targetSuId } = question
    if (!targetSuId && (input.qOutcome !== questionOutcome.keep || input.credibility > 0))
      throw new Failure('question-whole-course')
    if (input.qOutcome !== questionOutcome.keep && !correctable.includes(lesson.liStatus))
      throw new Failure('wrong-state', { act: '更正结果' })
    const { before, after, delta, restored } = targetSuId
      ? await carryOut(tx, kinds, lesson, targetSuId, input)
      : { before: '', after: '', delta: 0, restored: 0 }
    const lost =
      targetSuId && input.credibility > 0
        ? await penalise(tx, {
            suId: targetSuId,
            points: input.credibility,
            liId: lesson.liId,
            reason: `课程“${lesson.liName}”：${labelOf('question_type', question.qType)}`,
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

async function carryOut(
  ctx: Context,
  kinds: CreditKinds,
  lesson: ReachedLesson,
  suId: string,
  { qOutcome, laResult, adId, partakeMode }: Settlement,
): Promise<Corrected> {
  if (qOutcome === questionOutcome.remove) return removeFromResult(ctx, kinds, lesson, suId, why)
  if (qOutcome === questionOutcome.correct) {
    if (!laResult) throw invalidInput([{ field: 'laResult', msg: '请选择更正后的结果' }])
    return correctResult(
      ctx,
      kinds,
      lesson,
      suId,
      { laResult, adId: laResult === resultStatus.awarded ? (adId ?? null) : null, partakeMode },
      why,
    )
  }
  const [record] = await recordsIn(ctx, lesson.liId, { suIds: [suId] })
  const now = record ? recordWords(record) : ''
  return { before: now, after: now, delta: 0, restored: 0 }
}

const outcomeText = (qOutcome: string, before: string, after: string, restored: number, lost: number): string =>
  `${before === after ? `处理结果：${labelOf('question_outcome', qOutcome)}` : `结果由“${before}”更正为“${after}”`}${restored > 0 ? `，退还诚信分 ${restored} 分` : ''}${lost < 0 ? `，扣除诚信分 ${-lost} 分` : ''}。`

/** Ends the course of a justified dispute as abnormal: nobody gets anything of it. */
export const endByDispute = (ctx: Context, kinds: CreditKinds, { qId, opinion }: Checked<typeof disputeApi.abnormal>) =>
  inTransaction(ctx, async (tx) => {
    const { question, lesson } = await disputeFor(tx, 'abnormal', qId)
    const people = await endAbnormally(tx, kinds, lesson, opinion)
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
  await followDisputes(ctx, dispute.liId)
}
