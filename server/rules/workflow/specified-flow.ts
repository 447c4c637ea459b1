import type { Checked } from '../../../contract/core/call.ts'
import { checkersOf, listsOfRanges } from '../../../contract/rules/workflow/specified-forms.ts'
import type { workflowApi } from '../../../contract/rules/workflow/workflow.calls.ts'

type SavedFlow = Checked<typeof workflowApi.save>

/** A flow's form with its ranges and checkers as lists of ids, in whichever form they were told (decision 034). */
export function withIdLists({ ranges, steps, ...form }: SavedFlow) {
  return { ...form, ...(ranges && listsOfRanges(ranges)), steps: steps.map(withCheckers) }
}

/** A step with its checkers as a list of ids. */
export function withCheckers({ details, checkers, ...step }: SavedFlow['steps'][number]) {
  return { ...step, checkers: checkersOf({ checkers, details }) }
}
