import { z } from 'zod'
import { call } from '../core/call.ts'
import { valuesOf } from '../core/dictionary.ts'
import { done, id, optionalText, search } from '../core/fields.ts'
import { fileOutput } from '../core/file.ts'
import { paged, paging } from '../core/paging.ts'
import { disputeApi } from '../programme/disputes/disputes.calls.ts'
import { qId, qType } from '../programme/disputes/disputes.schema.ts'
import { lessonApi } from '../programme/lessons/lessons.calls.ts'
import { supplementApi } from '../programme/supplements/supplements.calls.ts'

/** A course whose result is in public notice. */
const noticedLesson = z.object({
  liId: z.string(),
  liName: z.string(),
  collegeName: z.string(),
  people: z.number(),
  liPublictySdate: z.string(),
  liPublictyEdate: z.string(),
  /** While a question about it is being decided. */
  isQuestioned: z.boolean(),
})

/** A question as whoever asked it sees it. */
const ownDispute = z.object({
  qId: z.string(),
  /** The course or supplement record it is about. */
  name: z.string(),
  isSupplement: z.boolean(),
  qType: z.enum(valuesOf('question_type')),
  qContent: z.string(),
  qStatus: z.enum(valuesOf('question_status')),
  createTime: z.string(),
  /** Until when it is to be taken up. */
  deadline: z.string(),
  acceptTime: z.string().nullable(),
  handleTime: z.string().nullable(),
  /** What was decided, in words. */
  opinion: z.string(),
  /** What came of it, where it was justified. */
  qOutcome: z.string().nullable(),
  outcomeOpinion: z.string(),
  outcomeTime: z.string().nullable(),
  version: z.number(),
  can: z.array(z.enum(['withdraw'])),
})
export type OwnDispute = z.output<typeof ownDispute>

/** What is in public notice in the whole school, and questions about it. */
export const ownNoticeApi = {
  lessons: call('GET', '/student/noticedLessons', {
    summary: '公示中的课程结果',
    permit: 'student:self',
    input: paging.extend({ liName: search('课程名称').optional() }),
    output: paged(noticedLesson),
  }),
  /** Masked; `suiNumber` finds the row of a whole number. */
  people: call('GET', '/student/noticedPeople', {
    summary: '课程公示名单',
    permit: 'student:self',
    input: lessonApi.publictyList.input,
    output: lessonApi.publictyList.output,
  }),
  supplements: call('GET', '/student/noticedSupplements', {
    summary: '公示中的补录',
    permit: 'student:self',
    input: supplementApi.publictyList.input,
    output: supplementApi.publictyList.output,
  }),
  ask: call('POST', '/student/ask', {
    summary: '提出质疑或举报',
    permit: 'student:self',
    input: z
      .strictObject({
        liId: id('课程').optional(),
        lisId: id('补录记录').optional(),
        qType,
        /** Whose result is meant where it is not one's own: the number as it is known, never an id. */
        targetNumber: search('被质疑人学号').optional(),
        qContent: disputeApi.add.input.shape.qContent,
        qAward: optionalText('申请奖项', 50),
        qProofs: disputeApi.add.input.shape.qProofs,
      })
      .check((ctx) => {
        const { liId, lisId } = ctx.value
        if ((liId === undefined) === (lisId === undefined))
          ctx.issues.push({ code: 'custom', input: ctx.value, path: ['liId'], message: '请选择一项公示内容' })
      }),
    output: disputeApi.add.output,
  }),
  mine: call('GET', '/student/questions', {
    summary: '我的质疑与举报',
    permit: 'student:self',
    input: paging,
    output: paged(ownDispute),
  }),
  withdraw: call('POST', '/student/withdrawQuestion', {
    summary: '撤回我的质疑',
    permit: 'student:self',
    input: z.strictObject({ qId, opinion: disputeApi.withdraw.input.shape.opinion }),
    output: done,
  }),
  proof: call('GET', '/student/questionProof', {
    summary: '查看我提交的质疑证明',
    permit: 'student:self',
    cost: 'plain',
    gives: 'file',
    input: z.object({ id: id('证明材料') }),
    output: fileOutput,
  }),
}
