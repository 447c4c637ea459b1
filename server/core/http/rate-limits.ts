import type { Call } from '../../../contract/core/call.ts'
import { Failure } from '../../../contract/core/failure.ts'
import { networkOf } from '../base/address.ts'
import type { Config } from '../base/config.ts'
import { telemetry, type LimitName } from '../base/telemetry.ts'
import type { Actor } from '../request/context.ts'
import { createSemaphore } from '../base/semaphore.ts'
import type { LimitSharing } from './limit-sharing.ts'
import { createRateLimiter } from './rate-limiter.ts'

/**
 * Expensive calls of one person that run at once; of statistics and searches some more wait in a queue, for a screen
 * asks for many together.
 */
const concurrency = {
  statistic: { maxConcurrent: 6, maxQueued: 30 },
  search: { maxConcurrent: 6, maxQueued: 30 },
  export: { maxConcurrent: 3, maxQueued: 0 },
}

export interface RateLimits {
  /** Before it is known who asks: for public calls, for those without a token and for tokens not seen lately. */
  address(address: string): void
  /** Before rights are looked at. */
  person(actor: Actor): void
  /**
   * For calls that cost much.
   * @returns what releases the permit once the answer has gone; nothing where the call needs none
   */
  expensive(call: Call, actor: Actor): Promise<(() => void) | undefined>
}

/**
 * How much one address and one person may ask of this process, or of all that count together (docs/security.md S8). A
 * person is one, however many sessions they have. What runs at once is counted by each process.
 */
export function createRateLimits(
  { addressRequestsPerMinute, requestsPerMinute, statisticsPerMinute, searchesPerMinute, exportsPerMinute }: Config,
  sharing?: LimitSharing,
): RateLimits {
  const limiter = (name: string, perMinute: number) => createRateLimiter(perMinute, 60, sharing && { sharing, name })
  const perAddress = limiter('address', addressRequestsPerMinute)
  const perPerson = limiter('person', requestsPerMinute)
  const programs = new Map<number, (key: string) => void>()
  /** Programs have a rate of their own; there are a few different ones. Where people have none, they have none. */
  const perProgram = (perMinute: number) => {
    const known = programs.get(perMinute)
    if (known) return known
    const made = limiter(`program-${perMinute}`, requestsPerMinute === 0 ? 0 : perMinute)
    programs.set(perMinute, made)
    return made
  }
  const expensive = {
    statistic: limitExpensive(
      statisticsPerMinute === 0 ? undefined : limiter('statistic', statisticsPerMinute),
      concurrency.statistic,
      () => new Failure('too-often', {}, { retryAfter: 1 }),
    ),
    search: limitExpensive(
      searchesPerMinute === 0 ? undefined : limiter('search', searchesPerMinute),
      concurrency.search,
      () => new Failure('too-often', {}, { retryAfter: 1 }),
    ),
    export: limitExpensive(
      exportsPerMinute === 0 ? undefined : limiter('export', exportsPerMinute),
      concurrency.export,
      () => new Failure('exports-running', { n: concurrency.export.maxConcurrent }, { retryAfter: 5 }),
    ),
  }
  return {
    address: (address) => telling('address', () => perAddress(networkOf(address))),
    person: (actor) =>
      telling('person', () => (actor.program ? perProgram(actor.program.perMinute) : perPerson)(personOf(actor))),
    expensive: async ({ cost }, actor) => {
      if (cost === 'plain') return undefined
      return expensive[cost]?.(personOf(actor)).catch((refusal: unknown) => {
        telemetry.refusal.tell(cost)
        throw refusal
      })
    },
  }
}

/** Lets whoever listens know of a refusal. */
function telling(limit: LimitName, check: () => void): void {
  try {
    check()
  } catch (refusal) {
    telemetry.refusal.tell(limit)
    throw refusal
  }
}

const personOf = ({ schoolId, suId }: Actor): string => `${schoolId}:${suId}`

/**
 * A number a minute, and at once; undefined where switched off. A permit is acquired first: whoever waits for one has
 * not asked in vain.
 */
function limitExpensive(
  checkRate: ((key: string) => void) | undefined,
  rule: { maxConcurrent: number; maxQueued: number },
  onFull: () => Failure,
): ((key: string) => Promise<() => void>) | undefined {
  if (!checkRate) return undefined
  const acquire = createSemaphore({ ...rule, onFull })
  return async (key) => {
    const release = await acquire(key)
    try {
      checkRate(key)
      return release
    } catch (refusal) {
      release()
      throw refusal
    }
  }
}
