interface SemaphoreOptions {
  /** How much work of one key may run at once. */
  maxConcurrent: number
  /** How much may wait, any number unless given. */
  maxQueued?: number
  /** What is thrown at work for which there is no room to wait. */
  onFull?: () => Error
}

/**
 * A counting semaphore for each key within this process: permits are taken in the order in which it came. It is no lock
 * and proves nothing (the database's locks do): it keeps a crowd from holding all connections, threads or cores while
 * it waits.
 * @returns how to acquire a permit: resolves, when one is free, with what releases it
 */
export function createSemaphore({
  maxConcurrent,
  maxQueued = Infinity,
  onFull = () => new Error('no room to wait'),
}: SemaphoreOptions): (key?: string) => Promise<() => void> {
  const queues = new Map<string, { running: number; waiting: (() => void)[] }>()
  return async (key = '') => {
    const queue = queues.get(key) ?? { running: 0, waiting: [] }
    queues.set(key, queue)
    if (queue.running < maxConcurrent) queue.running++
    else if (queue.waiting.length >= maxQueued) throw onFull()
    else await new Promise<void>((go) => queue.waiting.push(go))
    let isHeld = true
    return () => {
      if (!isHeld) return
      isHeld = false
      // the permit goes to the next by hand: nobody who comes meanwhile can take it
      const next = queue.waiting.shift()
      if (next) next()
      else if (--queue.running === 0) queues.delete(key)
    }
  }
}

/** Runs work of one key under permits as {@link createSemaphore} gives them; keys do not wait for each other. */
export function withSemaphore(rule: SemaphoreOptions): <R>(work: () => Promise<R>, key?: string) => Promise<R> {
  const acquire = createSemaphore(rule)
  return async (work, key) => {
    const release = await acquire(key)
    try {
      return await work()
    } finally {
      release()
    }
  }
}
