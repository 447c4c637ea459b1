import { secondsBetween } from '../base/clock.ts'
import type { Actor } from './context.ts'

/** Looking a token up costs two statements; for one second the answer may be reused (docs/security.md S1). */
export const actorLifetime = 1000
const known = new Map<string, { actor: Actor; until: number; lastSeen: string }>()
const underWay = new Map<string, Promise<Actor>>()

/** Whether a token was good when it was looked up last, and nothing is known to have changed since. */
export const wasGood = (key: string): boolean => known.has(key)

/**
 * The person of a token, as looked up within the last second or now. Requests that come while a token is being looked
 * up wait for that one answer, so that a page's many calls, or a second's end under load, do not look it up many times
 * at once.
 * @param now wall-clock text; a session that has not been seen for a minute is looked up in any case
 */
export function actorOf(key: string, now: string, lookUp: () => Promise<Actor>): Promise<Actor> {
  const entry = known.get(key)
  if (entry && entry.until > performance.now() && secondsBetween(entry.lastSeen, now) < 60)
    return Promise.resolve(entry.actor)
  const running = underWay.get(key)
  if (running) return running
  const looking = lookUp().then(
    (actor) => {
      // a change while it was being looked up may not be in it
      if (underWay.get(key) === looking) remember(key, actor, now)
      return actor
    },
    (error: unknown) => {
      if (underWay.get(key) === looking) underWay.delete(key)
      known.delete(key)
      throw error
    },
  )
  underWay.set(key, looking)
  return looking
}

function remember(key: string, actor: Actor, lastSeen: string): void {
  underWay.delete(key)
  if (known.size > 10_000) known.clear()
  known.set(key, { actor, lastSeen, until: performance.now() + actorLifetime })
}

/** Whose tokens are to be looked up anew: everybody's of a school unless people are named. */
export interface ForgottenActors {
  schoolId: string
  suIds?: readonly string[] | undefined
}

let tellOthers: ((change: ForgottenActors) => Promise<void>) | undefined
const tellings = new Set<Promise<void>>()

/**
 * Called after a change of somebody's roles, password or sessions has been committed: the change holds for the next
 * request.
 */
export function forgetActors(schoolId: string, suIds?: readonly string[]): void {
  forgetHere({ schoolId, suIds })
  if (!tellOthers) return
  const telling = tellOthers({ schoolId, suIds }).finally(() => tellings.delete(telling))
  tellings.add(telling)
}

/** What {@link forgetActors} does in this process; for what another process tells. */
export function forgetHere({ schoolId, suIds }: ForgottenActors): void {
  underWay.clear()
  for (const [key, { actor }] of known)
    if (actor.schoolId === schoolId && (!suIds || suIds.includes(actor.suId))) known.delete(key)
}

/**
 * Has the other processes of this installation told, too.
 * @param tell resolves once they know, or once what they keep has run out by itself
 */
export function shareForgetting(tell: (change: ForgottenActors) => Promise<void>): void {
  tellOthers = tell
}

/**
 * Resolves once the other processes know of every change so far; undefined where they do. No answer goes out before.
 */
export const forgottenEverywhere = (): Promise<unknown> | undefined =>
  tellings.size === 0 ? undefined : Promise.all(tellings)
