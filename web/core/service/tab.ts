import { createContext, use, useCallback, useEffect, useId } from 'react'

/**
 * What becomes of unsaved work when its tab is left: it is lost, kept as a draft on this machine, or kept without what
 * is never kept there, such as papers.
 */
export type Unsaved = 'lost' | 'kept' | 'partlyKept'

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
  /** Tells of unsaved work in a part of the screen, undefined where there is none; see `useDirty`. */
  setUnsaved: (part: string, unsaved: Unsaved | undefined) => void
  /** Whether the tab is the one in front. */
  isFront: () => boolean
  /**
   * Closes the tab and goes to `href`, or to where the person came from.
   * @param replaces the tab's address is no place to come back to: what is shown has another one
   */
  close: (href?: string, replaces?: boolean) => void
}

/** Outside any tab there are no rights and nothing to close. */
export const TabContext = createContext<Tab>({
  path: '',
  title: '',
  userName: '',
  elements: new Set(),
  scroller: () => document.documentElement,
  setTitle: () => undefined,
  setUnsaved: () => undefined,
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
 * Tells the tab while there is unsaved work in this part of it, and what becomes of that: its mark is shown, and
 * closing, reloading and leaving ask. What comes back says at once that nothing is unsaved any more, for who leaves in
 * the same breath.
 */
export function useDirty(isDirty: boolean, unsaved: Unsaved = 'lost'): () => void {
  const { setUnsaved, isFront } = useTab()
  const part = useId()
  useEffect(() => {
    setUnsaved(part, isDirty ? unsaved : undefined)
    // effects end as well when the tab goes to the back, where nothing is lost
    return () => void (isFront() && setUnsaved(part, undefined))
  }, [setUnsaved, isFront, part, isDirty, unsaved])
  return useCallback(() => setUnsaved(part, undefined), [setUnsaved, part])
}
