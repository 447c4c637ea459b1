import type { Call } from '../../../contract/core/call.ts'
import { Failure } from '../../../contract/core/failure.ts'
import { secondsBetween } from '../base/clock.ts'
import type { Context } from '../request/context.ts'

/** Minutes for which a code that was given opens what asks for a fresh one (docs/security.md S22). */
const freshMinutes = 10

/**
 * Refuses a call that takes data out to one who has a second factor and has given no code of it lately.
 * @throws Failure `fresh-code-needed`
 */
export function assertFreshCode(call: Call, { actor, clock }: Pick<Context, 'actor' | 'clock'>): void {
  if (call.needsFreshCode && actor.factor && !isFresh(actor.factor.provenTime, clock.now()))
    throw new Failure('fresh-code-needed')
}

const isFresh = (provenTime: string | null, now: string): boolean =>
  provenTime !== null && Math.abs(secondsBetween(provenTime, now)) <= freshMinutes * 60
