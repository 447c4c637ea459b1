import type { Updateable } from 'kysely'
import { labelOf } from '../../contract/core/dictionary.ts'
import { Failure } from '../../contract/core/failure.ts'
import { fromHundredths } from '../../contract/core/fields.ts'
import type { QuestionAct } from '../../contract/questions/questions.schema.ts'
import { audit } from '../core/audit.ts'
import type { Context } from '../core/context.ts'
import { assertVersion } from '../core/scope-check.ts'
import type { Tables } from '../core/database/pool.ts'
import { updatedColumns } from '../core/stamp-columns.ts'
import { lockQuestioned, type ReachedLesson } from '../lessons/result/questioned.service.ts'
import { notify } from '../messages/notify.service.ts'
import { questionCan } from './question-rules.ts'
import { reachQuestion, authorityOver, type FoundQuestion } from './questions.queries.ts'

/** How a question is called in messages and in the trail: its course and what kind it is, never who asked. */
export const nameOf = ({ liName, qType }: Pick<FoundQuestion, 'liName' | 'qType'>): string =>
  `${liName} · ${labelOf('question_type', qType)}`

/** The question with its course, both locked (the course first), for one who may do the act to it now. */
export async function questionFor(
  ctx: Context,
  act: QuestionAct,
  qId: string,
  version?: number,
): Promise<{ question: FoundQuestion; lesson: ReachedLesson }> {
  const { liId } = await reachQuestion(ctx, qId)
  const lesson = await lockBoth(ctx, liId, qId)
  // looked at again now that nobody else can change it
  const question = await reachQuestion(ctx, qId)
  requireAct(ctx, act, question)
  if (version !== undefined) assertVersion(question, version)
  return { question, lesson }
}

/** Locks a course and one of its questions. */
export async function lockBoth(ctx: Context, liId: string, qId: string): Promise<ReachedLesson> {
  const lesson = await lockQuestioned(ctx, liId)
  await ctx.db
    .selectFrom('question')
    .select('qId')
    .where('schoolId', '=', ctx.actor.schoolId)
    .where('qId', '=', qId)
    .forUpdate()
    .execute()
  return lesson
}

/** Refuses an act that the state of the question, the rights of the person or his being concerned does not allow; says which. */
export function requireAct(ctx: Context, act: QuestionAct, question: FoundQuestion): void {
  const authority = authorityOver(ctx, question)
  if (questionCan(question, authority).includes(act)) return
  if (authority.concerned && act !== 'withdraw') throw new Failure('question-concerned')
  if (act === 'decide' && question.approving) throw new Failure('question-by-approval')
  const elsewhere = { ...question, liStatus: '60', approving: false, qStatus: expected[act], qOutcome: null }
  throw questionCan(elsewhere, authority).includes(act)
    ? new Failure('wrong-state', { act: names[act] })
    : new Failure('not-permitted')
}

const expected: Record<QuestionAct, string> = {
  accept: '0',
  decline: '0',
  decide: '1',
  settle: '2',
  abnormal: '2',
  withdraw: '0',
  reporter: '0',
}
const names: Record<QuestionAct, string> = {
  accept: '受理',
  decline: '不予受理',
  decide: '认定',
  settle: '处理',
  abnormal: '按异常结项处理',
  withdraw: '撤回',
  reporter: '查看质疑人',
}

/** Writes what has become of a question, and the trail. */
export async function writeQuestion(
  ctx: Context,
  question: Pick<FoundQuestion, 'qId' | 'qStatus' | 'liName' | 'qType'>,
  action: string,
  set: Updateable<Tables['question']>,
  reason = '',
): Promise<void> {
  await ctx.db
    .updateTable('question')
    .set({ ...set, ...updatedColumns(ctx) })
    .where('schoolId', '=', ctx.actor.schoolId)
    .where('qId', '=', question.qId)
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
    bizId: question.qId,
    bizName: nameOf(question),
    before: { qStatus: question.qStatus },
    after: Object.fromEntries(changes),
    reason,
  })
}

/** Tells both sides how a question ended, each in words of his own: the questioned person learns nothing of who asked. */
export async function notifyBothSides(
  ctx: Context,
  { qId, liId, liName, qType, reporterSuId, targetSuId }: FoundQuestion,
  end: string,
  detail: string,
): Promise<void> {
  const about = { type: '2' as const, bizType: 'question', bizId: qId }
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
