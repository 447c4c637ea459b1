import { createContext, use, useEffect } from 'react'

/** What a screen knows of the tab it stands in. */
export interface Tab {
  /** The screen's route. */
  path: string
  title: string
  /** Rights usable on this screen that the person holds. */
  elements: ReadonlySet<string>
  /** The element that scrolls; sticky heads and anchors hang on it. */
  scroller: () => HTMLElement
  /** Adds what the tab shows to its title: the name of a record. */
  setTitle: (title: string) => void
  /** Tells that leaving would lose something. */
  setDirty: (isDirty: boolean) => void
  /** Closes the tab and goes to `href`, or to where the person came from. */
  close: (href?: string) => void
}

/** Outside any tab there are no rights and nothing to close. */
export const TabContext = createContext<Tab>({
  path: '',
  title: '',
  elements: new Set(),
  scroller: () => document.documentElement,
  setTitle: () => undefined,
  setDirty: () => undefined,
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
