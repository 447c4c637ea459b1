import { flowCheckerType, flowStepType } from '../../../contract/core/codes/rules.ts'
/** Who would be asked at each step of a matter, before anything is started: pure. */

/** A step with the people its rule means today, the initiator among them if it means them. */
export interface FoundStep {
  stepType: string
  wfsCheckerType: string
  noApproverPolicy: string
  /** Whole hundredths; the step is asked only when more credit is given. */
  minCredit: number | null
  people: readonly string[]
}

/**
 * ask: people decide; self: the initiator is among them, and their place passes by itself; later: named by whoever
 * passes the step before; copy, auto: nobody decides; admin: nobody was found, so the administrators decide; skip: left
 * out; unasked: too little credit; block: nobody was found.
 */
export type Fate = 'ask' | 'self' | 'later' | 'copy' | 'auto' | 'admin' | 'skip' | 'unasked' | 'block'

export interface PlannedStep {
  fate: Fate
  /** Who is asked; the initiator among them only where their place passes by itself. */
  people: string[]
}

interface PlanCase {
  initiatorId: string
  /**
   * Whether an initiator's own place passes by itself (docs/rules.md R36); never at the last step that people decide.
   */
  selfPass: boolean
  /** Whole hundredths; left out where not known: then every step is asked. */
  credit?: number | undefined
  /** Who decides where nobody is found. */
  admins: readonly string[]
}

const decides = ({ stepType }: FoundStep): boolean =>
  stepType !== flowStepType.copy && stepType !== flowStepType.autoPass

/** What becomes of each step of a stage. */
export function planSteps(
  steps: readonly FoundStep[],
  { initiatorId, selfPass, credit, admins }: PlanCase,
): PlannedStep[] {
  const others = (people: readonly string[]) => people.filter((person) => person !== initiatorId)
  const isAsked = ({ minCredit }: FoundStep) => minCredit === null || credit === undefined || credit > minCredit
  const isManned = (step: FoundStep) =>
    others(step.people).length > 0 ||
    step.wfsCheckerType === flowCheckerType.namedByLastStep ||
    step.noApproverPolicy !== 'skip'
  const last = steps.findLastIndex((step) => isAsked(step) && decides(step) && isManned(step))
  let hasDecider = false
  return steps.map((step, at): PlannedStep => {
    if (!isAsked(step)) return { fate: 'unasked', people: [] }
    if (step.stepType === flowStepType.autoPass) return { fate: 'auto', people: [] }
    if (step.stepType === flowStepType.copy) return { fate: 'copy', people: others(step.people) }
    const isSelf = selfPass && at < last && step.people.includes(initiatorId)
    const people = isSelf ? [...step.people] : others(step.people)
    const planned =
      step.wfsCheckerType === flowCheckerType.namedByLastStep && hasDecider
        ? { fate: 'later' as const, people: [] }
        : people.length > 0
          ? { fate: isSelf ? ('self' as const) : ('ask' as const), people }
          : nobody(step, others(admins))
    if (planned.fate !== 'skip') hasDecider = true
    return planned
  })
}

function nobody({ noApproverPolicy }: FoundStep, admins: string[]): PlannedStep {
  if (noApproverPolicy === 'skip') return { fate: 'skip', people: [] }
  return noApproverPolicy === 'admin' && admins.length > 0
    ? { fate: 'admin', people: admins }
    : { fate: 'block', people: [] }
}
