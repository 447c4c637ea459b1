import { Failure } from '../../../contract/core/failure.ts'
import type { LimitSharing } from './limit-sharing.ts'

/** Keys a rate limiter remembers at most; a key it forgets has its full allowance again. */
const maxKeys = 50_000

/**
 * A limit on how often one key may do a thing: `burst` times at once, and as many again evenly over each `perSeconds`,
 * so that whoever is told to wait need not wait long. One number is kept for each key, and for no more keys than {@link
 * maxKeys}. `burst` 0 switches it off.
 * @param shared the processes that count together, and what the limiter is called among them
 * @returns counts a key, or only looks whether one more would be let through
 * @throws Failure `too-often`, with the seconds after which another try makes sense
 */
export function createRateLimiter(
  burst: number,
  perSeconds: number,
  shared?: { sharing: LimitSharing; name: string },
): (key: string, how?: { onlyLook: boolean }) => void {
  if (burst === 0) return () => {}
  const step = (perSeconds * 1000) / burst
  /** When the allowance of a key will be whole again, in milliseconds of this process. */
  const wholeAt = new Map<string, number>()
  const keep = (key: string, next: number, now: number): void => {
    if (!wholeAt.has(key) && wholeAt.size >= maxKeys) makeRoom(wholeAt, now)
    wholeAt.set(key, next)
  }
  const tell = shared?.sharing.join(shared.name, burst, (key, count) => {
    const now = performance.now()
    const next = Math.max(now, wholeAt.get(key) ?? 0) + count * step
    // what several let through at the same moment must not make anybody wait longer than for an allowance
    keep(key, Math.min(next, now + perSeconds * 1000), now)
  })
  return (key, { onlyLook } = { onlyLook: false }) => {
    const now = performance.now()
    const next = Math.max(now, wholeAt.get(key) ?? 0) + step
    const late = next - now - perSeconds * 1000
    // what the division leaves behind the point is no reason
    if (late > 0.001) throw new Failure('too-often', {}, { retryAfter: Math.ceil(late / 1000) })
    if (onlyLook) return
    keep(key, next, now)
    tell?.(key)
  }
}

/** Forgets the keys whose allowance is whole, and of the others, should there be too many, those that came first. */
function makeRoom(wholeAt: Map<string, number>, now: number): void {
  for (const [key, at] of wholeAt) if (at <= now) wholeAt.delete(key)
  for (const key of wholeAt.keys()) {
    if (wholeAt.size < maxKeys * 0.9) break
    wholeAt.delete(key)
  }
}
