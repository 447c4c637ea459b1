import { z } from 'zod'
import { call, type ForAll } from '../../core/call.ts'
import { fileCall } from '../../core/file.ts'
import { batchResult } from '../../core/batch-result.ts'
import { id, rangeEnd, rangeStart, reason, search, integer } from '../../core/fields.ts'
import { exportReason } from '../../core/exports.ts'
import { paged, paging, sortedBy } from '../../core/paging.ts'
import { submittedDifference } from '../../core/difference.ts'
import { lessonDetail } from '../lessons/lessons.schema.ts'

/** A matter waiting for, or decided by, the person who asks. */
export const taskRow = z.object({
  taskId: z.string(),
  insId: z.string(),
  bizType: z.string(),
  bizId: z.string(),
  bizName: z.string(),
  wfName: z.string(),
  stepName: z.string(),
  stepSort: z.number(),
  startName: z.string(),
  startTime: z.string(),
  arriveTime: z.string(),
  dueTime: z.string().nullable(),
  handleTime: z.string().nullable(),
  taskStatus: z.string(),
  opinion: z.string(),
  /** Whole days it has waited, and whether its time limit has passed. */
  waitingDays: z.number(),
  overdue: z.boolean(),
  summary: z.string(),
  /** For whom the person decides, where they stand in for somebody. */
  behalfName: z.string(),
  /** Who wants only an opinion of the person, and what they asked; empty for all other tasks. */
  askedByName: z.string(),
  askText: z.string(),
  /** Who has yet to decide: on the tabs `all` and `mine`; empty for a task, whose holder is known. */
  holders: z.array(z.string()),
  can: z.array(z.string()),
})
export type TaskRow = z.infer<typeof taskRow>

/**
 * The task of the person who looks at a case, with what else they may do: `transfer`, `delegate`, `add`, `name` (they
 * name who decides next), and the steps they may send it back to; `advise` alone where they are only to give an
 * opinion.
 */
export const caseTask = taskRow.extend({ backSteps: z.array(z.object({ stepSort: z.number(), stepName: z.string() })) })
export type CaseTask = z.infer<typeof caseTask>

/**
 * `tab`: todo waiting for me, overdue those of them whose time limit has passed, done decided by me (passed, refused)
 * or settled without me (ended), mine what I started myself, all what is under approval among the records I may see,
 * whoever holds it. The rows of mine and all are approvals: `taskId` is then `insId`, `taskStatus` a value of
 * `approval_status`, and `arriveTime` on all since when it waits for its holders. `holderName` is asked of all alone.
 * `sort` names `arriveTime` (as usual), `dueTime`, `startTime`, `bizName` or
 * `startName`.
 */
const queueInput = paging.extend({
  tab: z.enum(['todo', 'overdue', 'done', 'passed', 'refused', 'ended', 'mine', 'all']).default('todo'),
  bizName: search('名称').optional(),
  startName: search('发起人').optional(),
  holderName: search('审批人').optional(),
  createStartDate: rangeStart('提交时间').optional(),
  createEndDate: rangeEnd('提交时间').optional(),
  ...sortedBy('arriveTime', 'dueTime', 'startTime', 'bizName', 'startName'),
})
const queue = <const P extends `${string}queue:list`, R extends typeof taskRow>(
  path: string,
  summary: string,
  permit: P,
  row: R,
) => call('GET', path, { summary, permit, input: queueInput, output: paged(row) })
/** What a queue shows for the same tab and filters, as a file. */
const queueExport = <const P extends `${string}queue:export`>(path: string, summary: string, permit: P) =>
  fileCall('POST', path, {
    summary,
    permit,
    needsFreshCode: true,
    input: queueInput.extend({ reason: exportReason }),
  })

/** What the matter of a task is called in the lists of its own kind; names as they were when it was asked. */
const lessonTask = taskRow.extend({ liId: z.string(), liName: z.string() })
const supplementTask = taskRow.extend({
  lisId: z.string(),
  lisName: z.string(),
  suiName: z.string(),
  suiNumber: z.string(),
})
/** About a course or a supplement record; the fields of the other are empty. */
const questionTask = taskRow.extend({
  qId: z.string(),
  liId: z.string(),
  liName: z.string(),
  lisId: z.string(),
  lisName: z.string(),
})

/** One decision or a batch: per record what came of it, and until when it may be taken back. */
const decided = batchResult.extend({ undoUntil: z.string().nullable() })
const taskIds = z.array(id('审批任务')).min(1, '请至少选择一条记录').max(200, '一次最多处理 200 条记录')
const passInput = z.strictObject({
  taskIds,
  opinion: z.string().trim().max(500, '意见不能超过 500 个字').optional(),
  /** Who decides the next step, where the flow leaves that to the person who passes this one. */
  nextCheckerIds: z.array(id('下一步审批人')).max(50, '下一步审批人最多 50 人').optional(),
})
/** `backTo`: the step a refusal sends the matter back to; the initiator when left out. */
const refuseInput = z.strictObject({
  taskIds,
  opinion: reason('驳回原因'),
  backTo: integer('退回步骤', 1, 99).optional(),
})
/** All tasks of a queue; each is decided by itself. */
const ofQueue = (queue: string): ForAll[] => [
  {
    list: `/api/schoolbase/lessonsApplyInfo/${queue}`,
    row: 'taskId',
    name: ['bizName'],
    ids: 'taskIds',
    undo: { path: '/api/schoolbase/lessonsApplyInfo/takeBackAudit', given: () => ({}) },
  },
]
const pass = <const P extends `approval:${string}`>(path: string, summary: string, permit: P, queue: string) =>
  call('POST', path, { summary, permit, input: passInput, output: decided, forAll: ofQueue(queue) })
const refuse = <const P extends `approval:${string}`>(path: string, summary: string, permit: P, queue: string) =>
  call('POST', path, { summary, permit, input: refuseInput, output: decided, forAll: ofQueue(queue) })

export const approvalApi = {
  publishQueue: queue('/lessonsApplyInfo/queryPublishAudit', '发布审批', 'publishqueue:list', lessonTask),
  resultQueue: queue('/lessonsApplyInfo/queryResultAudit', '结果审批', 'resultqueue:list', lessonTask),
  supQueue: queue('/lessonsApplyInfo/querySupAudit', '补录审批', 'supqueue:list', supplementTask),
  publishPass: pass('/lessonsApplyInfo/publishPass', '通过发布审批', 'approval:publish', 'queryPublishAudit'),
  publishRefuse: refuse(
    '/lessonsApplyInfo/publishRefuse',
    '驳回发布审批',
    'approval:publishRefuse',
    'queryPublishAudit',
  ),
  resultPass: pass('/lessonsApplyInfo/resultPass', '通过结果审批', 'approval:result', 'queryResultAudit'),
  resultRefuse: refuse('/lessonsApplyInfo/resultRefuse', '驳回结果审批', 'approval:resultRefuse', 'queryResultAudit'),
  supPass: pass('/lessonsApplyInfo/supPass', '通过补录审批', 'approval:supplement', 'querySupAudit'),
  supRefuse: refuse('/lessonsApplyInfo/supRefuse', '驳回补录审批', 'approval:supplementRefuse', 'querySupAudit'),
  questionQueue: queue('/lessonsApplyInfo/queryQuestionAudit', '质疑举报审批', 'questionqueue:list', questionTask),
  questionPass: pass('/lessonsApplyInfo/questionPass', '通过质疑举报审批', 'approval:question', 'queryQuestionAudit'),
  questionRefuse: refuse(
    '/lessonsApplyInfo/questionRefuse',
    '驳回质疑举报审批',
    'approval:questionRefuse',
    'queryQuestionAudit',
  ),
  publishExport: queueExport('/lessonsApplyInfo/exportPublishAudit', '导出发布审批', 'publishqueue:export'),
  resultExport: queueExport('/lessonsApplyInfo/exportResultAudit', '导出结果审批', 'resultqueue:export'),
  supExport: queueExport('/lessonsApplyInfo/exportSupAudit', '导出补录审批', 'supqueue:export'),
  questionExport: queueExport('/lessonsApplyInfo/exportQuestionAudit', '导出质疑举报审批', 'questionqueue:export'),
  auditCount: call('GET', '/lessonsApplyInfo/queryAuditCount', {
    summary: '各队列待办数',
    permit: 'signed-in',
    input: z.object({}),
    output: z.object({
      publish: z.number(),
      result: z.number(),
      supplement: z.number(),
      question: z.number(),
      overdue: z.number(),
      /** The queues in which the person holds a right to pass or to refuse. */
      decides: z.array(z.enum(['publish', 'result', 'supplement', 'question'])),
    }),
  }),
}

/** What decides in each queue, by the kind of its cases. */
export const queueDecisions = {
  publish: { pass: approvalApi.publishPass, refuse: approvalApi.publishRefuse },
  result: { pass: approvalApi.resultPass, refuse: approvalApi.resultRefuse },
  supplement: { pass: approvalApi.supPass, refuse: approvalApi.supRefuse },
  question: { pass: approvalApi.questionPass, refuse: approvalApi.questionRefuse },
} as const
export type QueueKind = keyof typeof queueDecisions

export const lessonCaseApi = {
  lessonResult: call('GET', '/lessonsApplyInfo/queryLessonResult', {
    summary: '审批中的课程与结果',
    permit: 'signed-in',
    input: z.object({ liId: id('课程') }),
    output: z.object({
      lesson: lessonDetail,
      /** What a reviewer should look at twice, in plain sentences. */
      hints: z.array(z.object({ level: z.enum(['info', 'warning']), text: z.string() })),
      /** How what is submitted differs from what was approved or returned before; empty for what is new. */
      differences: z.array(submittedDifference),
      results: z.array(z.object({ awardName: z.string(), count: z.number(), hours: z.string(), credit: z.string() })),
      history: z.object({ lessons: z.number(), passRate: z.number().nullable(), signRate: z.number().nullable() }),
      /** The task of the person who asks, if one waits for them. */
      task: caseTask.nullable(),
    }),
  }),
}
