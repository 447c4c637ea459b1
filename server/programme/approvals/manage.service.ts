import type { Checked } from '../../../contract/core/call.ts'
import { taskStatus as taskStatusCodes } from '../../../contract/core/codes/programme.ts'
import { Failure } from '../../../contract/core/failure.ts'
import { approvalActionApi } from '../../../contract/programme/approvals/actions.calls.ts'
import { audit } from '../../core/audit/audit.ts'
import type { Actor, Context } from '../../core/request/context.ts'
import { scopeIncludes } from '../../core/request/scope-check.ts'
import { inTransaction } from '../../core/request/transaction.ts'
import { removeSigner, terminate } from '../../rules/workflow/actions.ts'
import type { SubjectFacts } from '../../rules/workflow/checkers.service.ts'
import { notifyNoLongerAsked, notifyTerminated } from './notify.service.ts'
import { actionOnApproval, recordKind, type ApprovalProgress, type BizType, type Outcomes } from './running.service.ts'

type CallInput<K extends keyof typeof approvalActionApi> = Checked<(typeof approvalActionApi)[K]>

const { permit: manage } = approvalActionApi.terminate

interface ManagedApproval {
  bizType: string
  facts: Partial<SubjectFacts>
}

/**
 * Whether a person may do what managers of approvals do: they hold the right for the place where the matter lies, and
 * it does not concern them.
 */
export const managesApproval = (actor: Actor, approval: ManagedApproval): boolean =>
  coversApproval(actor, approval) && !concerns(approval, actor)

const concerns = ({ facts }: ManagedApproval, { suId }: Actor): boolean => facts.barred?.includes(suId) ?? false

function coversApproval({ permits, scopeFor }: Actor, { bizType, facts }: ManagedApproval): boolean {
  if (!permits.has(manage)) return false
  const { collegeId = null, departmentId = null, classId = null, lsPath = [] } = facts
  const isCourse = bizType === 'publish' || bizType === 'result'
  return scopeIncludes(scopeFor(manage), {
    college: collegeId,
    department: departmentId,
    path: lsPath,
    // a student’s record lies in a class, a major and a grade too; the approval keeps only the class
    ...(!isCourse && { class: classId, major: null, grade: null }),
  })
}

/** Takes a signer who was added and has not decided off again, and tells those who had been asked. */
export const removeSignerFrom = (
  ctx: Context,
  outcomes: Outcomes,
  { insId, suId, opinion = '' }: CallInput<'removeSigner'>,
) =>
  inTransaction(ctx, async (tx) => {
    const { actor } = tx
    const ended = await actionOnApproval(tx, outcomes, insId, ({ row, running }) => {
      const isManager = managesApproval(actor, row)
      if (!isManager && !actor.permits.has(`approval:${row.bizType as BizType}`)) throw new Failure('not-permitted')
      return { running: removeSigner(running, { seatId: suId, by: isManager ? null : actor.suId, opinion }) }
    })
    const { row } = ended
    await notifyNoLongerAsked(tx, row, noLongerAsked(ended, taskStatusCodes.withdrawn), '审批人进行了减签')
    await audit(tx, {
      action: approvalActionApi.removeSigner.summary,
      bizType: recordKind(row),
      bizId: row.bizId,
      bizName: row.bizName,
      reason: opinion,
      after: { people: [suId] },
    })
    return { affected: 1 }
  })

/**
 * Ends a running approval without a decision, for a reason: what was open lapses, and the record goes back to where its
 * owner can mend or remove it. Refused once it has been decided.
 */
export const terminateApproval = (ctx: Context, outcomes: Outcomes, { insId, reason }: CallInput<'terminate'>) =>
  inTransaction(ctx, async (tx) => {
    const { actor } = tx
    const ended = await actionOnApproval(tx, outcomes, insId, ({ row, running }) => {
      if (!coversApproval(actor, row)) throw new Failure('not-found')
      if (concerns(row, actor)) throw new Failure('approval-concerns-you')
      return { running: terminate(running) }
    })
    const { row } = ended
    await tx.db
      .updateTable('approval')
      .set({ endName: actor.suNickname, endReason: reason })
      .where('schoolId', '=', actor.schoolId)
      .where('insId', '=', insId)
      .execute()
    await outcomes[row.bizType as BizType]?.terminated(tx, row.bizId, reason)
    await notifyTerminated(tx, row, reason)
    await notifyNoLongerAsked(tx, row, noLongerAsked(ended, taskStatusCodes.lapsed), '管理员终止了审批')
    await audit(tx, {
      action: approvalActionApi.terminate.summary,
      bizType: recordKind(row),
      bizId: row.bizId,
      bizName: row.bizName,
      reason,
      after: { step: ended.stepName, state: ended.state },
    })
    return { affected: 1 }
  })

/** Those whose open tasks have come to this state. */
const noLongerAsked = ({ tasks, running }: ApprovalProgress, status: string): string[] =>
  tasks
    .filter(
      ({ taskId, taskStatus }) =>
        taskStatus === taskStatusCodes.pending &&
        running.tasks.some((one) => one.taskId === taskId && one.taskStatus === status),
    )
    .map(({ checkerId }) => checkerId)
