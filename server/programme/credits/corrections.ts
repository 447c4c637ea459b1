const reversed = '，冲正'

/** What the ledger says of an entry that takes another back for this reason. */
export const reversalText = (why: string): string => `${why}${reversed}`

/** The reason in what the ledger says of such an entry. */
const whyOfReversal = (text: string): string => (text.endsWith(reversed) ? text.slice(0, -reversed.length) : text)

/** What a record was worth, in hundredths. */
export interface RecordWorth {
  hours: number
  credit: number
  points: number
}
const kindsOf = ['hours', 'credit', 'points'] as const

/** One correction of a record: from when on it is worth something else, and why. */
export interface RecordCorrection {
  time: string
  before: RecordWorth
  after: RecordWorth
  why: string
}

/** An entry of one record, as far as its history is read from it. */
export interface HistoryEntry {
  kind: keyof RecordWorth
  clValue: number
  isReversal: boolean
  /** Wall-clock text. */
  grantedAt: string
  /** How its value came about; of one that takes another back, why. */
  text: string
}

/**
 * The corrections that entries of one record tell of, given in the order of time. What is granted after something was
 * taken back belongs to the same correction, until the next one begins; what comes out as it was is none. Pure.
 */
export function correctionsIn(entries: readonly HistoryEntry[]): RecordCorrection[] {
  const moments = [...new Set(entries.filter(({ isReversal }) => isReversal).map(({ grantedAt }) => grantedAt))]
  const worthBefore = (moment: string | undefined): RecordWorth => {
    const sums: RecordWorth = { hours: 0, credit: 0, points: 0 }
    for (const { kind, clValue, grantedAt } of entries)
      if (moment === undefined || grantedAt < moment) sums[kind] += clValue
    return sums
  }
  return moments
    .map((time, at) => ({
      time,
      before: worthBefore(time),
      after: worthBefore(moments[at + 1]),
      why: whyOfReversal(entries.find((one) => one.isReversal && one.grantedAt === time)!.text),
    }))
    .filter(({ before, after }) => kindsOf.some((kind) => before[kind] !== after[kind]))
}
