import { useState } from 'react'
import { useTab } from '../service/tab.ts'

/** Leaves a record's page once the record is removed. `isGone` stops the page from asking for it again meanwhile. */
export function useLeaveOnRemoval(list: string): { isGone: boolean; leave: () => void } {
  const { close } = useTab()
  const [isGone, setGone] = useState(false)
  const leave = () => {
    setGone(true)
    close(list)
  }
  return { isGone, leave }
}
