import { useSyncExternalStore } from 'react'

const phone = window.matchMedia('screen and (max-width: 720px)')
const tight = window.matchMedia('screen and (max-width: 1100px)')
const laptop = window.matchMedia('screen and (max-width: 1400px)')

/** Whether the window is as narrow as a phone; a sheet of paper is none. */
export const useIsPhone = (): boolean => useMatch(phone)

/** Whether the window is narrower than any desk has it: a tablet, or a page enlarged to twice its size. */
export const useIsTight = (): boolean => useMatch(tight)

/** Whether the window is no wider than that of a small laptop (1366), a phone's included. */
export const useIsLaptop = (): boolean => useMatch(laptop)

function useMatch(query: MediaQueryList): boolean {
  return useSyncExternalStore(
    (listener) => {
      query.addEventListener('change', listener)
      return () => query.removeEventListener('change', listener)
    },
    () => query.matches,
  )
}
