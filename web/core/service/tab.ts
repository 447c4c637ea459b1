import { createContext, use, useCallback, useEffect, useId } from 'react'

/** What a screen knows of the tab it stands in. */
export interface Tab {
  /** The screen's route. */
  path: string
  title: string
  /** The name of whoever is signed in. */
  userName: string
  /** Rights usable on this screen that the person holds. */
  elements: ReadonlySet<string>
  /** The element that scrolls; sticky heads and anchors hang on it. */
  scroller: () => HTMLElement
  /** Adds what the tab shows to its title: the name of a record. */
  setTitle: (title: string) => void
  /** Tells whether leaving would lose something in a part of the screen; see `useDirty`. */
  setDirty: (part: string, isDirty: boolean) => void
  /** Whether the tab is the one in front. */
  isFront: () => boolean
  /** Closes the tab and goes to `href`, or to where the person came from. */
  close: (href?: string) => void
}

/** Outside any tab there are no rights and nothing to close. */
export const TabContext = createContext<Tab>({
  path: '',
  title: '',
  userName: '',
  elements: new Set(),
  scroller: () => document.documentElement,
  setTitle: () => undefined,
  setDirty: () => undefined,
  isFront: () => true,
  close: () => undefined,
})

/** The tab this component stands in. */
export const useTab = (): Tab => use(TabContext)

/** Names the tab after the record it shows, as soon as the name is known. */
export function useTabTitle(title: string | undefined): void {
  const { setTitle } = useTab()
  useEffect(() => {
    if (title) setTitle(title)
  }, [title, setTitle])
}

/**
 * Tells the tab while there is something in this part of it that leaving would lose: its mark is shown, and closing,
 * reloading and leaving ask. What comes back says at once that nothing would be lost any more, for who leaves in the
 * same breath.
 */
export function useDirty(isDirty: boolean): () => void {
  const { setDirty, isFront } = useTab()
  const part = useId()
  useEffect(() => {
    setDirty(part, isDirty)
    // effects end as well when the tab goes to the back, where nothing is lost
    return () => void (isFront() && setDirty(part, false))
  }, [setDirty, isFront, part, isDirty])
  return useCallback(() => setDirty(part, false), [setDirty, part])
}
