import { takeBackSeconds } from '../../../contract/programme/approvals/actions.calls.ts'
import { approvalStatus, taskStatus as taskStatusCodes } from '../../../contract/core/codes/programme.ts'
import { Failure } from '../../../contract/core/failure.ts'
import { audit } from '../../core/audit/audit.ts'
import { addSeconds } from '../../core/base/clock.ts'
import type { Context } from '../../core/request/context.ts'
import { from } from '../../core/database/tenant.ts'
import { inTransaction } from '../../core/request/transaction.ts'
import { beforeVote, takeBack, type BeforeVote } from '../../rules/workflow/actions.ts'
import {
  actionOnApproval,
  recordKind,
  type BizType,
  type Held,
  type Outcomes,
  type ApprovalProgress,
} from './running.service.ts'
import { engineStep, initiatorOf } from './running.queries.ts'
import { notifyTakenBack } from './notify.service.ts'

/** The way back from the last decision on an approval, as long as `version` is still the approval's own. */
interface WayBack {
  taskId: string
  at: string
  until: string
  version: number
  before: BeforeVote
}

/** Keeps how the approval stood before the decision just made. @returns until when it may be taken back */
export async function keepWayBack(
  { db, actor, clock, origin }: Context,
  { row, tasks }: Held,
  taskId: string,
): Promise<string> {
  const now = clock.now()
  const until = origin.undoUntil ?? addSeconds(now, takeBackSeconds)
  const before = beforeVote({
    insStatus: row.insStatus,
    stepSort: row.stepSort,
    initiatorId: initiatorOf(row),
    steps: row.steps.map(engineStep),
    tasks,
  })
  const { version } = await from({ db, actor }, 'approval')
    .select('version')
    .where('insId', '=', row.insId)
    .executeTakeFirstOrThrow()
  const way: WayBack = { taskId, at: now, until, version, before }
  await db
    .updateTable('approval')
    .set({ undo: JSON.stringify(way) })
    .where('schoolId', '=', actor.schoolId)
    .where('insId', '=', row.insId)
    .execute()
  return until
}

/**
 * Takes one's own decision back within seconds: whoever was asked because of it is asked no longer, and what the end of
 * the approval meant for its matter is undone. Refused once anything else has happened to the approval or to the
 * matter.
 */
export const takeDecisionBack = (ctx: Context, outcomes: Outcomes, taskId: string): Promise<void> =>
  inTransaction(ctx, async (tx) => {
    const { schoolId, suId, permits } = tx.actor
    const task = await from(tx, 'approvalTask')
      .select(['insId', 'bizType', 'stepName'])
      .where('taskId', '=', taskId)
      .where('checkerId', '=', suId)
      .executeTakeFirst()
    if (!task) throw new Failure('not-found')
    if (!permits.has(`approval:${task.bizType}`)) throw new Failure('not-permitted')
    const approvalProgress = await actionOnApproval(tx, {}, task.insId, async ({ row, running }, held) => {
      const way = await wayBackOf(held, row.insId, taskId)
      if (running.insStatus !== approvalStatus.running) {
        const outcome = outcomes[row.bizType as BizType]
        if (!outcome?.reopened) throw late()
        await outcome.reopened(
          held,
          row.bizId,
          running.insStatus === approvalStatus.passed ? 'passed' : 'refused',
          way.at,
        )
      }
      return { running: takeBack(running, way.before) }
    })
    await tx.db
      .updateTable('approval')
      .set({ undo: null })
      .where('schoolId', '=', schoolId)
      .where('insId', '=', task.insId)
      .execute()
    await notifyTakenBack(
      tx,
      approvalProgress.row,
      noLongerAsked(approvalProgress),
      approvalProgress.row.insStatus !== approvalStatus.running,
    )
    await audit(tx, {
      action: '撤销审批决定',
      bizType: recordKind(approvalProgress.row),
      bizId: approvalProgress.row.bizId,
      bizName: approvalProgress.row.bizName,
      after: { step: task.stepName },
    })
  })

const late = () => new Failure('take-back-late', { n: takeBackSeconds })

async function wayBackOf({ db, actor, clock }: Context, insId: string, taskId: string): Promise<WayBack> {
  const { undo, version } = await from({ db, actor }, 'approval')
    .select(['undo', 'version'])
    .where('insId', '=', insId)
    .executeTakeFirstOrThrow()
  const way = undo as unknown as WayBack | null
  if (!way || way.taskId !== taskId || way.version !== version || clock.now() > way.until) throw late()
  return way
}

/** Those who had been asked by the decision. */
const noLongerAsked = ({ tasks, running }: ApprovalProgress): string[] =>
  tasks
    .filter(
      ({ taskId, taskStatus }) =>
        taskStatus === taskStatusCodes.pending &&
        running.tasks.some((one) => one.taskId === taskId && one.taskStatus === taskStatusCodes.withdrawn),
    )
    .map(({ checkerId }) => checkerId)
