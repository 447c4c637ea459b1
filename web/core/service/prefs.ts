import { useCallback, useState } from 'react'
import type { Output } from '../../../contract/core/call.ts'
import { preferenceApi } from '../../../contract/school/session/preferences.calls.ts'
import { send } from './api.ts'
import { localStore } from './storage.ts'

/** Milliseconds: a choice that is changed several times within it is sent once. */
const pause = 600
const waiting = new Map<string, ReturnType<typeof setTimeout>>()

const keyOf = (name: string, person = localStore.get<{ id: string }>('user')?.id ?? '') => `pref:${person}:${name}`

/**
 * A choice of the signed-in person, such as a table's columns: kept on the server, so that every machine shows the
 * same, and in this browser, so that it is there at once. Works like `useState`.
 */
export function usePref<T>(name: string, initial: T): [T, (value: T) => void] {
  const key = keyOf(name)
  const [value, setValue] = useState<T>(() => localStore.get<T>(key) ?? initial)
  const keep = useCallback(
    (next: T) => {
      setValue(next)
      localStore.set(key, next)
      clearTimeout(waiting.get(name))
      // a choice that could not be kept is a choice for this browser only; nobody need be told
      waiting.set(
        name,
        setTimeout(
          () =>
            void send(
              preferenceApi.save,
              { pfKey: name, ...(next !== undefined && { pfValue: next as never }) },
              { quiet: true, blocks: false },
            ).catch(() => undefined),
          pause,
        ),
      )
    },
    [key, name],
  )
  return [value, keep]
}

type Prefs = Output<typeof preferenceApi.list>

/** What the signed-in person has chosen on any machine; nothing where the service cannot tell. */
export const askPrefs = (): Promise<Prefs> => send(preferenceApi.list, {}, { quiet: true }).catch(() => [])

/** Takes that over for a person, and tells it; called when the session opens, before any screen reads it. */
export function keepPrefs(person: string, kept: Prefs): Readonly<Record<string, unknown>> {
  for (const { pfKey, pfValue } of kept) localStore.set(keyOf(pfKey, person), pfValue)
  return Object.fromEntries(kept.map(({ pfKey, pfValue }) => [pfKey, pfValue]))
}
