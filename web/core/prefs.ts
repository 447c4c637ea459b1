import { useCallback, useState } from 'react'
import { localStore } from './storage.ts'

/**
 * A choice of the signed-in person that this browser remembers, such as a table's columns. Works like `useState`;
 * another person on the same machine has his own.
 */
export function usePref<T>(name: string, initial: T): [T, (value: T) => void] {
  const key = `pref:${localStore.get<{ id: string }>('user')?.id ?? ''}:${name}`
  const [value, setValue] = useState<T>(() => localStore.get<T>(key) ?? initial)
  const keep = useCallback(
    (next: T) => {
      setValue(next)
      localStore.set(key, next)
    },
    [key],
  )
  return [value, keep]
}
