import { dayOf } from '../../../core/base/clock.ts'

interface Period {
  startTime: string
  endTime: string
}

/** What tells that two sessions are the same one, the surest first. Times are compared by minutes. */
const signs: readonly ((session: Period) => string)[] = [
  ({ startTime, endTime }) => `${startTime.slice(0, 16)} ${endTime.slice(0, 16)}`,
  ({ startTime }) => startTime.slice(0, 16),
  ({ startTime }) => dayOf(startTime),
  // what is left: the first became the first
  () => '',
]

/**
 * Which of the former sessions of a course became which of its new ones: those of the same time are the same, then
 * those that begin at the same time, then those of the same day; what is left follows in order. Both lists in order of
 * time; the answer gives positions, a removed session has none. Pure.
 */
export function matchSessions(former: readonly Period[], next: readonly Period[]): Map<number, number> {
  const matches = new Map<number, number>()
  const taken = new Set<number>()
  for (const sign of signs)
    for (const [at, session] of former.entries()) {
      if (matches.has(at)) continue
      const found = next.findIndex((one, to) => !taken.has(to) && sign(one) === sign(session))
      if (found === -1) continue
      matches.set(at, found)
      taken.add(found)
    }
  return matches
}
