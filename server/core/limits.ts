import { Failure } from '../../contract/core/failure.ts'

/** Keys a brake remembers at most; a key it forgets has its full allowance again. */
const mostKeys = 50_000

/**
 * A brake on how often one key may do a thing: `points` times at once, and as many again evenly over each `seconds`, so that whoever is told to
 * wait need not wait long. One number is kept for each key, and for no more keys than {@link mostKeys}. `points` 0 switches it off.
 * @throws Failure `too-often`, with the seconds after which another try makes sense
 */
export function limiter(points: number, seconds: number): (key: string) => void {
  if (points === 0) return () => {}
  const step = (seconds * 1000) / points
  /** When the allowance of a key will be whole again, in milliseconds of this process. */
  const wholeAt = new Map<string, number>()
  return (key) => {
    const now = performance.now()
    const before = wholeAt.get(key)
    const next = Math.max(now, before ?? 0) + step
    const late = next - now - seconds * 1000
    // what the division leaves behind the point is no reason
    if (late > 0.001) throw new Failure('too-often', {}, { retryAfter: Math.ceil(late / 1000) })
    if (before === undefined && wholeAt.size >= mostKeys) makeRoom(wholeAt, now)
    wholeAt.set(key, next)
  }
}

/** Forgets the keys whose allowance is whole, and of the others, should there be too many, those that came first. */
function makeRoom(wholeAt: Map<string, number>, now: number): void {
  for (const [key, at] of wholeAt) if (at <= now) wholeAt.delete(key)
  for (const key of wholeAt.keys()) {
    if (wholeAt.size < mostKeys * 0.9) break
    wholeAt.delete(key)
  }
}
