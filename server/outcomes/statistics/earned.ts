/**
 * What of students' records is counted: those of a period, of a node of the curriculum with all below it, and of a
 * level.
 */
export interface EarnedFilter {
  startTime?: string | undefined
  endTime?: string | undefined
  lsId?: string | undefined
  llId?: string | undefined
}

export const isNarrowed = ({ startTime, endTime, lsId, llId }: EarnedFilter): boolean =>
  [startTime, endTime, lsId, llId].some((one) => one !== undefined)
