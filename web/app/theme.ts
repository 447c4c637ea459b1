import { localStore } from '../core/service/storage.ts'
import { createStore, useStore } from '../core/service/store.ts'

export type ThemeMode = 'light' | 'dark' | 'system'

const order: ThemeMode[] = ['light', 'dark', 'system']
export const isTheme = (value: unknown): value is ThemeMode => order.includes(value as ThemeMode)
const night = window.matchMedia('(prefers-color-scheme: dark)')
/** Paper is white whatever the theme. */
const paper = window.matchMedia('print')
const chosen = createStore<ThemeMode>(localStore.get<ThemeMode>('theme') ?? 'system')
/** Changes with the system's as well. */
const dark = createStore(isDarkNow())

night.addEventListener('change', paint)
paper.addEventListener('change', paint)

/** The chosen theme and whether that is dark now; `next` goes on to the following choice and tells it. */
export function useTheme(): { mode: ThemeMode; isDark: boolean; next: () => ThemeMode } {
  const mode = useStore(chosen)
  const isDark = useStore(dark)
  return { mode, isDark, next: () => chooseTheme(order[(order.indexOf(mode) + 1) % order.length]!) }
}

/**
 * Takes a theme. The person's choice is kept by the service (prefs.ts); this browser's copy paints the sign-in page and
 * the first moment after.
 */
export function chooseTheme(next: ThemeMode): ThemeMode {
  chosen.set(next)
  localStore.set('theme', next)
  paint()
  return next
}

/** `boot.js` has painted the first time, before anything was loaded. */
function paint(): void {
  document.documentElement.dataset['theme'] = isDarkNow() ? 'dark' : 'light'
  dark.set(isDarkNow())
}

function isDarkNow(): boolean {
  const mode = chosen.get()
  return !paper.matches && (mode === 'system' ? night.matches : mode === 'dark')
}
