const lines = new Map<string, Promise<unknown>>()

/**
 * Runs work of one key one after another within this process, in the order in which it came. It is no lock and proves nothing (the
 * database's locks do): it keeps a crowd that wants the same row from holding all database connections while it waits for it.
 */
export async function inLine<R>(key: string, work: () => Promise<R>): Promise<R> {
  const before = lines.get(key) ?? Promise.resolve()
  const mine = before.then(work, work)
  lines.set(key, mine)
  try {
    return await mine
  } finally {
    if (lines.get(key) === mine) lines.delete(key)
  }
}
