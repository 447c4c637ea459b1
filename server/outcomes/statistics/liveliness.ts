import type { SchoolSettings } from '../../../contract/school/school/settings.ts'
import { round } from '../../../contract/outcomes/statistics/change.ts'

/**
 * What the liveliness of something is calculated from: how much was held (`count`), who was there, of whom, and what
 * they thought of it.
 */
export interface Measured {
  count: number
  /** Times somebody was there, of those (`passed`) who had a place. */
  signed: number
  passed: number
  /** Stars given in all, and how many gave any. */
  stars: number
  starTimes: number
  /** Times a member could have been there, and was. */
  members?: number
  membersSigned?: number
}

type Weights = Record<'count' | 'people' | 'sign' | 'rating', number>

/** The weights of a school for courses and colleges, and for circles; each adds up to a hundred. */
export const lessonWeights = ({
  lessonByCount: count,
  lessonByPeople: people,
  lessonBySign: sign,
  lessonByRating: rating,
}: SchoolSettings): Weights => ({ count, people, sign, rating })
export const circleWeights = ({
  circleByCount: count,
  circleByPeople: people,
  circleBySign: sign,
  circleByRating: rating,
  circleByMembers: members,
}: SchoolSettings): Weights & { members: number } => ({ count, people, sign, rating, members })

const share = (part: number, whole: number): number => (whole === 0 ? 0 : part / whole)

/**
 * Scores of up to a hundred points, the liveliest first; who has as many points shares the rank. Amounts are measured
 * by the largest among the rows, rates and stars by what is possible; the parts add up to the score.
 * @param first how many of them are wanted
 */
export function byLiveliness<R extends Measured, W extends Weights>(
  rows: readonly R[],
  weights: W,
  keyOf: (row: R) => string,
  first = rows.length,
): (R & { rank: number; score: number; parts: W; weights: W })[] {
  const highest = { count: 0, signed: 0 }
  for (const { count, signed } of rows) {
    highest.count = Math.max(highest.count, count)
    highest.signed = Math.max(highest.signed, signed)
  }
  const pointsOf = (row: R): Weights & { members: number } => ({
    count: weights.count * share(row.count, highest.count),
    people: weights.people * share(row.signed, highest.signed),
    sign: weights.sign * share(row.signed, row.passed),
    rating: weights.rating * share(row.stars, 5 * row.starTimes),
    members:
      ((weights as Partial<Record<'members', number>>).members ?? 0) * share(row.membersSigned ?? 0, row.members ?? 0),
  })
  const names = Object.keys(weights) as (keyof Weights)[]
  const scores = rows.map((row) => {
    const points = pointsOf(row)
    return round(names.reduce((sum, name) => sum + points[name], 0))
  })
  // of thousands a few are wanted: whoever has less than the last of them is not put in order
  const least = first < rows.length ? scores.toSorted((a, b) => b - a)[first - 1]! : -Infinity
  const sorted = rows
    .flatMap((row, at) => (scores[at]! >= least ? [{ row, score: scores[at]! }] : []))
    .toSorted((a, b) => b.score - a.score || (keyOf(a.row) < keyOf(b.row) ? -1 : 1))
    .slice(0, first)
  let rank = 0
  return sorted.map(({ row, score }, at) => {
    if (at === 0 || score < sorted[at - 1]!.score) rank = at + 1
    const points = pointsOf(row)
    const parts = Object.fromEntries(names.map((name) => [name, round(points[name])])) as unknown as W
    return { ...row, score, parts, weights, rank }
  })
}
