import type { AuditKind } from '../../contract/core/dictionary.ts'
import { Failure } from '../../contract/core/failure.ts'
import { audit } from '../core/audit.ts'
import { addSeconds } from '../core/clock.ts'
import type { Context } from '../core/context.ts'
import { newId } from '../core/ids.ts'
import { inTransaction } from '../core/transaction.ts'
import { workingDayFrom } from '../school/calendar.service.ts'
import { schoolSettings } from '../school/settings.service.ts'
import { resolveCheckers, type Checker, type MatterFacts } from '../workflow/checkers.service.ts'
import { chooseFlow, type FlowCase } from '../workflow/choose-flow.ts'
import { progress, type RunningStep } from '../workflow/progress.ts'
import { flowsFor, stepsOf, type StepRule } from '../workflow/flow-source.service.ts'
import { tasksOf, type ApprovalRow } from './approvals.queries.ts'
import { tellCheckers, tellInitiator } from './tell.service.ts'

export type BizType = 'publish' | 'result' | 'supplement' | 'question'

/** What follows when an approval of a kind ends. Runs inside the deciding transaction: if it fails, nothing was decided. */
export interface Outcome {
  passed(ctx: Context, bizId: string): Promise<void>
  refused(ctx: Context, bizId: string, reason: string): Promise<void>
}
export type Outcomes = Partial<Record<BizType, Outcome>>

/** A step as a running approval keeps it: the rule it was started with, and the people it then meant. */
export interface StepSnapshot extends StepRule {
  people: Checker[]
}

export interface Matter {
  bizType: BizType
  bizId: string
  bizName: string
  /** One line of facts for the queue. */
  summary: string
  nodeName: string
  case: FlowCase
  facts: Omit<MatterFacts, 'initiatorId'>
  /** Fields that changed since the last approval, for the reviewer. */
  changes?: { field: string; before: string; after: string }[]
}

/** The record an approval is about, as the audit trail names it. */
const recordKinds = { publish: 'lesson', result: 'lesson', supplement: 'supplement', question: 'question' } as const satisfies Record<BizType, AuditKind>

/**
 * Starts an approval: chooses the flow, keeps a snapshot of its steps, and puts the first tasks before their people. Refuses
 * when no flow applies, when a step has nobody to decide it and its policy is to block, or when one is already running.
 * @returns `passed` when there was nothing to decide (no steps, or only automatic ones): the caller then acts as on a pass.
 */
export async function startApproval(ctx: Context, matter: Matter): Promise<{ insId: string | null; ended: 'passed' | null }> {
  return inTransaction(ctx, async (tx) => {
    const flow = chooseFlow(await flowsFor(tx, matter.case.wfType), matter.case)
    if (!flow) throw new Failure('workflow-missing')
    const facts: MatterFacts = { ...matter.facts, initiatorId: tx.actor.suId }
    const steps = await snapshotSteps(tx, await stepsOf(tx, flow.wfId, matter.nodeName), facts)
    if (steps.length === 0) return { insId: null, ended: 'passed' }
    const row: ApprovalRow = {
      schoolId: tx.actor.schoolId, insId: newId(), bizType: matter.bizType, bizId: matter.bizId, bizName: matter.bizName, wfId: flow.wfId, wfName: flow.wfName, wfVersion: flow.wfVersion,
      nodeName: matter.nodeName, insStatus: '0', stepSort: 0, steps, startBy: tx.actor.suId, startName: tx.actor.suNickname, startTime: tx.clock.now(),
    }
    await tx.db
      .insertInto('approval')
      .values({ ...row, steps: JSON.stringify(steps), summary: matter.summary, changes: JSON.stringify(matter.changes ?? []), scopeCollegeId: facts.collegeId })
      .execute()
    const state = await advance(tx, row)
    return { insId: row.insId, ended: state === 'passed' ? 'passed' : null }
  })
}

/** The people of every step; what a step without people means is decided here, at the start, where the initiator can still act. */
async function snapshotSteps(ctx: Context, rules: StepRule[], facts: MatterFacts): Promise<StepSnapshot[]> {
  const steps: StepSnapshot[] = []
  for (const rule of rules) {
    const decides = rule.stepType !== '5' && rule.stepType !== '6'
    let people = decides ? await resolveCheckers(ctx, rule, facts) : []
    if (decides && people.length === 0) {
      if (rule.noApproverPolicy === 'skip') continue
      if (rule.noApproverPolicy === 'admin') people = await resolveCheckers(ctx, { wfsCheckerType: '2', checkers: await adminRoles(ctx) }, facts)
      if (people.length === 0) throw new Failure('workflow-no-checker', { step: rule.stepName })
    }
    steps.push({ ...rule, people })
  }
  return steps.map((step, at) => ({ ...step, stepSort: at + 1 }))
}

const adminRoles = async ({ db, actor }: Context): Promise<string[]> =>
  (await db.selectFrom('role').select('srId').where('schoolId', '=', actor.schoolId).where('srCode', '=', 'SCHOOL_ADMIN').execute()).map(({ srId }) => srId)

const running = (steps: StepSnapshot[]): RunningStep[] => steps.map((step) => ({ ...step, people: step.people.map(({ suId }) => suId) }))

/**
 * Brings an approval to where its votes say it stands: closes tasks of settled steps, opens those of the current one, ends it
 * when nothing is left. Somebody who passed an earlier step and is asked again is passed by the system (6). Only those whom it
 * still waits for in the end are told.
 */
async function advance(ctx: Context, approval: ApprovalRow): Promise<'running' | 'passed' | 'refused'> {
  const now = ctx.clock.now()
  const { schoolId, insId } = approval
  let opened: { stepSort: number; suIds: string[] } = { stepSort: 0, suIds: [] }
  for (;;) {
    const tasks = await tasksOf(ctx, insId)
    const standing = progress(running(approval.steps), tasks)
    const ended = standing.state !== 'running'
    await ctx.db
      .updateTable('approvalTask')
      .set({ taskStatus: '7', handleTime: now })
      .where('schoolId', '=', schoolId).where('insId', '=', insId).where('taskStatus', '=', '0')
      .where((eb) => (ended ? eb.val(true) : eb.or([eb('stepSort', '<', standing.stepSort)])))
      .execute()
    await ctx.db
      .updateTable('approval')
      .set({ stepSort: standing.stepSort, ...(ended ? { insStatus: standing.state === 'passed' ? '1' : '2', endTime: now } : {}) })
      .where('schoolId', '=', schoolId).where('insId', '=', insId)
      .execute()
    if (ended) return standing.state
    const step = approval.steps.find((one) => one.stepSort === standing.stepSort)!
    const passedBefore = new Set(tasks.filter((task) => task.taskStatus === '1').map((task) => task.checkerId))
    const fresh = standing.awaited.filter((suId) => !tasks.some((task) => task.stepSort === step.stepSort && task.checkerId === suId))
    const repeated = fresh.filter((suId) => passedBefore.has(suId))
    const asked = fresh.filter((suId) => !passedBefore.has(suId))
    opened = { stepSort: step.stepSort, suIds: opened.stepSort === step.stepSort ? [...opened.suIds, ...asked] : asked }
    const dueTime = await dueOf(ctx, step)
    const rows = fresh.map((suId) => ({
      schoolId, taskId: newId(), insId, bizType: approval.bizType, stepSort: step.stepSort, stepName: step.stepName, checkerId: suId,
      checkerName: step.people.find((one) => one.suId === suId)!.suiName, arriveTime: now, dueTime,
      ...(passedBefore.has(suId) ? { taskStatus: '6', handleTime: now, opinion: '同一审批人已在前序步骤通过' } : {}),
    }))
    if (rows.length > 0) await ctx.db.insertInto('approvalTask').values(rows).execute()
    if (repeated.length === 0) {
      await tellCheckers(ctx, approval, step.stepName, opened.suIds)
      return 'running'
    }
  }
}

/** When a task that arrives now counts as overdue: by the step's own hours, else by the school's working days at this time of day. */
async function dueOf(ctx: Context, { timeoutHours }: Pick<StepSnapshot, 'timeoutHours'>): Promise<string> {
  const now = ctx.clock.now()
  if (timeoutHours !== null) return addSeconds(now, timeoutHours * 3600)
  const { remindDays } = await schoolSettings(ctx, ctx.actor.schoolId)
  return `${await workingDayFrom(ctx, ctx.actor.schoolId, now, remindDays, { after: true })}${now.slice(10)}`
}

/**
 * One person's decision on one task, with all that follows from it, in one transaction. The approval's row is locked first,
 * so of twenty deciders of one step exactly one decides and the others are told so.
 */
export async function decide(ctx: Context, outcomes: Outcomes, bizType: BizType, taskId: string, verdict: 'pass' | 'refuse', opinion: string): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    const { schoolId, suId } = tx.actor
    const task = await tx.db.selectFrom('approvalTask').select(['insId', 'checkerId']).where('schoolId', '=', schoolId).where('taskId', '=', taskId).where('bizType', '=', bizType).executeTakeFirst()
    if (!task) throw new Failure('not-found')
    if (task.checkerId !== suId) throw new Failure('not-checker')
    const approval = await tx.db.selectFrom('approval').selectAll().where('schoolId', '=', schoolId).where('insId', '=', task.insId).forUpdate().executeTakeFirstOrThrow()
    const voted = await tx.db
      .updateTable('approvalTask')
      .set({ taskStatus: verdict === 'pass' ? '1' : '2', opinion, handleTime: tx.clock.now() })
      .where('schoolId', '=', schoolId).where('taskId', '=', taskId).where('taskStatus', '=', '0')
      .executeTakeFirst()
    if (voted.numUpdatedRows === 0n || approval.insStatus !== '0') throw new Failure('already-decided')
    const row: ApprovalRow = { ...approval, steps: approval.steps as unknown as StepSnapshot[] }
    const state = await advance(tx, row)
    const step = row.steps.find((one) => one.stepSort === row.stepSort)
    await audit(tx, { action: verdict === 'pass' ? '审批通过' : '审批驳回', bizType: recordKinds[bizType], bizId: approval.bizId, bizName: approval.bizName, reason: opinion, after: { step: step?.stepName ?? '', state } })
    const outcome = outcomes[bizType]
    if (state === 'passed') await outcome?.passed(tx, approval.bizId)
    if (state === 'refused') await outcome?.refused(tx, approval.bizId, opinion)
    if (state !== 'running') await tellInitiator(tx, row, state, opinion)
  })
}

/** Takes a running approval back while nobody has decided yet; only its initiator may. */
export async function withdrawApproval(ctx: Context, bizType: BizType, bizId: string): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    const { schoolId, suId } = tx.actor
    const now = tx.clock.now()
    const approval = await tx.db.selectFrom('approval').select(['insId', 'startBy']).where('schoolId', '=', schoolId).where('bizType', '=', bizType).where('bizId', '=', bizId).where('insStatus', '=', '0').forUpdate().executeTakeFirst()
    if (!approval) throw new Failure('not-found')
    if (approval.startBy !== suId) throw new Failure('not-permitted')
    if ((await tasksOf(tx, approval.insId)).some((task) => task.taskStatus === '1')) throw new Failure('already-decided')
    await tx.db.updateTable('approvalTask').set({ taskStatus: '5', handleTime: now }).where('schoolId', '=', schoolId).where('insId', '=', approval.insId).where('taskStatus', '=', '0').execute()
    await tx.db.updateTable('approval').set({ insStatus: '3', endTime: now }).where('schoolId', '=', schoolId).where('insId', '=', approval.insId).execute()
  })
}

/** Who would decide a matter's steps, for the preview in the form; nothing is written. Null where no flow applies. */
export async function previewApproval(ctx: Context, wanted: FlowCase, facts: Omit<MatterFacts, 'initiatorId'>, nodes: string[]) {
  const flow = chooseFlow(await flowsFor(ctx, wanted.wfType), wanted)
  if (!flow) return { wfName: null, nodes: [] }
  const shown = []
  for (const nodeName of nodes) {
    const steps = []
    for (const rule of await stepsOf(ctx, flow.wfId, nodeName)) {
      const people = await resolveCheckers(ctx, rule, { ...facts, initiatorId: ctx.actor.suId })
      steps.push({ stepName: rule.stepName, stepType: rule.stepType, people: people.map(({ suiName }) => suiName) })
    }
    shown.push({ nodeName, steps })
  }
  return { wfName: flow.wfName, nodes: shown }
}
