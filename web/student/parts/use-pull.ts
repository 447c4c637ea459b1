import { useEffect, useState } from 'react'

/** How far a page has to be pulled, in pixels of the finger. */
const enough = 90

/**
 * Pulling a page down from its upper end refreshes it. Installed pages have no other way; in a browser its own pull,
 * which would load the page anew, is switched off by `overscroll-behavior`.
 * @returns whether letting go now would refresh, and whether it does
 */
export function usePull(refresh: () => Promise<unknown>): 'idle' | 'ready' | 'busy' {
  const [state, setState] = useState<'idle' | 'ready' | 'busy'>('idle')
  useEffect(() => {
    let from: number | undefined
    let isReady = false
    const begin = ({ touches }: TouchEvent) => {
      from = window.scrollY <= 0 && touches.length === 1 ? touches[0]!.clientY : undefined
    }
    const move = ({ touches }: TouchEvent) => {
      if (from === undefined) return
      isReady = window.scrollY <= 0 && touches[0]!.clientY - from > enough
      setState((before) => (before === 'busy' ? before : isReady ? 'ready' : 'idle'))
    }
    const end = () => {
      from = undefined
      if (!isReady) return
      isReady = false
      setState('busy')
      void refresh().finally(() => setState('idle'))
    }
    document.addEventListener('touchstart', begin, { passive: true })
    document.addEventListener('touchmove', move, { passive: true })
    document.addEventListener('touchend', end)
    document.addEventListener('touchcancel', end)
    return () => {
      document.removeEventListener('touchstart', begin)
      document.removeEventListener('touchmove', move)
      document.removeEventListener('touchend', end)
      document.removeEventListener('touchcancel', end)
    }
  }, [refresh])
  return state
}
