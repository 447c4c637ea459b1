/** How many more places a course has: in all, and for those colleges that have places of their own. Pure. */
export interface Seats {
  free: number
  /** A place is for a whole team. */
  byTeam?: boolean
  /** Free places by college; a college that is not in it has no limit of its own. */
  colleges: ReadonlyMap<string, number>
}

/** Places of one college within the whole of a course. */
export interface CollegeQuota {
  scId: string
  quota: number
}

/**
 * What is left of the places of a course and its colleges when these many have been admitted, in all and by college.
 */
export const seatsLeft = (
  quota: number,
  quotas: readonly CollegeQuota[],
  taken: number,
  byCollege: ReadonlyMap<string, number>,
): Seats => ({
  free: Math.max(0, quota - taken),
  colleges: new Map(quotas.map(({ scId, quota: places }) => [scId, Math.max(0, places - (byCollege.get(scId) ?? 0))])),
})

/** Those who get their places together: each team as one group, everybody else alone, in the order of their first. */
export function groupsOf<P extends { teamId?: string | null }>(people: readonly P[]): P[][] {
  const groups = new Map<string | P, P[]>()
  for (const person of people) {
    const key = person.teamId ?? person
    const group = groups.get(key)
    if (group) group.push(person)
    else groups.set(key, [person])
  }
  return [...groups.values()]
}

/**
 * Which groups get their places, in the order given and never in part: while there are enough in all and, where
 * colleges of theirs have places of their own, enough of those. A group that does not fit is passed over.
 */
export function seatGroups<P extends { suiCollegeId: string | null }>(
  groups: readonly (readonly P[])[],
  { free, byTeam = false, colleges }: Seats,
): { seated: P[]; left: P[] } {
  const rest = new Map(colleges)
  let taken = 0
  const seated: P[] = []
  const left: P[] = []
  for (const group of groups) {
    const places = byTeam ? 1 : group.length
    const own = new Map<string, number>()
    for (const { suiCollegeId } of group)
      if (suiCollegeId !== null && rest.has(suiCollegeId)) own.set(suiCollegeId, (own.get(suiCollegeId) ?? 0) + 1)
    if (taken + places > free || [...own].some(([scId, n]) => n > rest.get(scId)!)) left.push(...group)
    else {
      seated.push(...group)
      taken += places
      for (const [scId, n] of own) rest.set(scId, rest.get(scId)! - n)
    }
  }
  return { seated, left }
}

/** The same for people of whom each stands alone. */
export const seat = <P extends { suiCollegeId: string | null }>(people: readonly P[], seats: Seats) =>
  seatGroups(
    people.map((person) => [person]),
    seats,
  )
