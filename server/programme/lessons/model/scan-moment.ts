import { epochOf, wallOf } from '../../../core/base/clock.ts'

/** For so many minutes after a scan a phone without network may hand the code in (docs/rules.md R12). */
export const handInMinutes = 10

/** A moving code was scanned: at which moment, and whether it came later than a code on the screen counts. */
export type ScanMoment = { at: string; heldBack: boolean } | { refusal: 'code-wrong' | 'scan-expired'; age: number }

/**
 * At which moment a moving code was scanned. The code itself proves it: nobody can have had it before its time step
 * began, and it counts in this step and the next. What the phone's clock says is only believed within these; a code
 * that it kept is taken for ten minutes after that. Pure.
 * @param every seconds of a step
 * @param scannedAt when the phone says that it scanned; left out where it was scanned just now
 * @returns the moment, or why it does not count with the seconds since the code was void
 */
export function scanMoment({
  step,
  every,
  scannedAt,
  now,
}: {
  step: number
  every: number
  scannedAt?: string | undefined
  now: string
}): ScanMoment {
  const [begins, ends] = [step * every * 1000, (step + 2) * every * 1000 - 1000]
  const arrives = epochOf(now)
  const age = Math.max(0, Math.round((arrives - ends) / 1000))
  if (arrives < begins) return { refusal: 'code-wrong', age: 0 }
  if (scannedAt === undefined) return age > 0 ? { refusal: 'code-wrong', age } : { at: now, heldBack: false }
  const at = Math.min(arrives, Math.max(begins, Math.min(ends, epochOf(scannedAt))))
  if (arrives - at > handInMinutes * 60_000) return { refusal: 'scan-expired', age }
  return { at: wallOf(at), heldBack: age > 0 }
}
