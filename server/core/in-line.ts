export interface LineRule {
  /** How much work of one key may run at once. */
  most: number
  /** How much may wait, any number unless told. */
  longest?: number
  /** What is thrown at work for which there is no room to wait. */
  full?: () => Error
}

/**
 * Places for work of a key within this process, taken in the order in which it came. It is no lock and proves nothing (the database's locks do):
 * it keeps a crowd from holding all connections, threads or cores while it waits.
 * @returns how to take a place: resolves, when one is free, with what gives it back
 */
export function places({
  most,
  longest = Infinity,
  full = () => new Error('no room to wait'),
}: LineRule): (key?: string) => Promise<() => void> {
  const lines = new Map<string, { running: number; waiting: (() => void)[] }>()
  return async (key = '') => {
    const line = lines.get(key) ?? { running: 0, waiting: [] }
    lines.set(key, line)
    if (line.running < most) line.running++
    else if (line.waiting.length >= longest) throw full()
    else await new Promise<void>((go) => line.waiting.push(go))
    let isHeld = true
    return () => {
      if (!isHeld) return
      isHeld = false
      // the place goes to the next by hand: nobody who comes meanwhile can take it
      const next = line.waiting.shift()
      if (next) next()
      else if (--line.running === 0) lines.delete(key)
    }
  }
}

/** Runs work of one key in places as {@link places} gives them; keys do not wait for each other. */
export function inLine(rule: LineRule): <R>(work: () => Promise<R>, key?: string) => Promise<R> {
  const take = places(rule)
  return async (work, key) => {
    const leave = await take(key)
    try {
      return await work()
    } finally {
      leave()
    }
  }
}
