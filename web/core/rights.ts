import type { Call } from '../../contract/core/call.ts'
import { sessionStore } from './storage.ts'
import { useTab } from './tab.ts'

/** The entry of session storage that lists the rights usable on the page now shown. */
const key = 'elements'

interface PageElements {
  path: string
  list: readonly string[]
}

/** Saves the rights of the page being entered; buttons whose right is not among them are not drawn. */
export const enterPage = (path: string, list: readonly string[]): void => sessionStore.set(key, { path, list } satisfies PageElements)

/** The saved rights of a page, if it is the one last entered. */
export function savedElements(path: string): ReadonlySet<string> | undefined {
  const saved = sessionStore.get<PageElements>(key)
  return saved?.path === path ? new Set(saved.list) : undefined
}

/** Whether a right opens to somebody who holds `elements`. Calls open to anybody or to anybody signed in need none. */
export const holds = (elements: ReadonlySet<string>, permit: Call['permit']): boolean => !permit.includes(':') || elements.has(permit)

/** Asks for the rights of the page this component stands on: `may(circleApi.disable)`. */
export function useMay(): (call: Pick<Call, 'permit'>) => boolean {
  const { elements } = useTab()
  return (call) => holds(elements, call.permit)
}
