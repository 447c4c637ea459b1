import { approvalStatus } from '../../../contract/core/codes/programme.ts'
import { Failure } from '../../../contract/core/failure.ts'
import type { Difference } from '../../../contract/core/difference.ts'
import { audit } from '../../core/audit/audit.ts'
import type { Context } from '../../core/request/context.ts'
import { newId } from '../../core/base/ids.ts'
import { systemId } from '../../core/request/system.ts'
import type { ContentField } from '../../core/base/submitted-content.ts'
import { from } from '../../core/database/tenant.ts'
import { inTransaction } from '../../core/request/transaction.ts'
import { terminate, vote, withdraw } from '../../rules/workflow/actions.ts'
import type { Running } from '../../rules/workflow/arrange.ts'
import type { SubjectFacts } from '../../rules/workflow/checkers.service.ts'
import { chooseFlow, type FlowCase } from '../../rules/workflow/choose-flow.ts'
import {
  flowsFor,
  flowVersion,
  planStage,
  stepsOf,
  type PlannedRule,
} from '../../rules/workflow/flow-source.service.ts'
import { fateWords } from '../../rules/workflow/fate-words.ts'
import { noChecker, noFlow, noFlowAhead, vacancyAhead } from '../../rules/workflow/vacancy.service.ts'
import { assertCanDecide } from './eligibility.service.ts'
import { engineStep, factsFor, initiatorOf, type ApprovalRow, type StepSnapshot } from './running.queries.ts'
import { actionOnApproval, recordKind, settle, type BizType, type Outcomes } from './running.service.ts'
import { changesSince, keepContent } from './submissions.service.ts'
import { keepWayBack } from './take-back.service.ts'

export type { BizType, Outcome, Outcomes } from './running.service.ts'

export interface ApprovalSubject {
  bizType: BizType
  bizId: string
  bizName: string
  /** One line of facts for the queue. */
  summary: string
  nodeName: string
  case: FlowCase
  /**
   * The version of a flow that rules the matter already, as far as it is still kept; else the one that fits the case.
   */
  flow?: { wfId: string; wfVersion: number }
  facts: Omit<SubjectFacts, 'initiatorId'>
  /** What the record says as it is submitted; the next submission is compared with it. */
  content?: ContentField[]
  /** How it differs from what is in force; what differs from an earlier submission is found by its content. */
  changes?: Difference[]
  /** Whoever starts it only takes it up for others: it is not their own matter, and they may decide it. */
  isTakenUp?: true
}

/**
 * Starts an approval: chooses the flow, keeps a snapshot of its steps, and puts the first tasks before their people.
 * Refuses when no flow applies, when a step has nobody to decide it and its policy is to block, or when one is already
 * running.
 * @returns `passed` when there was nothing to decide (no steps, or only automatic ones): the caller then acts as on a
 *   pass.
 */
export async function startApproval(
  ctx: Context,
  subject: ApprovalSubject,
): Promise<{ insId: string | null; ended: 'passed' | null }> {
  return inTransaction(ctx, async (tx) => {
    const { flow, facts, steps } = await plannedFor(tx, subject)
    if (steps.length === 0) return { insId: null, ended: 'passed' }
    const changes = await changesSince(tx, subject)
    const row: ApprovalRow = {
      schoolId: tx.actor.schoolId,
      insId: newId(),
      bizType: subject.bizType,
      bizId: subject.bizId,
      bizName: subject.bizName,
      wfId: flow.wfId,
      wfName: flow.wfName,
      wfVersion: flow.wfVersion,
      nodeName: subject.nodeName,
      insStatus: approvalStatus.running,
      stepSort: 0,
      steps,
      startBy: tx.actor.suId,
      startName: tx.actor.suNickname,
      startTime: tx.clock.now(),
      facts,
    }
    await tx.db
      .insertInto('approval')
      .values({
        ...row,
        facts: JSON.stringify(facts),
        steps: JSON.stringify(steps),
        summary: subject.summary,
        changes: JSON.stringify(changes),
        scopeCollegeId: facts.collegeId,
      })
      .execute()
    await keepContent(tx, row.insId, subject.content)
    const running: Running = {
      insStatus: approvalStatus.running,
      stepSort: 0,
      initiatorId: initiatorOf(row),
      steps: steps.map(engineStep),
      tasks: [],
    }
    const { state } = await settle(tx, { row, running, tasks: [], ...(await factsFor(tx, row, running)) }, running)
    return { insId: row.insId, ended: state === 'passed' ? 'passed' : null }
  })
}

/** Refuses a matter that could not be decided by anybody, before anything is started. */
export const assertDecidable = async (ctx: Context, subject: ApprovalSubject): Promise<void> =>
  void (await plannedFor(ctx, subject))

/**
 * The steps of a matter with their people. What a step without people means is decided here, at the start, where the
 * initiator can still act.
 */
async function plannedFor(ctx: Context, subject: ApprovalSubject) {
  const { case: wanted, nodeName, facts: known, isTakenUp } = subject
  const kept = subject.flow && (await flowVersion(ctx, subject.flow))
  const flow = kept?.flow ?? chooseFlow(await flowsFor(ctx, wanted.wfType), wanted)
  if (!flow) throw await noFlow(ctx)
  const facts: SubjectFacts = { ...known, initiatorId: isTakenUp ? systemId : ctx.actor.suId }
  const rules = kept ? kept.stepsOf(nodeName) : await stepsOf(ctx, flow.wfId, nodeName)
  const planned = await planStage(ctx, rules, flow, facts, wanted.credit)
  const blocked = planned.find(({ fate }) => fate === 'block')
  if (blocked) throw await noChecker(ctx, { ...blocked, wfId: flow.wfId }, facts)
  return { flow, facts, steps: snapshotOf(planned) }
}

/** The steps to be asked, numbered anew. */
const snapshotOf = (planned: PlannedRule[]): StepSnapshot[] =>
  planned
    .filter(({ fate }) => fate !== 'skip' && fate !== 'unasked')
    .map(({ fate: _, ...step }, at) => ({ ...step, stepSort: at + 1 }))

export interface Decision {
  verdict: 'pass' | 'refuse'
  opinion: string
  backTo?: number | undefined
  nextCheckerIds?: string[] | undefined
}

/**
 * One person's decision on one task, with all that follows from it, in one transaction. Of twenty deciders of one step
 * exactly one decides, the others are told so.
 * @returns until when they may take it back
 */
export function decide(
  ctx: Context,
  outcomes: Outcomes,
  bizType: BizType,
  taskId: string,
  { verdict, opinion, backTo, nextCheckerIds = [] }: Decision,
): Promise<string> {
  return inTransaction(ctx, async (tx) => {
    const task = await from(tx, 'approvalTask')
      .select('insId')
      .where('taskId', '=', taskId)
      .where('bizType', '=', bizType)
      .executeTakeFirst()
    if (!task) throw new Failure('not-found')
    await assertCanDecide(tx, bizType, nextCheckerIds)
    const approvalProgress = await actionOnApproval(
      tx,
      outcomes,
      task.insId,
      ({ running }) => ({
        running: vote(running, { taskId, by: tx.actor.suId, verdict, opinion, backTo, next: nextCheckerIds }),
      }),
      nextCheckerIds,
    )
    const { row, state, stepName, tasks } = approvalProgress
    const behalf = tasks.find((one) => one.taskId === taskId)?.behalfName
    const action = verdict === 'pass' ? '审批通过' : backTo === undefined ? '审批驳回' : '审批退回'
    await audit(tx, {
      action,
      bizType: recordKind(row),
      bizId: row.bizId,
      bizName: row.bizName,
      reason: opinion,
      after: { step: stepName, state, ...(behalf && { behalf: `代 ${behalf} 审批` }) },
    })
    return keepWayBack(tx, approvalProgress, taskId)
  })
}

/** Takes a running approval back while nobody has decided yet; only its initiator may. */
export async function withdrawApproval(ctx: Context, bizType: BizType, bizId: string): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    const approval = await from(tx, 'approval')
      .select(['insId', 'startBy'])
      .where('bizType', '=', bizType)
      .where('bizId', '=', bizId)
      .where('insStatus', '=', approvalStatus.running)
      .executeTakeFirst()
    if (!approval) throw new Failure('not-found')
    if (approval.startBy !== tx.actor.suId) throw new Failure('not-permitted')
    await actionOnApproval(tx, {}, approval.insId, ({ running }) => ({ running: withdraw(running) }))
  })
}

/**
 * Ends the running approval of a matter that is no more, whoever started it; nothing where none runs. What was open
 * lapses.
 */
export async function endApproval(ctx: Context, bizType: BizType, bizId: string): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    const approval = await from(tx, 'approval')
      .select('insId')
      .where('bizType', '=', bizType)
      .where('bizId', '=', bizId)
      .where('insStatus', '=', approvalStatus.running)
      .executeTakeFirst()
    if (!approval) return
    await actionOnApproval(tx, {}, approval.insId, ({ running }) => ({ running: terminate(running) }))
  })
}

/** The same by the approval itself, with what it means for its matter; only where the matter's kind knows of it. */
export const withdrawOwn = (ctx: Context, outcomes: Outcomes, { insId }: { insId: string }) =>
  inTransaction(ctx, async (tx) => {
    const approval = await from(tx, 'approval')
      .select(['bizType', 'bizId', 'bizName'])
      .where('insId', '=', insId)
      .where('startBy', '=', tx.actor.suId)
      .executeTakeFirst()
    const outcome = outcomes[approval?.bizType as BizType]
    if (!approval || !outcome?.withdrawn) throw new Failure('not-found')
    await actionOnApproval(tx, {}, insId, ({ running }) => ({ running: withdraw(running) }))
    await outcome.withdrawn(tx, approval.bizId)
    return { affected: 1 }
  })

/** Who would decide a matter's steps; nothing is written. Undefined where no flow applies. */
export async function plannedSteps(
  ctx: Context,
  wanted: FlowCase,
  facts: Omit<SubjectFacts, 'initiatorId'>,
  nodes: string[],
) {
  const flow = chooseFlow(await flowsFor(ctx, wanted.wfType), wanted)
  if (!flow) return undefined
  const shown = []
  for (const nodeName of nodes) {
    const planned = await planStage(
      ctx,
      await stepsOf(ctx, flow.wfId, nodeName),
      flow,
      { ...facts, initiatorId: ctx.actor.suId },
      wanted.credit,
    )
    shown.push({ nodeName, steps: planned.filter(({ fate }) => fate !== 'unasked') })
  }
  return { flow, nodes: shown }
}

/**
 * The same for a form: people by name, what becomes of the other steps, and what to do about what would be refused.
 * @param stillOpen what to say of a step without people whose people the form has yet to name
 */
export async function previewApproval(
  ctx: Context,
  wanted: FlowCase,
  facts: Omit<SubjectFacts, 'initiatorId'>,
  nodes: string[],
  stillOpen: (step: PlannedRule) => string | undefined = () => undefined,
) {
  const planned = await plannedSteps(ctx, wanted, facts, nodes)
  if (!planned) return { wfName: null, missing: await noFlowAhead(ctx), nodes: [] }
  const { wfId, wfName } = planned.flow
  const shown = []
  for (const { nodeName, steps } of planned.nodes) {
    const told = []
    for (const step of steps) {
      const open = step.fate === 'block' ? stillOpen(step) : undefined
      const isVacant = step.fate === 'block' && open === undefined
      told.push({
        stepName: step.stepName,
        stepType: step.stepType,
        people: step.people.map(({ suiName }) => suiName),
        note: isVacant ? '' : (open ?? fateWords(step.fate, step)),
        vacancy: isVacant
          ? await vacancyAhead(ctx, { ...step, wfId }, { ...facts, initiatorId: ctx.actor.suId })
          : null,
      })
    }
    shown.push({ nodeName, steps: told })
  }
  return { wfName, missing: null, nodes: shown }
}
