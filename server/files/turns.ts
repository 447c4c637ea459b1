/** Lets at most `most` pieces of work run at once; the others wait in the order they came. */
export function taking(most: number): <R>(work: () => Promise<R>) => Promise<R> {
  const waiting: (() => void)[] = []
  let running = 0
  return async (work) => {
    if (running >= most) await new Promise<void>((go) => waiting.push(go))
    else running++
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else running--
    }
  }
}
