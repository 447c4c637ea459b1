import type { Call } from '../../../contract/core/call.ts'
import { sessionStore } from './storage.ts'
import { useTab } from './tab.ts'

/** The right of buttons that everybody has who is signed in; the list of every page holds it. */
const everybodys = 'signed-in'

/** The entry of session storage that lists the rights usable on the page now shown. */
const key = 'elements'

interface PageElements {
  path: string
  list: readonly string[]
}

/**
 * Saves the rights of the page being entered and gives back what is saved: buttons whose right is not in it are not
 * drawn.
 */
export function enterPage(path: string, ofPage: readonly string[] = []): ReadonlySet<string> {
  const list = [...ofPage, everybodys]
  sessionStore.set(key, { path, list } satisfies PageElements)
  const saved = sessionStore.get<PageElements>(key)
  return new Set(saved?.path === path ? saved.list : list)
}

/** Whether a right opens to somebody who holds `elements`. Calls open to anybody or to anybody signed in need none. */
export const hasPermission = (elements: ReadonlySet<string>, permit: Call['permit']): boolean =>
  !permit.includes(':') || elements.has(permit)

/** Asks for the rights of the page this component stands on: `may(circleApi.disable)`. */
export function usePermission(): (call: Pick<Call, 'permit'>) => boolean {
  const { elements } = useTab()
  return (call) => hasPermission(elements, call.permit)
}
