import { addDays, dayOf } from '../../core/base/clock.ts'

/** What the check of a file has found, and how many are no longer in it. */
export interface RunCounts {
  rows: number
  new: number
  update: number
  same: number
  conflict: number
  fault: number
  leavers: number
}

/** What a source may do by itself, in per cent. */
interface RunLimits {
  changeLimit: number
  leaverLimit: number
  /** False where leavers are only told. */
  changesLeavers: boolean
}

/**
 * Why a run may not be written before a person has looked at it, in sentences; none where it may. Changes, and rows
 * that cannot be written, are measured by the records that the file names and the school knows; leavers by those
 * together with the leavers themselves. A first run, where the school knows nobody yet, is never too large.
 */
export function reasonsToWait(counts: RunCounts, { changeLimit, leaverLimit, changesLeavers }: RunLimits): string[] {
  const known = counts.update + counts.same
  const unwritable = counts.conflict + counts.fault
  const reasons: string[] = []
  if (known > 0 && counts.update * 100 > changeLimit * known)
    reasons.push(
      `将修改 ${counts.update} 条，占已有 ${known} 条的 ${share(counts.update, known)}，超过上限 ${changeLimit}%`,
    )
  if (counts.rows > 0 && unwritable * 100 > changeLimit * counts.rows)
    reasons.push(
      `有 ${unwritable} 行不能写入，占 ${counts.rows} 行的 ${share(unwritable, counts.rows)}，超过上限 ${changeLimit}%`,
    )
  const before = known + counts.leavers
  if (changesLeavers && counts.leavers * 100 > leaverLimit * before)
    reasons.push(
      `有 ${counts.leavers} 名学生在来源中不再出现，占 ${before} 名的 ${share(counts.leavers, before)}，超过上限 ${leaverLimit}%`,
    )
  return reasons
}

const share = (part: number, whole: number): string => `${Math.round((part * 1000) / whole) / 10}%`

/**
 * The next moment at which a source runs by itself; null where only by hand.
 * @param now wall-clock text
 * @param runAt `HH:mm`, or empty
 */
export function nextRunAfter(now: string, runAt: string): string | null {
  if (!runAt) return null
  const today = `${dayOf(now)} ${runAt}:00`
  return today > now ? today : `${addDays(dayOf(now), 1)} ${runAt}:00`
}
