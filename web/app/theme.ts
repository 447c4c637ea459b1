import { useSyncExternalStore } from 'react'
import { localStore } from '../core/storage.ts'

export type ThemeMode = 'light' | 'dark' | 'system'

const order: ThemeMode[] = ['light', 'dark', 'system']
const night = window.matchMedia('(prefers-color-scheme: dark)')
const listeners = new Set<() => void>()
let mode: ThemeMode = localStore.get<ThemeMode>('theme') ?? 'system'

night.addEventListener('change', paint)

/** The chosen theme and whether that is dark now; `next` goes on to the following choice. */
export function useTheme(): { mode: ThemeMode; isDark: boolean; choose: (mode: ThemeMode) => void; next: () => void } {
  const current = useSyncExternalStore(listen, () => `${mode}:${isDark()}`)
  return { mode, isDark: current.endsWith('true'), choose, next: () => choose(order[(order.indexOf(mode) + 1) % order.length]!) }
}

function choose(next: ThemeMode): void {
  mode = next
  localStore.set('theme', next)
  paint()
}

/** `boot.js` has painted the first time, before anything was loaded. */
function paint(): void {
  document.documentElement.dataset['theme'] = isDark() ? 'dark' : 'light'
  for (const listener of listeners) listener()
}

const isDark = (): boolean => (mode === 'system' ? night.matches : mode === 'dark')

function listen(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
