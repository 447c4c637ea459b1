/** How many more people a course takes: in all, and of those colleges that have places of their own. Pure. */
export interface Seats {
  free: number
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

/**
 * Who gets a place, in the order given: while there is one in all and, where their college has places of its own, one
 * of those.
 */
export function seat<P extends { suiCollegeId: string | null }>(
  people: readonly P[],
  { free, colleges }: Seats,
): { seated: P[]; left: P[] } {
  const rest = new Map(colleges)
  const seated: P[] = []
  const left: P[] = []
  for (const person of people) {
    const own = person.suiCollegeId === null ? undefined : rest.get(person.suiCollegeId)
    if (seated.length >= free || own === 0) left.push(person)
    else {
      seated.push(person)
      if (own !== undefined) rest.set(person.suiCollegeId!, own - 1)
    }
  }
  return { seated, left }
}
