import type { Actor } from './context.ts'

/** Looking a token up costs two statements; for one second the answer may be reused (SECURITY 5.5). */
const lifetime = 1000
const known = new Map<string, { actor: Actor; until: number; lastSeen: string }>()

export const rememberActor = (key: string, actor: Actor, lastSeen: string): void => {
  if (known.size > 10_000) known.clear()
  known.set(key, { actor, lastSeen, until: performance.now() + lifetime })
}

export function rememberedActor(key: string): { actor: Actor; lastSeen: string } | undefined {
  const entry = known.get(key)
  return entry && entry.until > performance.now() ? entry : undefined
}

/** Called after a change of somebody's roles, password or sessions has been committed: the change holds for the next request. */
export function forgetActors(schoolId: string, suIds?: readonly string[]): void {
  for (const [key, { actor }] of known) if (actor.schoolId === schoolId && (!suIds || suIds.includes(actor.suId))) known.delete(key)
}
