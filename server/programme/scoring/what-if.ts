import { creditType } from '../../../contract/core/codes/programme.ts'
import { entriesFor, type Entitlement, type Rated, type RatedRule } from '../credits/rules.ts'

/** What changing a rule would have moved: pure. Amounts in whole hundredths. */

/** Records of one student that are rated alike, and how many of them there are. */
export interface RatedGroup {
  suId: string
  times: number
  rated: Omit<Rated, 'rule'>
  /** The course gave just the hours of its version, so it would have given those of the draft. */
  isStandard: boolean
  /** The version they were rated by. */
  rule: RatedRule
}

export interface Shift extends Entitlement {
  suId: string
  times: number
}

interface Shifts {
  people: Shift[]
  /** What all students together have of each ability, before and after. */
  abilities: Map<string, { before: number; after: number }>
}

/**
 * The change of each student's totals if their records had been rated by `draft`, whose courses give `baseHours`. Equal
 * cases are calculated once.
 */
export function shiftsUnder(groups: readonly RatedGroup[], draft: RatedRule, baseHours: number): Shifts {
  const known = new Map<string, Worth>()
  const worth = (rated: Omit<Rated, 'rule'>, rule: RatedRule): Worth => {
    const key = JSON.stringify([rated, rule.versionNo])
    const found = known.get(key) ?? worthOf({ ...rated, rule })
    known.set(key, found)
    return found
  }
  const people = new Map<string, Shift>()
  const abilities = new Map<string, { before: number; after: number }>()
  for (const { suId, times, rated, isStandard, rule } of groups) {
    const [before, after] = [
      worth(rated, rule),
      worth(isStandard ? { ...rated, declaredHours: baseHours } : rated, { ...draft, versionNo: 0 }),
    ]
    const sum = people.get(suId) ?? { suId, times: 0, hours: 0, credit: 0, points: 0 }
    people.set(suId, {
      suId,
      times: sum.times + times,
      hours: sum.hours + times * (after.hours - before.hours),
      credit: sum.credit + times * (after.credit - before.credit),
      points: sum.points + times * (after.points - before.points),
    })
    for (const sqlId of new Set([...before.abilities.keys(), ...after.abilities.keys()])) {
      const all = abilities.get(sqlId) ?? { before: 0, after: 0 }
      abilities.set(sqlId, {
        before: all.before + times * (before.abilities.get(sqlId) ?? 0),
        after: all.after + times * (after.abilities.get(sqlId) ?? 0),
      })
    }
  }
  return { people: [...people.values()], abilities }
}

interface Worth extends Entitlement {
  abilities: Map<string, number>
}

function worthOf(rated: Rated): Worth {
  const entries = entriesFor(rated)
  const of = (clType: string) => entries.find((entry) => entry.clType === clType)?.value ?? 0
  return {
    hours: of(creditType.hours),
    credit: of(creditType.credit),
    points: of(creditType.points),
    abilities: new Map(entries.flatMap(({ sqlId, value }) => (sqlId === null ? [] : [[sqlId, value] as const]))),
  }
}
