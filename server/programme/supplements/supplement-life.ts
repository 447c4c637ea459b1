import { isOneOf } from '../../../contract/core/codes/code-list.ts'
import type { SupplementStatus } from '../../../contract/core/codes/programme.ts'
import { supplementStatus } from '../../../contract/core/codes/programme.ts'
import { Failure, type FailureName } from '../../../contract/core/failure.ts'
import type { Permit } from '../../../contract/core/call.ts'
import { supplementApi } from '../../../contract/programme/supplements/supplements.calls.ts'
import { supplementAction, type SupplementAction } from '../../../contract/programme/supplements/supplements.schema.ts'
import { moveRefusal, type Authority, type Move } from '../../core/request/life-cycle.ts'

/**
 * What a person is to a record. `initiator`: they started its running approval; `scope`: its student and module lie in
 * the area their role with the action's rights covers.
 */
export type Relation = 'creator' | 'initiator' | 'scope'

/** The part of a record that its life depends on. */
export interface SupplementState {
  lisStatus: string
  /** The state a deleted record was in. */
  statusBefore: string
  /** A question about it waits for its end. */
  isQuestioned: boolean
}

/** One person before one record. */
export type SupplementAuthority = Authority<Relation>

interface SupplementMoveRow extends Move<SupplementStatus, Relation> {
  /** All of them are needed; the first is that of the call. */
  permits: readonly Permit[]
  unless?: (supplement: SupplementState) => FailureName | undefined
}

const { permit: edit } = supplementApi.save
const { permit: publicise } = supplementApi.publicise
const { permit: correct } = supplementApi.correct
const enterers = ['creator', 'scope'] as const
const unquestioned = ({ isQuestioned }: SupplementState) => (isQuestioned ? 'sup-questioned' : undefined)

/**
 * A supplement record's whole life, as far as people move it. Buttons, guards and tests all read this table
 * (docs/rules.md R19 and R3).
 */
export const supplementMoves = {
  edit: {
    name: '编辑',
    from: [supplementStatus.draft, supplementStatus.refused, supplementStatus.withdrawn],
    to: null,
    permits: [edit],
    who: enterers,
  },
  submit: {
    name: '提交审批',
    from: [supplementStatus.draft, supplementStatus.refused, supplementStatus.withdrawn],
    to: supplementStatus.inReview,
    permits: [edit],
    who: enterers,
  },
  withdraw: {
    name: '撤回',
    from: [supplementStatus.inReview],
    to: supplementStatus.withdrawn,
    permits: [edit],
    who: ['initiator'],
  },
  /** Deletes what nobody has approved yet. */
  del: {
    name: '删除',
    from: [supplementStatus.draft, supplementStatus.refused, supplementStatus.withdrawn],
    to: supplementStatus.deleted,
    permits: [edit],
    who: enterers,
  },
  /** Deletes a record before its reviewers or after them: their word goes with it. */
  cancel: {
    name: '删除',
    from: [supplementStatus.inReview, supplementStatus.passed, supplementStatus.inNotice],
    to: supplementStatus.deleted,
    permits: [edit, publicise],
    who: ['scope'],
    unless: unquestioned,
  },
  publicty: {
    name: '公示',
    from: [supplementStatus.passed, supplementStatus.inNotice],
    to: supplementStatus.inNotice,
    permits: [publicise],
    who: ['scope'],
  },
  unpublicty: {
    name: '取消公示',
    from: [supplementStatus.inNotice],
    to: supplementStatus.passed,
    permits: [publicise],
    who: ['scope'],
  },
  correct: { name: '更正', from: [supplementStatus.credited], to: null, permits: [correct], who: ['scope'] },
  /** Deletes a credited record: what it gave is taken back. */
  reverse: {
    name: '冲正并删除',
    from: [supplementStatus.credited],
    to: supplementStatus.deleted,
    permits: [edit, correct],
    who: ['scope'],
    unless: unquestioned,
  },
  restore: {
    name: '恢复',
    from: [supplementStatus.deleted],
    to: null,
    permits: [edit],
    who: enterers,
    unless: ({ statusBefore }) => (statusBefore === supplementStatus.credited ? 'sup-not-restorable' : undefined),
  },
} as const satisfies Record<SupplementAction, SupplementMoveRow>

/** What approvals and the clock do to a record; each happens only from the state it names. */
export const supplementTransitions = {
  passed: { from: supplementStatus.inReview, to: supplementStatus.passed },
  refused: { from: supplementStatus.inReview, to: supplementStatus.refused },
  withdrawn: { from: supplementStatus.inReview, to: supplementStatus.withdrawn },
  terminated: { from: supplementStatus.inReview, to: supplementStatus.withdrawn },
  completed: { from: supplementStatus.inNotice, to: supplementStatus.credited },
} as const satisfies Record<string, { from: SupplementStatus; to: SupplementStatus }>

/**
 * The state a deleted record comes back in: before its reviewers it has to be put anew, and a notice has to be given
 * anew.
 */
export const restoredStatus = (statusBefore: string): SupplementStatus =>
  (
    {
      [supplementStatus.inReview]: supplementStatus.withdrawn,
      [supplementStatus.passed]: supplementStatus.passed,
      [supplementStatus.refused]: supplementStatus.refused,
      [supplementStatus.withdrawn]: supplementStatus.withdrawn,
      [supplementStatus.inNotice]: supplementStatus.passed,
    } as const
  )[statusBefore as typeof supplementStatus.inReview] ?? supplementStatus.draft

/** Which of the actions deletes a record in this state. */
export const removalOf = (lisStatus: string): 'del' | 'cancel' | 'reverse' =>
  lisStatus === supplementStatus.credited
    ? 'reverse'
    : isOneOf(lisStatus, supplementStatus.inReview, supplementStatus.passed, supplementStatus.inNotice)
      ? 'cancel'
      : 'del'

/** Why the person may not do it now; undefined when they may. */
export function refusalOf(
  act: SupplementAction,
  supplement: SupplementState,
  authority: SupplementAuthority,
): FailureName | undefined {
  const move: SupplementMoveRow = supplementMoves[act]
  return moveRefusal(move, move.permits, supplement.lisStatus, authority) ?? move.unless?.(supplement)
}

/** Refuses an action that the table does not allow. */
export function assertMove(act: SupplementAction, supplement: SupplementState, authority: SupplementAuthority): void {
  const refusal = refusalOf(act, supplement, authority)
  if (refusal) throw new Failure(refusal, { act: supplementMoves[act].name })
}

/** What the person may do to the record now, for its buttons. */
export const supplementCan = (supplement: SupplementState, authority: SupplementAuthority): SupplementAction[] =>
  supplementAction.options.filter((act) => !refusalOf(act, supplement, authority))
