import { localStore } from './storage.ts'

export interface Draft {
  values: Record<string, unknown>
  /** When it was last kept, in milliseconds since 1970. */
  at: number
}

const pause = 600
/** Work that waits for a pause in typing, by key: what writes it, and the timer that will. */
const pending = new Map<string, { write: () => void; timer: ReturnType<typeof setTimeout> }>()

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

/** Writes what waits for a pause in typing now: all of it, or what is kept under one key. */
function writePending(key?: string): void {
  for (const [one, { write, timer }] of pending) {
    if (key !== undefined && one !== key) continue
    clearTimeout(timer)
    pending.delete(one)
    write()
  }
}
const writeAll = () => writePending()

function forgetPending(key: string): void {
  clearTimeout(pending.get(key)?.timer)
  pending.delete(key)
}

/**
 * Keeps unsent work on this machine, once typing pauses or the page is left; forgets it where there is none any more.
 */
export function keepDraft(name: string, values: () => Record<string, unknown> | undefined): void {
  // whose it is is said now: the session may end before the pause does
  const key = keyOf(name)
  const write = () => {
    const kept = values()
    if (kept) localStore.set(key, kept)
    else localStore.remove(key)
  }
  forgetPending(key)
  pending.set(key, { write, timer: setTimeout(() => writePending(key), pause) })
  // no timer outlives the page, and a phone may end one in the back without another word
  window.addEventListener('pagehide', writeAll)
  document.addEventListener('visibilitychange', writeAll)
}

/** The kept draft of the signed-in person, if there is one; what was typed a moment ago is in it. */
export function readDraft(name: string): Draft | undefined {
  writePending(keyOf(name))
  const values = localStore.get<Record<string, unknown>>(keyOf(name))
  return values && { values, at: localStore.writtenAt(keyOf(name)) ?? 0 }
}

/** Forgets a draft: its work has been sent or is not wanted. */
export function clearDraft(name: string): void {
  forgetPending(keyOf(name))
  localStore.remove(keyOf(name))
}

/** Forgets all drafts of the signed-in person, who leaves this machine to others. */
export function clearOwnDrafts(): void {
  const prefix = ownPrefix()
  for (const key of [...pending.keys(), ...localStore.keys()])
    if (key.startsWith(prefix)) {
      forgetPending(key)
      localStore.remove(key)
    }
}
