import { useEffect, useEffectEvent } from 'react'

/** Looks again every so many milliseconds while something is going on. */
export function useRefreshWhile(isGoingOn: boolean, refresh: () => void, everyMs: number): void {
  const look = useEffectEvent(refresh)
  useEffect(() => {
    if (!isGoingOn) return
    const timer = setInterval(() => look(), everyMs)
    return () => clearInterval(timer)
  }, [isGoingOn, everyMs])
}
