import { takeBackSeconds } from '../../contract/approvals/acts.calls.ts'
import { Failure } from '../../contract/core/failure.ts'
import type { Outcome } from '../approvals/approvals.service.ts'
import type { Context } from '../core/context.ts'
import { wholeSchool } from '../../contract/core/scope.ts'
import { followQuestions } from '../lessons/result/questioned.service.ts'
import { reachQuestion, type FoundQuestion } from './questions.queries.ts'
import { notifyBothSides, writeQuestion } from './question-store.ts'

/** Whoever decides an approval reaches its question through it. */
const ofApproval = (ctx: Context, qId: string): Promise<FoundQuestion> =>
  reachQuestion({ ...ctx, scope: wholeSchool }, qId)

/** What the end of an approval means for its question; runs inside the deciding transaction. */
export const questionOutcome: Outcome = {
  passed: async (ctx, qId) => conclude(ctx, await ofApproval(ctx, qId), 'pass', ''),
  refused: async (ctx, qId, reason) => conclude(ctx, await ofApproval(ctx, qId), 'refuse', reason),
  async withdrawn(ctx, qId) {
    const question = await ofApproval(ctx, qId)
    if (question.qStatus !== '1') return
    await writeQuestion(ctx, question, '撤回受理', { qStatus: '0', acceptName: '', acceptTime: null })
    await followQuestions(ctx, question.liId)
  },
  async reopened(ctx, qId, verdict, at) {
    const row = await ctx.db
      .selectFrom('question')
      .select('qId')
      .where('schoolId', '=', ctx.actor.schoolId)
      .where('qId', '=', qId)
      .where('qStatus', '=', verdict === 'passed' ? '2' : '3')
      .where('qOutcome', 'is', null)
      .where('updateTime', '<=', at)
      .forUpdate()
      .executeTakeFirst()
    if (!row) throw new Failure('take-back-late', { n: takeBackSeconds })
    const question = await ofApproval(ctx, qId)
    await writeQuestion(ctx, question, '审批恢复为进行中', {
      qStatus: '1',
      opinion: '',
      handleName: '',
      handleTime: null,
    })
    await followQuestions(ctx, question.liId)
  },
}

/** Ends the inquiry: justified questions then wait for what is to be done about them. A question that has left its approval meanwhile stays as it is. */
export async function conclude(
  ctx: Context,
  question: FoundQuestion,
  verdict: 'pass' | 'refuse',
  opinion: string,
): Promise<void> {
  if (question.qStatus !== '1') return
  const isPass = verdict === 'pass'
  await writeQuestion(
    ctx,
    question,
    isPass ? '质疑成立' : '质疑不成立',
    { qStatus: isPass ? '2' : '3', opinion, handleName: ctx.actor.suNickname, handleTime: ctx.clock.now() },
    opinion,
  )
  await followQuestions(ctx, question.liId)
  if (!isPass) await notifyBothSides(ctx, question, '不成立', '结果维持不变。')
}
