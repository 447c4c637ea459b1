import { approvalActionApi } from '../../../contract/programme/approvals/actions.calls.ts'
import type { Page } from '../../../contract/core/paging.ts'
import { approvalApi, type TaskRow } from '../../../contract/programme/approvals/approvals.calls.ts'
import { pagedExport } from '../../core/export/exports.ts'
import type { Context } from '../../core/request/context.ts'
import type { RawBuilder } from 'kysely'
import { from, withinSchool } from '../../core/database/tenant.ts'
import { forEachItem } from '../../core/request/for-each-item.ts'
import { routes, type Route } from '../../core/request/routes.ts'
import { candidates } from './eligibility.service.ts'
import {
  addSignersTo,
  adviseOnTask,
  delegateTask,
  recallTask,
  remindCheckers,
  transferTask,
} from './actions.service.ts'
import { lessonQueueColumns, questionQueueColumns, supplementQueueColumns } from './approvals.exports.ts'
import { keptTasks } from './kept-forms.ts'
import { openCounts, queue } from './approvals.queries.ts'
import { decide, withdrawOwn, type BizType, type Decision, type Outcomes } from './approvals.service.ts'
import { addDelegation, endDelegation, listDelegations } from './delegations.service.ts'
import { removeSignerFrom, terminateApproval } from './manage.service.ts'
import { opinionsOf, saveOpinions } from './opinions.service.ts'
import { takeDecisionBack } from './take-back.service.ts'

/** What the rows of a queue are about, by the ids of the matters, in the words of their own lists. */
export interface QueueSubjects {
  /** The matters of a kind that the person may see in their own lists, as a query of ids; null where they see all. */
  visible(ctx: Context, bizType: BizType): RawBuilder<unknown> | null
  supplement(
    ctx: Context,
    lisIds: readonly string[],
  ): Promise<ReadonlyMap<string, { lisName: string; suiName: string; suiNumber: string }>>
  question(
    ctx: Context,
    qIds: readonly string[],
  ): Promise<ReadonlyMap<string, { liId: string; liName: string; lisId: string; lisName: string }>>
}

/**
 * The approval calls. What a pass or refusal means for the matter itself, and what it is called where it is kept, comes
 * from outside, as plain objects.
 */
export function approvalRoutes(outcomes: Outcomes, subjects: QueueSubjects): Route[] {
  const tasks = (ctx: Context, bizType: BizType, input: QueueInput) =>
    queue(ctx, bizType, () => subjects.visible(ctx, bizType), input)
  const lessonQueue = (bizType: 'publish' | 'result') => async (ctx: Context, input: QueueInput) =>
    withFields(await tasks(ctx, bizType, input), ({ bizId, bizName }) => ({ liId: bizId, liName: bizName }))
  const publishQueue = lessonQueue('publish')
  const resultQueue = lessonQueue('result')
  const supplementQueue = async (ctx: Context, input: QueueInput) => {
    const page = await tasks(ctx, 'supplement', input)
    const found = await subjects.supplement(ctx, idsOf(page))
    return withFields(page, ({ bizId, bizName }) => ({
      lisId: bizId,
      ...(found.get(bizId) ?? { lisName: bizName, suiName: '', suiNumber: '' }),
    }))
  }
  const questionQueue = async (ctx: Context, input: QueueInput) => {
    const page = await tasks(ctx, 'question', input)
    const found = await subjects.question(ctx, idsOf(page))
    return withFields(page, ({ bizId, bizName }) => ({
      qId: bizId,
      ...(found.get(bizId) ?? { liId: '', liName: bizName, lisId: '', lisName: '' }),
    }))
  }
  const decision = (bizType: BizType, verdict: 'pass' | 'refuse') => (ctx: Context, input: Decided) =>
    decideAll(ctx, outcomes, bizType, verdict, input)
  const acts = routes(approvalActionApi, {
    transfer: (ctx, input) => transferTask(ctx, outcomes, input),
    addSigners: (ctx, input) => addSignersTo(ctx, outcomes, input),
    removeSigner: (ctx, input) => removeSignerFrom(ctx, outcomes, input),
    delegate: (ctx, input) => delegateTask(ctx, outcomes, input),
    advise: (ctx, input) => adviseOnTask(ctx, outcomes, input),
    recall: (ctx, input) => recallTask(ctx, outcomes, input),
    terminate: (ctx, input) => terminateApproval(ctx, outcomes, input),
    remind: remindCheckers,
    takeBack: (ctx, input) => takeAllBack(ctx, outcomes, input),
    withdraw: (ctx, input) => withdrawOwn(ctx, outcomes, input),
    opinions: opinionsOf,
    saveOpinions,
    candidates,
    delegations: listDelegations,
    addDelegation: (ctx, input) => addDelegation(ctx, outcomes, input),
    endDelegation: (ctx, input) => endDelegation(ctx, outcomes, input),
  })
  return [
    ...acts,
    ...routes(
      approvalApi,
      {
        publishQueue,
        resultQueue,
        supQueue: supplementQueue,
        publishPass: decision('publish', 'pass'),
        publishRefuse: decision('publish', 'refuse'),
        resultPass: decision('result', 'pass'),
        resultRefuse: decision('result', 'refuse'),
        supPass: decision('supplement', 'pass'),
        supRefuse: decision('supplement', 'refuse'),
        questionQueue,
        questionPass: decision('question', 'pass'),
        questionRefuse: decision('question', 'refuse'),
        publishExport: pagedExport('发布审批', lessonQueueColumns, publishQueue),
        resultExport: pagedExport('结果审批', lessonQueueColumns, resultQueue),
        supExport: pagedExport('补录审批', supplementQueueColumns, supplementQueue),
        questionExport: pagedExport('质疑举报审批', questionQueueColumns, questionQueue),
        auditCount: openCounts,
      },
      {
        publishPass: keptTasks('publish', 'liId'),
        publishRefuse: keptTasks('publish', 'liId'),
        resultPass: keptTasks('result', 'liId'),
        resultRefuse: keptTasks('result', 'liId'),
        supPass: keptTasks('supplement', 'lisId'),
        supRefuse: keptTasks('supplement', 'lisId'),
        questionPass: keptTasks('question', 'qId'),
        questionRefuse: keptTasks('question', 'qId'),
      },
    ),
  ]
}

type QueueInput = Parameters<typeof queue>[3]

const idsOf = ({ records }: Page<TaskRow>) => [...new Set(records.map(({ bizId }) => bizId))]
const withFields = <F extends object>(page: Page<TaskRow>, fieldsOf: (row: TaskRow) => F): Page<TaskRow & F> => ({
  ...page,
  records: page.records.map((row) => Object.assign(row, fieldsOf(row))),
})

type Decided = { taskIds: string[]; opinion?: string | undefined } & Pick<Decision, 'backTo' | 'nextCheckerIds'>

/**
 * Decides tasks one by one, each on its own. A single task is refused like any call; of several, each tells what came
 * of it.
 */
async function decideAll(
  ctx: Context,
  outcomes: Outcomes,
  bizType: BizType,
  verdict: 'pass' | 'refuse',
  { taskIds, opinion = '', ...more }: Decided,
) {
  let undoUntil: string | null = null
  const result = await forEachTask(ctx, taskIds, async (taskId) => {
    const until = await decide(ctx, outcomes, bizType, taskId, { ...more, verdict, opinion })
    undoUntil ??= until
  })
  return { ...result, undoUntil: undoUntil as string | null }
}

/** Takes decisions back, each on its own. */
const takeAllBack = (ctx: Context, outcomes: Outcomes, { taskIds }: { taskIds: string[] }) =>
  forEachTask(ctx, taskIds, (taskId) => takeDecisionBack(ctx, outcomes, taskId))

const forEachTask = (ctx: Context, taskIds: readonly string[], act: (taskId: string) => Promise<void>) =>
  forEachItem(taskIds, act, (taskId) => nameOf(ctx, taskId))

/** The name of a matter for the list of what failed; empty where the person may not know it. */
async function nameOf({ db, actor }: Context, taskId: string): Promise<string> {
  const row = await from({ db, actor }, 'approvalTask as t')
    .innerJoin('approval as a', withinSchool('a.insId', 't.insId'))
    .select('a.bizName')
    .where('t.taskId', '=', taskId)
    .where('t.checkerId', '=', actor.suId)
    .executeTakeFirst()
  return row?.bizName ?? ''
}
