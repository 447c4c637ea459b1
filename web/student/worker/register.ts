import { createStore, useStore } from '../../core/service/store.ts'

/** What a browser offers that can put the pages on the phone's own screen. */
interface InstallEvent extends Event {
  prompt(): Promise<unknown>
}

const offer = createStore<InstallEvent | undefined>(undefined)

/** How long a page has been open before the others are fetched for later, in milliseconds. */
const keepAfterMs = 5000

/** Notes whether the browser offers to put the pages on the phone's own screen. */
export function watchInstall(): void {
  window.addEventListener('beforeinstallprompt', (event) => {
    event.preventDefault()
    offer.set(event as InstallEvent)
  })
  window.addEventListener('appinstalled', () => offer.set(undefined))
}

/**
 * Has the pages kept on the phone for a weak network, once somebody has signed in: whoever looks at the sign-in page
 * loads no more than that, and the page that is opened comes first. Not over plain HTTP; the pages work without, too.
 */
export function keepOnPhone(): () => void {
  const register = () => {
    if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return
    if (!navigator.onLine) return window.addEventListener('online', register, { once: true })
    void navigator.serviceWorker.register('/m/worker.js', { scope: '/m/' }).catch(() => undefined)
  }
  const timer = setTimeout(register, keepAfterMs)
  return () => {
    clearTimeout(timer)
    window.removeEventListener('online', register)
  }
}

/** Whether the browser offers to install the pages. */
export const useCanInstall = (): boolean => useStore(offer) !== undefined
/** Has the browser ask whether to install them. */
export async function install(): Promise<void> {
  await offer.get()?.prompt()
  offer.set(undefined)
}

/**
 * Whether the pages are open in Safari of an iPhone or iPad and not from its own screen: there no browser offers to
 * install anything, one does it by hand. Other browsers of iOS and pages within apps say so in what they call
 * themselves; an iPad calls itself a Mac, which has no touch.
 */
export function isPlainSafari(
  { userAgent, maxTouchPoints, standalone }: Pick<Navigator, 'userAgent' | 'maxTouchPoints'> & { standalone?: boolean },
  isStandalone: boolean,
): boolean {
  const isApple = /iPhone|iPod|iPad/.test(userAgent) || (/Macintosh/.test(userAgent) && maxTouchPoints > 1)
  const isSafari =
    /Version\/[\d.]+.* Safari\//.test(userAgent) && !/CriOS|FxiOS|EdgiOS|MicroMessenger|DingTalk/.test(userAgent)
  return isApple && isSafari && standalone !== true && !isStandalone
}
