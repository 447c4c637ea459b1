import { createStore, useStore } from './store.ts'

/** How long an action may take before the overlay 数据处理中 appears, in milliseconds. */
const delayMs = 300

let running = 0
/** Whether the work has lasted long enough to be told of. */
let isLong = false
/** Questions to the person that the work waits for. */
let asking = 0
const shown = createStore(false)
let timer: ReturnType<typeof setTimeout> | undefined

/** Counts the work as blocking until it settles; the overlay shows while any such work has lasted over 300 ms. */
export async function whileBusy<T>(work: Promise<T>): Promise<T> {
  running += 1
  timer ??= setTimeout(() => ((isLong = true), refresh()), delayMs)
  try {
    return await work
  } finally {
    running -= 1
    if (running === 0) {
      clearTimeout(timer)
      timer = undefined
      isLong = false
      refresh()
    }
  }
}

/** Takes the overlay away while the work waits for an answer of the person, whose question it would cover. */
export async function whileAsking<T>(question: Promise<T>): Promise<T> {
  asking += 1
  refresh()
  try {
    return await question
  } finally {
    asking -= 1
    refresh()
  }
}

/** Whether the overlay is to be seen now. */
export const useBusy = (): boolean => useStore(shown)

function refresh(): void {
  const value = isLong && asking === 0
  if (shown.get() !== value) shown.set(value)
}
