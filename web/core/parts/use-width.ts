import { useSyncExternalStore } from 'react'

const phone = window.matchMedia('screen and (max-width: 720px)')

/** Whether the window is as narrow as a phone; a sheet of paper is none. */
export const useIsPhone = (): boolean => useSyncExternalStore(subscribe, () => phone.matches)

function subscribe(listener: () => void): () => void {
  phone.addEventListener('change', listener)
  return () => phone.removeEventListener('change', listener)
}
