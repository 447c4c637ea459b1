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

export type Weights = Record<'count' | 'people' | 'sign' | 'rating', number>

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
 */
export function byLiveliness<R extends Measured, W extends Weights>(
  rows: readonly R[],
  weights: W,
  keyOf: (row: R) => string,
): (R & { rank: number; score: number; parts: W; weights: W })[] {
  const highest = rows.reduce(
    (top, { count, signed }) => ({ count: Math.max(top.count, count), signed: Math.max(top.signed, signed) }),
    { count: 0, signed: 0 },
  )
  const scored = rows.map((row) => {
    const shares: Record<string, number> = {
      count: share(row.count, highest.count),
      people: share(row.signed, highest.signed),
      sign: share(row.signed, row.passed),
      rating: share(row.stars, 5 * row.starTimes),
      members: share(row.membersSigned ?? 0, row.members ?? 0),
    }
    const points = Object.entries(weights).map(([key, weight]) => [key, weight * shares[key]!] as const)
    return {
      ...row,
      score: round(points.reduce((sum, [, value]) => sum + value, 0)),
      parts: Object.fromEntries(points.map(([key, value]) => [key, round(value)])) as unknown as W,
      weights,
    }
  })
  const sorted = scored.toSorted((a, b) => b.score - a.score || (keyOf(a) < keyOf(b) ? -1 : 1))
  let rank = 0
  return sorted.map((row, at) => {
    if (at === 0 || row.score < sorted[at - 1]!.score) rank = at + 1
    return { ...row, rank }
  })
}
