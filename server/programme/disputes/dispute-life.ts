import type { Permit } from '../../../contract/core/call.ts'
import { valuesOf } from '../../../contract/core/dictionary.ts'
import { lessonStatus, questionStatus, type QuestionStatus } from '../../../contract/core/codes/programme.ts'
import { Failure, type FailureName } from '../../../contract/core/failure.ts'
import { disputeApi } from '../../../contract/programme/disputes/disputes.calls.ts'
import { disputeAction, type DisputeAction } from '../../../contract/programme/disputes/disputes.schema.ts'
import { moveRefusal, type Authority, type Move } from '../../core/request/life-cycle.ts'

/**
 * What a person is to a dispute. `creator`: they entered it for the reporter; `principal`: they are responsible for its
 * course; `initiator`: they started its running approval; `scope`: its course or supplement record lies in the area
 * their role with the action's right covers.
 */
export type Relation = 'creator' | 'principal' | 'initiator' | 'scope'

/** The part of a dispute that its life depends on. */
interface DisputeState {
  qStatus: string
  qOutcome: string | null
  /**
   * Its approval runs. Otherwise, where the course leaves it to the principal or the flow asks nobody, whoever handles
   * disputes decides.
   */
  approving: boolean
  /** Empty where it is about a supplement record. */
  liStatus: string
  lisId: string | null
}

/** One person before one dispute. */
export interface DisputeAuthority extends Authority<Relation> {
  /** They asked it, it is about them, about the course they are responsible for or the false record they entered. */
  concerned: boolean
}

interface DisputeMoveRow extends Move<QuestionStatus, Relation> {
  permit: Permit
  unless?: (dispute: DisputeState, authority: DisputeAuthority) => FailureName | undefined
}

const { permit: handle } = disputeApi.accept
const { permit: enter } = disputeApi.withdraw
const handlers = ['principal', 'scope'] as const
const waiting = [questionStatus.pending, questionStatus.overdue] as const
const settled = ({ qOutcome }: DisputeState) => (qOutcome === null ? undefined : 'wrong-state')

/** A dispute's whole life, as far as people move it. Buttons, guards and tests all read this table. */
export const disputeMoves = {
  accept: { name: '受理', from: waiting, to: questionStatus.inReview, permit: handle, who: handlers },
  decline: { name: '不予受理', from: waiting, to: questionStatus.rejected, permit: handle, who: handlers },
  /** Upheld or not: that is what the decision says. */
  decide: { name: '认定', from: [questionStatus.inReview], to: null, permit: handle, who: handlers },
  settle: {
    name: '处理',
    from: [questionStatus.upheld],
    to: null,
    permit: handle,
    who: handlers,
    unless: settled,
  },
  abnormal: {
    name: '按异常结项处理',
    from: [questionStatus.upheld],
    to: null,
    permit: disputeApi.abnormal.permit,
    who: ['scope'],
    // a supplement record is one student's: it is taken out or corrected
    unless: (dispute) =>
      settled(dispute) ?? (dispute.lisId || dispute.liStatus === lessonStatus.abnormal ? 'wrong-state' : undefined),
  },
  /** While its approval runs, only whoever started that takes it back. */
  withdraw: {
    name: '撤回',
    from: [...waiting, questionStatus.inReview],
    to: questionStatus.withdrawn,
    permit: enter,
    who: ['creator', 'initiator', 'scope'],
    unless: ({ approving }, { relations }) => (approving && !relations.has('initiator') ? 'wrong-state' : undefined),
  },
  reporter: {
    name: '查看质疑人',
    from: valuesOf('question_status'),
    to: null,
    permit: disputeApi.reporter.permit,
    who: ['scope'],
  },
} as const satisfies Record<DisputeAction, DisputeMoveRow>

/**
 * Why the person may not do it now; undefined when they may. Nobody has a hand in what concerns themselves, but for
 * taking it back, and nobody decides beside a running approval.
 */
export function refusalOf(
  act: DisputeAction,
  dispute: DisputeState,
  authority: DisputeAuthority,
): FailureName | undefined {
  if (authority.concerned && act !== 'withdraw') return 'question-concerned'
  if (act === 'decide' && dispute.approving) return 'question-by-approval'
  const move: DisputeMoveRow = disputeMoves[act]
  return moveRefusal(move, [move.permit], dispute.qStatus, authority) ?? move.unless?.(dispute, authority)
}

/** Refuses an action that the table does not allow. */
export function assertMove(act: DisputeAction, dispute: DisputeState, authority: DisputeAuthority): void {
  const refusal = refusalOf(act, dispute, authority)
  if (refusal) throw new Failure(refusal, { act: disputeMoves[act].name, what: dispute.lisId ? '补录' : '课程' })
}

/** What the person may do to the dispute now, for its buttons. */
export const disputeCan = (dispute: DisputeState, authority: DisputeAuthority): DisputeAction[] =>
  disputeAction.options.filter((act) => !refusalOf(act, dispute, authority))
