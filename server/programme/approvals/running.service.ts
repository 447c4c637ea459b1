import { isOneOf } from '../../../contract/core/codes/code-list.ts'
import { approvalStatus, taskStatus as taskStatusCodes } from '../../../contract/core/codes/programme.ts'
import { flowStepType } from '../../../contract/core/codes/rules.ts'
import type { AuditKind } from '../../../contract/core/dictionary.ts'
import { Failure } from '../../../contract/core/failure.ts'
import type { Context } from '../../core/request/context.ts'
import { inTransaction } from '../../core/request/transaction.ts'
import { arrange, type EngineTask, type Facts, type Running } from '../../rules/workflow/arrange.ts'
import {
  engineStep,
  factsFor,
  initiatorOf,
  lockApproval,
  tasksOf,
  writeRunning,
  type ApprovalRow,
  type TaskRecord,
} from './running.queries.ts'
import { notifyAdvice, notifyCopies, notifyInitiator, notifyNewTasks } from './notify.service.ts'

export type BizType = 'publish' | 'result' | 'supplement' | 'question'

/**
 * What follows when an approval of a kind ends. Runs inside the deciding transaction: if it fails, nothing was decided.
 */
export interface Outcome {
  passed(ctx: Context, bizId: string): Promise<void>
  refused(ctx: Context, bizId: string, reason: string): Promise<void>
  /** The initiator takes it back. Without it they cannot, other than through the matter's own calls. */
  withdrawn?(ctx: Context, bizId: string): Promise<void>
  /** An administrator ends it without a decision: back to where the owner of the matter can mend or remove it. */
  terminated(ctx: Context, bizId: string, reason: string): Promise<void>
  /**
   * The last reviewer takes their decision of the moment `at` back; refuses where the matter has moved on since.
   * Without it an approval that has ended stays ended.
   */
  reopened?(ctx: Context, bizId: string, verdict: 'passed' | 'refused', at: string): Promise<void>
}
export type Outcomes = Partial<Record<BizType, Outcome>>

const recordKinds = {
  publish: 'lesson',
  result: 'lesson',
  supplement: 'supplement',
  question: 'question',
} as const satisfies Record<BizType, AuditKind>
/** The kind of record an approval is about, as the audit trail names it. */
export const recordKind = ({ bizType }: Pick<ApprovalRow, 'bizType'>): AuditKind => recordKinds[bizType as BizType]

/** An approval at hand, locked: what the rules see of it, and what else is stored. */
export interface Held {
  row: ApprovalRow
  running: Running
  tasks: TaskRecord[]
  facts: Facts & { serving: Set<string> }
  names: Map<string, string>
}

/** How an action leaves an approval; `later` sets the next moments of open tasks anew. */
export interface Acted {
  running: Running
  later?: Map<string, { nextTime: string | null; nextAction: string }>
}

/** Where an approval stands after an action. */
export interface ApprovalProgress extends Held {
  state: 'running' | 'passed' | 'refused' | 'withdrawn' | 'terminated'
  /** The step it stands at. */
  stepName: string
}

/**
 * One act on a running approval with all that follows from it, in one transaction: its row is locked first, so that of
 * many who act at once one acts at a time and sees what the others did. Whoever is asked anew is told, and at the end
 * the initiator.
 * @param more people the action brings in, whose names and standing it needs; refused where the matter concerns one of
 *   them
 */
export function actionOnApproval(
  ctx: Context,
  outcomes: Outcomes,
  insId: string,
  act: (held: Held, ctx: Context) => Acted | Promise<Acted>,
  more: readonly string[] = [],
): Promise<ApprovalProgress> {
  return inTransaction(ctx, async (tx) => {
    const row = await lockApproval(tx, insId)
    if (more.some((suId) => row.facts.barred?.includes(suId))) throw new Failure('person-concerned')
    const tasks = await tasksOf(tx, [insId])
    const running: Running = {
      insStatus: row.insStatus,
      stepSort: row.stepSort,
      initiatorId: initiatorOf(row),
      steps: row.steps.map(engineStep),
      tasks,
    }
    const held: Held = { row, running, tasks, ...(await factsFor(tx, row, running, more)) }
    const { running: wished, later } = await act(held, tx)
    const approvalProgress = await settle(tx, held, wished, later)
    await conclude(tx, outcomes, running, approvalProgress)
    return approvalProgress
  })
}

/** Arranges an approval after an action, writes it, and tells whoever is asked or gets a copy. */
export async function settle(
  ctx: Context,
  held: Held,
  wished: Running,
  later?: Acted['later'],
): Promise<ApprovalProgress> {
  const { row, running, facts, names } = held
  const after = arrange(wished, facts)
  const fresh = await writeRunning(ctx, row, running, after, names, later)
  const nameOf = (sort: number) => row.steps.find(({ stepSort }) => stepSort === sort)?.stepName ?? ''
  const copies = fresh.filter(
    ({ taskStatus, stepSort }) =>
      taskStatus === taskStatusCodes.lapsed &&
      after.steps.some((step) => step.stepSort === stepSort && step.stepType === flowStepType.copy),
  )
  await notifyCopies(
    ctx,
    row,
    copies.map(({ checkerId }) => checkerId),
  )
  const asked = fresh.filter(
    ({ taskStatus, adviceOn, backFrom }) =>
      taskStatus === taskStatusCodes.pending && adviceOn === null && backFrom === undefined,
  )
  await notifyAdvice(ctx, row, nameOf, after, fresh, names)
  const returned = decidedNow(running, after).find(
    ({ taskStatus, backTo }) => taskStatus === taskStatusCodes.refused && backTo !== null,
  )
  if (asked.length > 0)
    await notifyNewTasks(
      ctx,
      row,
      nameOf(asked[0]!.stepSort),
      asked,
      returned && { from: nameOf(returned.stepSort), opinion: returned.opinion },
    )
  return { ...held, running: after, state: states[after.insStatus] ?? 'running', stepName: nameOf(after.stepSort) }
}

const states: Record<string, ApprovalProgress['state']> = {
  [approvalStatus.running]: 'running',
  [approvalStatus.passed]: 'passed',
  [approvalStatus.refused]: 'refused',
  [approvalStatus.withdrawn]: 'withdrawn',
  [approvalStatus.terminated]: 'terminated',
}

/** What an action decided. */
function decidedNow(before: Running, after: Running): EngineTask[] {
  const known = new Map(before.tasks.map(({ taskId, taskStatus }) => [taskId, taskStatus]))
  return after.tasks.filter(
    ({ taskId, taskStatus }) =>
      isOneOf(taskStatus, taskStatusCodes.passed, taskStatusCodes.refused, taskStatusCodes.autoPassed) &&
      known.get(taskId) !== taskStatus,
  )
}

/** What the end of an approval means for its matter, and word of it to the initiator; nothing while it runs. */
async function conclude(
  ctx: Context,
  outcomes: Outcomes,
  before: Running,
  { row, running, state }: ApprovalProgress,
): Promise<void> {
  if (before.insStatus !== approvalStatus.running || (state !== 'passed' && state !== 'refused')) return
  const opinion =
    decidedNow(before, running).findLast(({ taskStatus }) =>
      state === 'refused' ? taskStatus === taskStatusCodes.refused : taskStatus !== taskStatusCodes.refused,
    )?.opinion ?? ''
  const outcome = outcomes[row.bizType as BizType]
  if (state === 'passed') await outcome?.passed(ctx, row.bizId)
  else await outcome?.refused(ctx, row.bizId, opinion)
  await notifyInitiator(ctx, row, state, opinion)
}
