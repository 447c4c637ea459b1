/**
 * Where an application stands, from its steps and the votes cast: pure, so that any order of votes can be tried.
 * Step types (DOMAIN 2.7): 1 any one, 2 all, 3 all in turn, 4 more than half, 5 copy, 6 automatic.
 */

/** A step of a running approval, with the people who decide it, in their order. */
export interface RunningStep {
  stepSort: number
  stepName: string
  stepType: string
  people: readonly string[]
}

/** A vote: `1` passed, `2` refused, `6` passed by the system. Other task states are no votes. */
export interface Vote {
  stepSort: number
  checkerId: string
  taskStatus: string
}

export interface Standing {
  state: 'running' | 'passed' | 'refused'
  /** The step that decides next, or the one that ended it. */
  stepSort: number
  /** Who may vote now. */
  awaited: string[]
}

/** Walks the steps in order: the first one that is not passed says where the application stands. */
export function progress(steps: readonly RunningStep[], votes: readonly Vote[]): Standing {
  const ordered = steps.toSorted((a, b) => a.stepSort - b.stepSort)
  for (const step of ordered) {
    const { verdict, awaited } = stepVerdict(step, votes)
    if (verdict === 'refused') return { state: 'refused', stepSort: step.stepSort, awaited: [] }
    if (verdict === 'open') return { state: 'running', stepSort: step.stepSort, awaited }
  }
  return { state: 'passed', stepSort: ordered.at(-1)?.stepSort ?? 0, awaited: [] }
}

/** How one step stands. A step without people waits for nobody and is open until the caller says what then. */
export function stepVerdict(step: RunningStep, votes: readonly Vote[]): { verdict: 'passed' | 'refused' | 'open'; awaited: string[] } {
  const open = { verdict: 'open' as const }
  const cast = new Map(votes.filter((vote) => vote.stepSort === step.stepSort).map((vote) => [vote.checkerId, vote.taskStatus]))
  const passed = step.people.filter((person) => cast.get(person) === '1' || cast.get(person) === '6')
  const refused = step.people.filter((person) => cast.get(person) === '2')
  const silent = step.people.filter((person) => !passed.includes(person) && !refused.includes(person))
  switch (step.stepType) {
    case '5':
    case '6':
      return { verdict: 'passed', awaited: [] }
    case '4': {
      if (passed.length * 2 > step.people.length) return { verdict: 'passed', awaited: [] }
      const lost = step.people.length > 0 && (passed.length + silent.length) * 2 <= step.people.length
      return lost ? { verdict: 'refused', awaited: [] } : { ...open, awaited: silent }
    }
    case '3':
      if (refused.length > 0) return { verdict: 'refused', awaited: [] }
      return silent.length === 0 && passed.length > 0 ? { verdict: 'passed', awaited: [] } : { ...open, awaited: silent.slice(0, 1) }
    case '2':
      if (refused.length > 0) return { verdict: 'refused', awaited: [] }
      return silent.length === 0 && passed.length > 0 ? { verdict: 'passed', awaited: [] } : { ...open, awaited: silent }
    default:
      if (refused.length > 0) return { verdict: 'refused', awaited: [] }
      return passed.length > 0 ? { verdict: 'passed', awaited: [] } : { ...open, awaited: silent }
  }
}
