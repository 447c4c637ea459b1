import { isOneOf } from '../../../contract/core/codes/code-list.ts'
import { taskStatus } from '../../../contract/core/codes/programme.ts'
import { quoted } from '../../../contract/core/quotes.ts'
import { hasDecided, type PersonOfStep } from '../../../contract/programme/approvals/people-of-step.ts'
import type { SupplementDetail } from '../../../contract/programme/supplements/supplements.schema.ts'
import { fewNames } from '../../../contract/core/few-names.ts'
import type { Step } from '../parts/pieces.tsx'

const approvalStates = {
  passed: 'passed',
  refused: 'failed',
  waiting: 'now',
  coming: 'ahead',
  skipped: 'ended',
  withdrawn: 'ended',
} as const

/**
 * The steps of one approval: once a step is over, who decided and what they wrote; before that also for whom it waits.
 */
export const approvalSteps = ({ steps }: Pick<SupplementDetail['flows'][number], 'steps'>): Step[] =>
  steps.map(({ stepName, state, people }) => {
    const deciders = people.filter(hasDecided)
    const decided = deciders.map(({ checkerName, opinion, handleTime }) =>
      [checkerName, handleTime?.slice(5, 16), opinion && quoted(opinion)].filter(Boolean).join(' '),
    )
    const isOpen = state === 'waiting' || state === 'coming'
    // whoever got an opinion they asked for is there twice
    const awaited = new Map(isOpen ? people.filter(isAwaited).map((one) => [one.checkerId, one.checkerName]) : [])
    for (const { checkerId } of deciders) awaited.delete(checkerId)
    return {
      name: stepName,
      state: approvalStates[state],
      note: [...decided, fewNames([...awaited.values()])].filter(Boolean).join('；'),
    }
  })

/** Whoever handed it on is not waited for, nor whoever is not needed any more. */
const isAwaited = ({ taskStatus: status }: PersonOfStep) =>
  isOneOf(status, '', taskStatus.pending, taskStatus.delegated)
