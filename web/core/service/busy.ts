import { useSyncExternalStore } from 'react'

/** How long an action may take before the overlay 数据处理中 appears, in milliseconds. */
const delayMs = 300

let running = 0
let shown = false
let timer: ReturnType<typeof setTimeout> | undefined
const listeners = new Set<() => void>()

/** Counts the work as blocking until it settles; the overlay shows while any such work has lasted over 300 ms. */
export async function whileBusy<T>(work: Promise<T>): Promise<T> {
  running += 1
  timer ??= setTimeout(() => show(true), delayMs)
  try {
    return await work
  } finally {
    running -= 1
    if (running === 0) {
      clearTimeout(timer)
      timer = undefined
      show(false)
    }
  }
}

/** Whether the overlay is to be seen now. */
export const useBusy = (): boolean => useSyncExternalStore(subscribe, () => shown)

function show(value: boolean): void {
  if (shown === value) return
  shown = value
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
