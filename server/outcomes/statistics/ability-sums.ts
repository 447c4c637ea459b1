import { wholeSchool } from '../../../contract/core/scope.ts'
import { minGroupSize } from '../../../contract/outcomes/statistics/statistics.schema.ts'
import type { Context } from '../../core/request/context.ts'
import type { EarnedFilter } from './earned.ts'
import { abilityAdder } from './earned-sums.ts'
import { eachPerson, groupsOf, peopleAsked, type PeopleAsked } from './people-asked.ts'
import type { Place } from './people-columns.ts'

/** Scores of groups of people, by ability: those who count in means. */
export interface Sums {
  /** The names of the groups that anybody is in, with how many are. */
  groups: Map<string, number>
  /** The sum of each group and ability, by both. */
  scores: Map<string, number>
  /** How many people each of these sums is of. */
  scorers: Map<string, number>
  /** How many people have a score above nothing in some ability. */
  covered: number
  /** How many of each group have a score in some ability. */
  coveredOf: Map<string, number>
}

/** Adds scores up by what a place is called. */
export function sumsBy(
  asked: PeopleAsked,
  filter: EarnedFilter,
  isCounted: (person: number) => boolean,
  nameOf: (place: Place) => string,
): Sums {
  const { places, labels } = asked.columns
  const abilities = labels.rows
  const { names, groupOf } = groupsOf(places, nameOf)
  const people = new Uint32Array(names.length)
  const scores = new Float64Array(names.length * abilities.length)
  const scorers = new Uint32Array(scores.length)
  const havingAny = new Uint32Array(names.length)
  const own = new Int32Array(abilities.length)
  const addTo = abilityAdder(asked.columns, filter)
  let covered = 0
  eachPerson(asked, (person, at) => {
    if (!isCounted(person)) return
    const group = groupOf[at]!
    people[group]!++
    addTo(person, own)
    const base = group * own.length
    let [isCovered, hasAny] = [false, false]
    for (let label = 0; label < own.length; label++) {
      const score = own[label]!
      if (score === 0) continue
      scores[base + label]! += score
      scorers[base + label]!++
      hasAny = true
      if (score > 0) isCovered = true
      own[label] = 0
    }
    if (isCovered) covered++
    if (hasAny) havingAny[group]!++
  })
  const byBoth = (of: Float64Array | Uint32Array) =>
    new Map(
      names.flatMap((name, group) =>
        abilities.map((sqlId, label) => [`${name} ${sqlId}`, of[group * abilities.length + label]!] as const),
      ),
    )
  return {
    groups: new Map(names.flatMap((name, at) => (people[at]! > 0 ? [[name, people[at]!] as const] : []))),
    scores: byBoth(scores),
    scorers: byBoth(scorers),
    covered,
    coveredOf: new Map(names.map((name, at) => [name, havingAny[at]!])),
  }
}

export const byGrade = ({ grade }: Place): string => grade ?? ''

/** How many people count in means, and what each of them has of each ability. */
export function scoresBy(asked: PeopleAsked, filter: EarnedFilter, isCounted: (person: number) => boolean) {
  const { labels, suIds } = asked.columns
  const abilities = labels.rows
  const all = abilities.map(() => new Int32Array(suIds.length))
  const own = new Int32Array(abilities.length)
  const addTo = abilityAdder(asked.columns, filter)
  let people = 0
  eachPerson(asked, (person) => {
    if (!isCounted(person)) return
    addTo(person, own)
    for (let label = 0; label < own.length; label++) {
      all[label]![people] = own[label]!
      own[label] = 0
    }
    people++
  })
  return {
    people,
    scoresOf: (sqlId: string): Int32Array =>
      all[abilities.indexOf(sqlId)]?.subarray(0, people) ?? new Int32Array(people),
  }
}

/**
 * What all who study have of each ability, in hundredths: people and sums by grade (`''` without one), and what nine of
 * ten of those who have any do not exceed, where those are not few. From what the process keeps of them.
 */
export async function abilitiesOfGrades(ctx: Context): Promise<{
  grades: Map<string, { people: number; scores: Map<string, number> }>
  high: Map<string, number>
}> {
  const asked = await peopleAsked({ ...ctx, scope: wholeSchool }, {})
  const everybody = () => true
  const { groups, scores } = sumsBy(asked, {}, everybody, byGrade)
  const { scoresOf } = scoresBy(asked, {}, everybody)
  const abilities = asked.columns.labels.rows
  const high = abilities.flatMap((sqlId) => {
    const own = scoresOf(sqlId)
      .filter((score) => score > 0)
      .toSorted()
    if (own.length < minGroupSize) return []
    // between two ranks as PostgreSQL's percentile_cont does it
    const at = 0.9 * (own.length - 1)
    const below = own[Math.floor(at)]!
    const value = below + (own[Math.ceil(at)]! - below) * (at - Math.floor(at))
    return [[sqlId, Math.ceil(Number(value.toFixed(4)))] as const]
  })
  return {
    grades: new Map(
      [...groups].map(([grade, people]) => [
        grade,
        {
          people,
          scores: new Map(
            abilities.flatMap((sqlId) => {
              const score = scores.get(`${grade} ${sqlId}`) ?? 0
              return score === 0 ? [] : [[sqlId, score] as const]
            }),
          ),
        },
      ]),
    ),
    high: new Map(high),
  }
}
