import { applyStatus, resultStatus, signStatus } from '../../../../contract/core/codes/programme.ts'
/** What one participant adds to the counters of their course. Pure, so that counters and facts can be compared. */

export interface Countable {
  laStatus: string
  laSignStatus: string
  laResult: string
}

interface Counts {
  applyCount: number
  pendingCount: number
  passCount: number
  signCount: number
  resultCount: number
}

/** Sign statuses of somebody who was there. */
export const presentStatuses: readonly string[] = [
  signStatus.signedIn,
  signStatus.late,
  signStatus.signedOut,
  signStatus.leftEarly,
  signStatus.madeUp,
]
/** Those and the excused: who may be rated as passed. */
export const attendedStatuses: readonly string[] = [...presentStatuses, signStatus.exempt]

export const noCounts: Counts = { applyCount: 0, pendingCount: 0, passCount: 0, signCount: 0, resultCount: 0 }

function countsOfOne({ laStatus, laSignStatus, laResult }: Countable): Counts {
  const passed = laStatus === applyStatus.accepted
  return {
    applyCount: 1,
    pendingCount: Number(laStatus === applyStatus.pending),
    passCount: Number(passed),
    signCount: Number(passed && presentStatuses.includes(laSignStatus)),
    resultCount: Number(passed && laResult !== resultStatus.unrated),
  }
}

/** The counters of a list of participants. */
export const countsOf = (rows: readonly Countable[]): Counts =>
  rows.map(countsOfOne).reduce((sum, one) => combine(sum, one, 1), noCounts)

/** By how much the counters move when these rows become those. */
export const movedCounts = (before: readonly Countable[], after: readonly Countable[]): Counts =>
  combine(countsOf(after), countsOf(before), -1)

function combine(a: Counts, b: Counts, sign: 1 | -1): Counts {
  return Object.fromEntries(
    Object.entries(a).map(([name, value]) => [name, value + sign * b[name as keyof Counts]]),
  ) as unknown as Counts
}
