/** Where the kept page lies. */
export const shellAddress = '/m/index.html'

/** Milliseconds after which the kept page is shown instead of one that does not come. */
const patience = 4000

/**
 * The page from the network, so that it is of the newest build; the kept one where the network is away, too slow or its
 * end in trouble.
 */
export async function pageWithin(
  fetched: () => Promise<Response>,
  kept: () => Promise<Response | undefined>,
  within = patience,
): Promise<Response> {
  const coming = fetched()
  const late = new Promise<undefined>((resolve) => setTimeout(() => resolve(undefined), within))
  const first = await Promise.race([coming.catch(() => undefined), late])
  if (first && first.status < 500) return first
  // without a kept one there is nothing better than what comes
  return (await kept()) ?? coming
}
