import { useSyncExternalStore } from 'react'

const phone = window.matchMedia('(max-width: 720px)')

/** Whether the window is as narrow as a phone. */
export const useIsPhone = (): boolean => useSyncExternalStore(listen, () => phone.matches)

function listen(listener: () => void): () => void {
  phone.addEventListener('change', listener)
  return () => phone.removeEventListener('change', listener)
}
