import { usePref } from '../core/service/prefs.ts'
import { localStore } from '../core/service/storage.ts'
import { createStore, useStore } from '../core/service/store.ts'

/** Most screens that are remembered as opened lately. */
const maxRecent = 8
/** How often the favourites have changed; they themselves are kept with the preferences. */
const changes = createStore(0)

/** The paths of screens the person likes to have at hand, kept on the server, and the way to take one in or out. */
export function useFavourites(): { favourites: string[]; toggle: (path: string) => void } {
  useStore(changes)
  const [, keep] = usePref<string[]>('favourite-screens', [])
  const favourites = stored('favourite-screens')
  const toggle = (path: string) => {
    keep(favourites.includes(path) ? favourites.filter((one) => one !== path) : [...favourites, path].slice(-20))
    changes.set(changes.get() + 1)
  }
  return { favourites, toggle }
}

/** The screens opened lately on this machine, the last first. */
export const recentScreens = (): string[] => stored('recent-screens')

/** Remembers that a screen was opened. */
export function noteScreen(path: string): void {
  const now = recentScreens()
  if (now[0] !== path)
    localStore.set(keyOf('recent-screens'), [path, ...now.filter((one) => one !== path)].slice(0, maxRecent))
}

const keyOf = (name: string) => `pref:${localStore.get<{ id: string }>('user')?.id ?? ''}:${name}`
const stored = (name: string) => localStore.get<string[]>(keyOf(name)) ?? []
