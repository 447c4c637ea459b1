import { useEffect, useRef, type RefObject } from 'react'

/** What the case now shown offers to the keyboard. */
export interface CaseHandle {
  pass: () => void
  refuse: () => void
}

/** J and K move through the queue, A passes, R refuses; not while something is typed or a dialog is open. */
export function useCaseKeys({
  onNext,
  onPrevious,
}: {
  onNext: () => void
  onPrevious: () => void
}): RefObject<CaseHandle | null> {
  const handle = useRef<CaseHandle>(null)
  const moves = useRef({ onNext, onPrevious })
  moves.current = { onNext, onPrevious }
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.repeat || isTyping(event.target) || isDialogOpen())
        return
      const act = {
        j: moves.current.onNext,
        k: moves.current.onPrevious,
        a: handle.current?.pass,
        r: handle.current?.refuse,
      }[event.key.toLowerCase()]
      if (!act) return
      event.preventDefault()
      act()
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [])
  return handle
}

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || target.matches('textarea, select, input:not([type=checkbox]):not([type=radio])'))
const isDialogOpen = (): boolean =>
  [...document.querySelectorAll<HTMLElement>('[role=dialog]')].some(
    (dialog) => dialog.offsetParent !== null || dialog.getClientRects().length > 0,
  )
