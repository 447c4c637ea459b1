import { useState } from 'react'
import { flushSync } from 'react-dom'
import { useTab } from '../core/tab.ts'

/** Leaves a record's page once the record is removed. `isGone` stops the page from asking for it again meanwhile. */
export function useGone(list: string): { isGone: boolean; leave: () => void } {
  const { close } = useTab()
  const [isGone, setGone] = useState(false)
  const leave = () => {
    // everything on the screen is read anew right after an act, so this must be known before
    flushSync(() => setGone(true))
    close(list)
  }
  return { isGone, leave }
}
