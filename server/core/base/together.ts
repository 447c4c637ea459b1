/**
 * Waits until all have ended, so that none goes on after the caller has given up, and gives their results; where some
 * fail it throws the failure of the first one in this order, however they ended in time. Statements of one transaction
 * that are started together like this go to the database together.
 */
export async function together<const T extends readonly unknown[]>(
  ...tasks: T
): Promise<{ -readonly [K in keyof T]: Awaited<T[K]> }> {
  const results = await Promise.allSettled(tasks)
  for (const result of results) if (result.status === 'rejected') throw result.reason
  return results.map((result) => (result as PromiseFulfilledResult<unknown>).value) as never
}
