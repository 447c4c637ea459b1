import { useSyncExternalStore } from 'react'

/** A value that stands outside of components and outlives them. */
export interface Store<T> {
  get: () => T
  /** Takes another value; components that show it by {@link useStore} are drawn anew. */
  set: (next: T) => void
  /** Calls a function after every change, until the function that comes back is called. */
  subscribe: (listener: () => void) => () => void
}

export function createStore<T>(initial: T): Store<T> {
  let value = initial
  const listeners = new Set<() => void>()
  return {
    get: () => value,
    set(next) {
      value = next
      for (const listener of listeners) listener()
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

/** The value of a store; the component is drawn anew when it changes. */
export const useStore = <T>(store: Store<T>): T => useSyncExternalStore(store.subscribe, store.get)
