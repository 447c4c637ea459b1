import { sql } from 'kysely'
import type { Checked } from '../../../contract/core/call.ts'
import type { approvalActionApi } from '../../../contract/programme/approvals/actions.calls.ts'
import { approvalStatus, taskStatus as taskStatusCodes } from '../../../contract/core/codes/programme.ts'
import { Failure } from '../../../contract/core/failure.ts'
import { audit } from '../../core/audit/audit.ts'
import { addSeconds } from '../../core/base/clock.ts'
import type { Context } from '../../core/request/context.ts'
import { from } from '../../core/database/tenant.ts'
import { inTransaction } from '../../core/request/transaction.ts'
import { addSigners, transfer } from '../../rules/workflow/actions.ts'
import { advise, delegate, openAdviceOn, recallAdvice } from '../../rules/workflow/advice.ts'
import type { Running } from '../../rules/workflow/arrange.ts'
import { assertCanDecide } from './eligibility.service.ts'
import { lockApproval, tasksOf } from './running.queries.ts'
import {
  actionOnApproval,
  recordKind,
  type ApprovalProgress,
  type BizType,
  type Held,
  type Outcomes,
} from './running.service.ts'
import { notifyNoLongerAsked, notifyReminder } from './notify.service.ts'

type CallInput<K extends keyof typeof approvalActionApi> = Checked<(typeof approvalActionApi)[K]>

/** Seconds between two reminders of one approval. */
const reminderPause = 86_400

/** Hands a task on to somebody else. */
export const transferTask = (
  ctx: Context,
  outcomes: Outcomes,
  { taskId, toSuId, opinion = '' }: CallInput<'transfer'>,
) =>
  onOwnTask(ctx, outcomes, taskId, [toSuId], '转办审批', opinion, ({ running, facts }) =>
    transfer(running, { taskId, by: ctx.actor.suId, to: toSuId, opinion }, facts),
  )

/** Asks others to decide as well. */
export const addSignersTo = (
  ctx: Context,
  outcomes: Outcomes,
  { taskId, suIds, opinion = '' }: CallInput<'addSigners'>,
) =>
  onOwnTask(ctx, outcomes, taskId, suIds, '加签', opinion, ({ running }) =>
    addSigners(running, { taskId, by: ctx.actor.suId, people: suIds }),
  )

/** Asks a colleague for an opinion; the task comes back. */
export const delegateTask = (
  ctx: Context,
  outcomes: Outcomes,
  { taskId, toSuId, opinion = '' }: CallInput<'delegate'>,
) =>
  onOwnTask(ctx, outcomes, taskId, [toSuId], '委派审批', opinion, ({ running, facts }) =>
    delegate(running, { taskId, by: ctx.actor.suId, to: toSuId, opinion }, facts),
  )

/** Says what one was asked; the task goes back to who asked. */
export const adviseOnTask = (ctx: Context, outcomes: Outcomes, { taskId, opinion }: CallInput<'advise'>) =>
  onOwnTask(ctx, outcomes, taskId, [], '答复委派', opinion, ({ running, facts }) =>
    advise(running, { taskId, by: ctx.actor.suId, opinion }, facts),
  )

/** Takes a task back from a colleague who has not answered, and tells them. */
export const recallTask = (ctx: Context, outcomes: Outcomes, { taskId }: CallInput<'recall'>) =>
  inTransaction(ctx, async (tx) => {
    const asked: string[] = []
    const { row } = await onTask(tx, outcomes, taskId, [], '收回委派', '', ({ running, facts }) => {
      const advice = openAdviceOn(running, taskId)
      if (advice) asked.push(advice.checkerId)
      return recallAdvice(running, { taskId, by: tx.actor.suId }, facts)
    })
    await notifyNoLongerAsked(tx, row, asked, `${tx.actor.suNickname}收回了委派`)
    return { affected: 1 }
  })

/**
 * An action of a checker that brings in other people: they must be in service and hold the right to decide such a
 * matter, as they must themselves.
 */
function onTask(
  ctx: Context,
  outcomes: Outcomes,
  taskId: string,
  people: string[],
  action: string,
  opinion: string,
  act: (held: Held) => Running,
): Promise<ApprovalProgress> {
  return inTransaction(ctx, async (tx) => {
    const { permits } = tx.actor
    const task = await from(tx, 'approvalTask')
      .select(['insId', 'bizType', 'stepName'])
      .where('taskId', '=', taskId)
      .executeTakeFirst()
    if (!task) throw new Failure('not-found')
    if (!permits.has(`approval:${task.bizType}`)) throw new Failure('not-permitted')
    await assertCanDecide(tx, task.bizType as BizType, people)
    const progress = await actionOnApproval(tx, outcomes, task.insId, (held) => ({ running: act(held) }), people)
    const { row } = progress
    await audit(tx, {
      action,
      bizType: recordKind(row),
      bizId: row.bizId,
      bizName: row.bizName,
      reason: opinion,
      after: { step: task.stepName, ...(people.length > 0 && { people }) },
    })
    return progress
  })
}

/** The same, answered as a call answers. */
const onOwnTask = async (...asked: Parameters<typeof onTask>) => {
  await onTask(...asked)
  return { affected: 1 }
}

/** Asks those whom an approval waits for to hurry: only its initiator may, and once a day. */
export const remindCheckers = (ctx: Context, { insId }: CallInput<'remind'>) =>
  inTransaction(ctx, async (tx) => {
    const { schoolId, suId, suNickname } = tx.actor
    const now = tx.clock.now()
    const row = await lockApproval(tx, insId)
    if (row.startBy !== suId) throw new Failure('not-found')
    if (row.insStatus !== approvalStatus.running) throw new Failure('approval-ended')
    const reminded = await tx.db
      .updateTable('approval')
      .set({ remindTime: now, remindCount: sql<number>`"remindCount" + 1` })
      .where('schoolId', '=', schoolId)
      .where('insId', '=', insId)
      .where((or) => or.or([or('remindTime', 'is', null), or('remindTime', '<=', addSeconds(now, -reminderPause))]))
      .executeTakeFirst()
    if (reminded.numUpdatedRows === 0n) {
      const { remindTime } = await from(tx, 'approval')
        .select('remindTime')
        .where('insId', '=', insId)
        .executeTakeFirstOrThrow()
      throw new Failure('reminded-already', { time: (remindTime ?? now).slice(5, 16) })
    }
    const open = (await tasksOf(tx, [insId])).filter(({ taskStatus }) => taskStatus === taskStatusCodes.pending)
    const stepName = row.steps.find(({ stepSort }) => stepSort === row.stepSort)?.stepName ?? ''
    await notifyReminder(
      tx,
      row,
      open.map(({ checkerId }) => checkerId),
      stepName,
      `${suNickname}提醒您尽快处理。`,
    )
    const names = [...new Set(open.map(({ checkerName }) => checkerName))]
    await audit(tx, {
      action: '催办审批',
      bizType: recordKind(row),
      bizId: row.bizId,
      bizName: row.bizName,
      after: { step: stepName, people: open.map(({ checkerId }) => checkerId) },
    })
    return { affected: open.length, names }
  })
