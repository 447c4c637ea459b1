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

/** Requests of a school that may wait for each that its quota lets run at once. */
const queuedPerPermit = 4

export interface RateLimits {
  /** Before it is known who asks: for public calls, for those without a token and for tokens that were not good. */
  address(address: string): void
  /**
   * Before a token is looked up that was not seen lately. It counts only where it turns out not to be good: a lecture
   * hall, or a campus in the morning, has one address and as many good tokens as people.
   */
  token(address: string): void
  /** Before rights are looked at. */
  person(actor: Actor): void
  /**
   * For people of a school with a bound on requests at once, and for calls that cost much.
   * @returns what releases the permit once the answer has gone; nothing where the call needs none
   */
  acquire(call: Call, actor: Actor): Promise<(() => void) | undefined>
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
  /** Limiters of the same name that differ in their rate; there are a few. */
  const ofRate = (name: string): ((perMinute: number) => (key: string) => void) =>
    remembered((perMinute) => limiter(`${name}-${perMinute}`, perMinute))
  /** Programs have a rate of their own. Where people have none, they have none. */
  const programs = ofRate('program')
  const perProgram = (perMinute: number) => programs(requestsPerMinute === 0 ? 0 : perMinute)
  const perSchool = ofRate('school')
  const atOnce = remembered((maxConcurrent) =>
    createSemaphore({
      maxConcurrent,
      // a screen asks for many things together
      maxQueued: maxConcurrent * queuedPerPermit,
      onFull: () => new Failure('school-busy', {}, { retryAfter: 2 }),
    }),
  )
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
    token: (address) => telling('address', () => perAddress(networkOf(address), { onlyLook: true })),
    person: (actor) => {
      telling('person', () => (actor.program ? perProgram(actor.program.perMinute) : perPerson)(personOf(actor)))
      const { maxPerMinute = null } = actor.quota ?? {}
      if (maxPerMinute !== null) telling('school', () => asBusy(() => perSchool(maxPerMinute)(actor.schoolId)))
    },
    acquire: async ({ cost }, actor) => {
      const { maxConcurrent = null } = actor.quota ?? {}
      const leave =
        maxConcurrent === null ? undefined : await atOnce(maxConcurrent)(actor.schoolId).catch(tellingAs('school'))
      if (cost === 'plain') return leave
      const release = await expensive[cost]?.(personOf(actor)).catch((refusal: unknown) => {
        leave?.()
        return tellingAs(cost)(refusal)
      })
      return leave && release ? () => (release(), leave()) : (release ?? leave)
    },
  }
}

/** What is made once for each number. */
function remembered<V>(make: (n: number) => V): (n: number) => V {
  const made = new Map<number, V>()
  return (n) => {
    const known = made.get(n)
    if (known !== undefined) return known
    const value = make(n)
    made.set(n, value)
    return value
  }
}

/** Whoever is refused because of their school's quota did not ask too often themselves, and is told so. */
function asBusy(check: () => void): void {
  try {
    check()
  } catch (refusal) {
    if (!(refusal instanceof Failure)) throw refusal
    throw new Failure('school-busy', {}, { retryAfter: refusal.retryAfter ?? 1 })
  }
}

const tellingAs =
  (limit: LimitName) =>
  (refusal: unknown): never => {
    telemetry.refusal.publish(limit)
    throw refusal
  }

/** Lets whoever listens know of a refusal. */
function telling(limit: LimitName, check: () => void): void {
  try {
    check()
  } catch (refusal) {
    telemetry.refusal.publish(limit)
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
