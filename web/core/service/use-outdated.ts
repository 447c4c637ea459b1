import { useEffect, useState } from 'react'

/**
 * Whether what the service has answered is too old to be shown: codes count for moments only, and on a screen that no
 * longer hears from the service they would be scanned in vain.
 * @param dataUpdatedAt when it was answered, in milliseconds since 1970
 * @param seconds how long it may be shown; undefined where it is no code
 */
export function useOutdated(dataUpdatedAt: number, seconds: number | undefined): boolean {
  const [outdated, setOutdated] = useState<number>()
  useEffect(() => {
    // an answer that stands in until the first one comes has no time
    if (seconds === undefined || dataUpdatedAt === 0) return
    const timer = setTimeout(() => setOutdated(dataUpdatedAt), dataUpdatedAt + seconds * 1000 - Date.now())
    return () => clearTimeout(timer)
  }, [dataUpdatedAt, seconds])
  return seconds !== undefined && outdated === dataUpdatedAt
}
