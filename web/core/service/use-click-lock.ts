import { useEffect, useRef, useState } from 'react'

/** How long a clicked button stays locked against a second click, in milliseconds. */
const lockTime = 1000

/** Locks a button for a second once it has been clicked. */
export function useClickLock(): { isLocked: boolean; lock: () => void } {
  const [isLocked, setLocked] = useState(false)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => {
    // a tab put behind ends its effects: the button must not still be locked when the tab comes forward
    setLocked(false)
    return () => clearTimeout(timer.current)
  }, [])
  const lock = () => {
    setLocked(true)
    timer.current = setTimeout(() => setLocked(false), lockTime)
  }
  return { isLocked, lock }
}
