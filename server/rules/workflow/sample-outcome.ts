import { chooseFlow, type FlowCase, type FlowRange } from './choose-flow.ts'

/** A step that a case leads to: what it is and whom it means, not who that is today, so that people may come and go. */
export interface OutcomeStep {
  nodeName: string
  stepName: string
  stepType: string
  wfsCheckerType: string
  checkers: string[]
}

/** Where a case leads: the flow, null where none applies, and the steps that would be asked. */
export interface Outcome {
  wfId: string | null
  steps: OutcomeStep[]
}

/** A step as far as an outcome tells of it. Credit in whole hundredths. */
interface AnyStep {
  wfsNodeName: string
  wfsStepName: string
  wfsStepType: string
  wfsCheckerType: string
  checkers: readonly string[]
  minCredit?: number | null | undefined
}

/** A flow as it stands in the editor; its `wfId` is empty while it is new. */
export interface DraftFlow extends FlowRange {
  steps: readonly AnyStep[]
}

/** Where a case leads: pure. A draft takes the place of the stored flow with its id. */
export function outcomeOf(
  wanted: FlowCase,
  flows: readonly FlowRange[],
  steps: readonly (AnyStep & { wfId: string })[],
  draft?: DraftFlow,
): Outcome {
  const flow = chooseFlow(draft ? [...flows.filter(({ wfId }) => wfId !== draft.wfId), draft] : flows, wanted)
  if (!flow) return { wfId: null, steps: [] }
  const own: readonly AnyStep[] = flow === draft ? draft.steps : steps.filter(({ wfId }) => wfId === flow.wfId)
  const asked = own.filter(
    ({ minCredit }) =>
      minCredit === null || minCredit === undefined || wanted.credit === undefined || wanted.credit > minCredit,
  )
  return {
    wfId: flow.wfId,
    steps: asked.map(({ wfsNodeName, wfsStepName, wfsStepType, wfsCheckerType, checkers }) => ({
      nodeName: wfsNodeName,
      stepName: wfsStepName,
      stepType: wfsStepType,
      wfsCheckerType,
      checkers: checkers.toSorted(),
    })),
  }
}

export const sameOutcome = (a: Outcome, b: Outcome): boolean =>
  a.wfId === b.wfId && a.steps.length === b.steps.length && a.steps.every((step, at) => sameStep(step, b.steps[at]!))

const sameStep = (a: OutcomeStep, b: OutcomeStep): boolean =>
  a.nodeName === b.nodeName &&
  a.stepName === b.stepName &&
  a.stepType === b.stepType &&
  a.wfsCheckerType === b.wfsCheckerType &&
  a.checkers.join() === b.checkers.join()
