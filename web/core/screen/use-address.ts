import { useCallback } from 'react'
import { useSearchParams } from 'react-router'

/** Makes the address's parameters into what they shall be. `replace`: going back does not lead to the former ones. */
export type ChangeAddress = (change: (now: URLSearchParams) => URLSearchParams, options?: { replace?: boolean }) => void

/**
 * The parameters of the address, and how to change them. A change is made to the address as it stands, not to what the
 * page was last drawn with: that may be a change behind whoever clicks quickly, and the one before would be lost.
 */
export function useAddress(): [URLSearchParams, ChangeAddress] {
  const [query, setQuery] = useSearchParams()
  const change = useCallback<ChangeAddress>(
    (make, options) => setQuery(() => make(new URLSearchParams(window.location.search)), options),
    [setQuery],
  )
  return [query, change]
}

/** Sets these parameters and leaves the others; an empty one goes. */
export function withParams(values: Record<string, string | undefined>): (now: URLSearchParams) => URLSearchParams {
  return (now) => {
    const next = new URLSearchParams(now)
    for (const [name, value] of Object.entries(values)) {
      if (value) next.set(name, value)
      else next.delete(name)
    }
    return next
  }
}
