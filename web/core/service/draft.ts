import { localStore } from './storage.ts'

export interface Draft {
  values: Record<string, unknown>
  /** When it was last kept, in milliseconds since 1970. */
  at: number
}

const pause = 600
const timers = new Map<string, ReturnType<typeof setTimeout>>()

/** What the keys of the signed-in person's drafts begin with. */
const ownPrefix = (): string => `draft:${localStore.get<{ id: string }>('user')?.id ?? ''}:`
const keyOf = (name: string): string => ownPrefix() + name

/**
 * What of a form is unsent work: its fields that are not as in the record, and the version of the record they were
 * typed over. An emptied field is null, since storage knows no undefined. Nothing where nothing differs.
 */
export function changesOf(
  values: Record<string, unknown>,
  record: Record<string, unknown>,
): Record<string, unknown> | undefined {
  const changed = Object.keys({ ...record, ...values }).filter(
    (name) => JSON.stringify(values[name] ?? null) !== JSON.stringify(record[name] ?? null),
  )
  if (changed.length === 0) return undefined
  return {
    ...(record['version'] !== undefined && { version: record['version'] }),
    ...Object.fromEntries(changed.map((name) => [name, values[name] ?? null])),
  }
}

/** Keeps unsent work on this machine, once typing pauses; forgets it where there is none any more. */
export function keepDraft(name: string, values: () => Record<string, unknown> | undefined): void {
  // whose it is is said now: the session may end before the pause does
  const key = keyOf(name)
  clearTimeout(timers.get(name))
  timers.set(
    name,
    setTimeout(() => {
      const kept = values()
      if (kept) localStore.set(key, kept)
      else localStore.remove(key)
    }, pause),
  )
}

/** The kept draft of the signed-in person, if there is one. */
export function readDraft(name: string): Draft | undefined {
  const values = localStore.get<Record<string, unknown>>(keyOf(name))
  return values && { values, at: localStore.writtenAt(keyOf(name)) ?? 0 }
}

/** Forgets a draft: its work has been sent or is not wanted. */
export function clearDraft(name: string): void {
  clearTimeout(timers.get(name))
  localStore.remove(keyOf(name))
}

/** Forgets all drafts of the signed-in person, who leaves this machine to others. */
export function clearOwnDrafts(): void {
  for (const timer of timers.values()) clearTimeout(timer)
  timers.clear()
  const prefix = ownPrefix()
  for (const key of localStore.keys()) if (key.startsWith(prefix)) localStore.remove(key)
}
