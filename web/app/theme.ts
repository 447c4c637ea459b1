import { useSyncExternalStore } from 'react'
import { localStore } from '../core/service/storage.ts'

export type ThemeMode = 'light' | 'dark' | 'system'

const order: ThemeMode[] = ['light', 'dark', 'system']
export const isTheme = (value: unknown): value is ThemeMode => order.includes(value as ThemeMode)
const night = window.matchMedia('(prefers-color-scheme: dark)')
/** Paper is white whatever the theme. */
const paper = window.matchMedia('print')
const listeners = new Set<() => void>()
let mode: ThemeMode = localStore.get<ThemeMode>('theme') ?? 'system'

night.addEventListener('change', paint)
paper.addEventListener('change', paint)

/** The chosen theme and whether that is dark now; `next` goes on to the following choice and tells it. */
export function useTheme(): { mode: ThemeMode; isDark: boolean; next: () => ThemeMode } {
  const current = useSyncExternalStore(subscribe, () => `${mode}:${isDark()}`)
  return {
    mode,
    isDark: current.endsWith('true'),
    next: () => chooseTheme(order[(order.indexOf(mode) + 1) % order.length]!),
  }
}

/**
 * Takes a theme. The person's choice is kept by the service (prefs.ts); this browser's copy paints the sign-in page and
 * the first moment after.
 */
export function chooseTheme(next: ThemeMode): ThemeMode {
  mode = next
  localStore.set('theme', next)
  paint()
  return next
}

/** `boot.js` has painted the first time, before anything was loaded. */
function paint(): void {
  document.documentElement.dataset['theme'] = isDark() ? 'dark' : 'light'
  for (const listener of listeners) listener()
}

const isDark = (): boolean => !paper.matches && (mode === 'system' ? night.matches : mode === 'dark')

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
