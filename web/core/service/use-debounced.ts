import { useEffect, useState } from 'react'

/**
 * A value once it has rested for `pause` milliseconds: what is being typed, when the person stops. Compare by content
 * only texts and numbers.
 */
export function useDebounced<T>(value: T, pause: number): T {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), pause)
    return () => clearTimeout(timer)
  }, [value, pause])
  return settled
}
