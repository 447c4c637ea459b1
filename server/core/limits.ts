import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import { Failure } from '../../contract/core/failure.ts'

/** A brake on how often one key may do a thing. `points` 0 switches it off. */
export function limiter(points: number, seconds: number): (key: string) => Promise<void> {
  if (points === 0) return async () => {}
  const counter = new RateLimiterMemory({ points, duration: seconds })
  return async (key) => {
    try {
      await counter.consume(key)
    } catch (refusal) {
      if (!(refusal instanceof RateLimiterRes)) throw refusal
      throw new Failure('too-often', {}, { retryAfter: Math.ceil(refusal.msBeforeNext / 1000) })
    }
  }
}
