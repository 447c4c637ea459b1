import { isOneOf } from '../../../contract/core/codes/code-list.ts'
import { taskStatus as taskStatusCodes } from '../../../contract/core/codes/programme.ts'
import { flowStepType } from '../../../contract/core/codes/rules.ts'
/**
 * Where an application stands, from its steps and the votes cast: pure, so that any order of votes can be tried.
 * Step types (docs/rules.md R34): 1 any one, 2 all, 3 all in turn, 4 more than half, 5 copy, 6 automatic.
 */

/**
 * A step of a running approval with its seats, in their order. A seat is named after the person whom the step meant
 * when the approval began; whoever votes for it later (by handing on, standing in or escalation) votes for the seat.
 */
export interface RunningStep {
  stepSort: number
  stepName: string
  stepType: string
  people: readonly string[]
  /** Seats a checker added: all of them must pass as well, whatever the type says. */
  added?: readonly AddedSeat[]
}

/** A seat added by a checker: it counts from the round `since` on, and from the round `removedIn` on no longer. */
export interface AddedSeat {
  seatId: string
  since: number
  /** Who added it; earlier versions of the program did not keep that. */
  by?: string | undefined
  removedIn?: number | undefined
}

/** The seats that checkers have added to a step and that count in a round. */
export const addedSeats = ({ added = [] }: Pick<RunningStep, 'added'>, round: number): AddedSeat[] =>
  added.filter(({ since, removedIn }) => since <= round && (removedIn === undefined || round < removedIn))

/** A vote: `1` passed, `2` refused, `6` passed by the system. Other task states are no votes. */
export interface Vote {
  stepSort: number
  seatId: string
  taskStatus: string
  /** Counts how often the application had gone back when the vote was cast; 1 at first. */
  round?: number
  /** The step a refusal sends the application back to; the initiator when left out. */
  backTo?: number | null
}

export interface StepProgress {
  state: 'running' | 'passed' | 'refused'
  /** The step that decides next, or the one that ended it. */
  stepSort: number
  /** Seats that may vote now. */
  awaited: string[]
  /** The round in which each step counts, by `stepSort`. */
  rounds: ReadonlyMap<number, number>
}

/**
 * Walks the steps in order: the first one that is not passed says where the application stands. A refusal that sends it
 * back to an earlier step opens that step and all after it anew: their votes so far count no longer.
 */
export function progress(steps: readonly RunningStep[], votes: readonly Vote[]): StepProgress {
  const ordered = steps.toSorted((a, b) => a.stepSort - b.stepSort)
  const rounds = new Map(ordered.map(({ stepSort }) => [stepSort, 1]))
  let round = 1
  for (let at = 0; at < ordered.length;) {
    const step = ordered[at]!
    const { verdict, awaited, backTo } = stepVerdict(step, votes, rounds.get(step.stepSort))
    if (verdict === 'open') return { state: 'running', stepSort: step.stepSort, awaited, rounds }
    if (verdict === 'passed') {
      at++
      continue
    }
    const target = backTo === null ? -1 : ordered.findIndex(({ stepSort }) => stepSort === backTo)
    if (target < 0 || target > at) return { state: 'refused', stepSort: step.stepSort, awaited: [], rounds }
    round++
    for (const later of ordered.slice(target)) rounds.set(later.stepSort, round)
    at = target
  }
  return { state: 'passed', stepSort: ordered.at(-1)?.stepSort ?? 0, awaited: [], rounds }
}

export interface Verdict {
  verdict: 'passed' | 'refused' | 'open'
  awaited: string[]
  /** Where a refusal leads; null is the initiator. Of several refusals the one that leads back furthest counts. */
  backTo: number | null
}

/**
 * How one step stands in one round. A step without seats waits for nobody and is open until the caller says what then.
 */
export function stepVerdict(step: RunningStep, votes: readonly Vote[], round = 1): Verdict {
  const cast = votes.filter(
    (vote) =>
      vote.stepSort === step.stepSort &&
      (vote.round ?? 1) === round &&
      isOneOf(vote.taskStatus, taskStatusCodes.passed, taskStatusCodes.refused, taskStatusCodes.autoPassed),
  )
  const hasRefused = new Set(
    cast.filter(({ taskStatus }) => taskStatus === taskStatusCodes.refused).map(({ seatId }) => seatId),
  )
  const hasPassed = new Set(cast.map(({ seatId }) => seatId).filter((seat) => !hasRefused.has(seat)))
  const added = addedSeats(step, round)
    .map(({ seatId }) => seatId)
    .filter((seatId) => !step.people.includes(seatId))
  const silent = (seats: readonly string[]) => seats.filter((seat) => !hasPassed.has(seat) && !hasRefused.has(seat))
  const own = ownVerdict(step, hasPassed, hasRefused, silent(step.people))
  if (own.verdict === 'refused' || added.some((seat) => hasRefused.has(seat)))
    return { verdict: 'refused', awaited: [], backTo: backOf([...step.people, ...added], cast) }
  const wanted = step.stepType === flowStepType.copy || step.stepType === flowStepType.autoPass ? [] : silent(added)
  if (own.verdict === 'passed' && wanted.length === 0) return { verdict: 'passed', awaited: [], backTo: null }
  return { verdict: 'open', awaited: [...wanted, ...own.awaited], backTo: null }
}

type Own = { verdict: Verdict['verdict']; awaited: string[] }
const passed: Own = { verdict: 'passed', awaited: [] }
const refused: Own = { verdict: 'refused', awaited: [] }
const open = (awaited: string[]): Own => ({ verdict: 'open', awaited })

/** What the seats of the step itself say, without those added to it. */
function ownVerdict(
  { stepType, people }: RunningStep,
  hasPassed: ReadonlySet<string>,
  hasRefused: ReadonlySet<string>,
  silent: string[],
): Own {
  const passes = people.filter((seat) => hasPassed.has(seat)).length
  const isRefused = people.some((seat) => hasRefused.has(seat))
  switch (stepType) {
    case flowStepType.copy:
    case flowStepType.autoPass:
      return passed
    case flowStepType.vote: {
      if (passes * 2 > people.length) return passed
      return people.length > 0 && (passes + silent.length) * 2 <= people.length ? refused : open(silent)
    }
    case flowStepType.inTurn:
      if (isRefused) return refused
      return silent.length === 0 && passes > 0 ? passed : open(silent.slice(0, 1))
    case flowStepType.everyone:
      if (isRefused) return refused
      return silent.length === 0 && passes > 0 ? passed : open(silent)
    default:
      if (isRefused) return refused
      return passes > 0 ? passed : open(silent)
  }
}

/** The furthest place that the refusals of a step lead back to. */
function backOf(seats: readonly string[], cast: readonly Vote[]): number | null {
  const targets = cast
    .filter(({ taskStatus, seatId }) => taskStatus === taskStatusCodes.refused && seats.includes(seatId))
    .map(({ backTo }) => backTo ?? null)
  return targets.length === 0 || targets.includes(null) ? null : Math.min(...(targets as number[]))
}
