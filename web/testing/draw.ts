import type { ReactNode } from 'react'
import { flushSync } from 'react-dom'
import { createRoot } from 'react-dom/client'
import { onTestFinished, vi } from 'vitest'

/** jsdom measures nothing: everything has no size, and never another one. */
class NoObserver {
  observe() {}
  unobserve() {}
  disconnect() {}
}
const wide = (media: string) => ({ matches: false, media, addEventListener() {}, removeEventListener() {} })

/** Draws a part of the console by itself, in a test under jsdom; gives its place in the page. It goes with the test. */
export function draw(element: ReactNode): HTMLElement {
  vi.stubGlobal('ResizeObserver', NoObserver)
  vi.stubGlobal('matchMedia', wide)
  const place = document.createElement('div')
  document.body.append(place)
  const root = createRoot(place, {
    onUncaughtError: (error) => {
      throw error
    },
  })
  onTestFinished(() => {
    root.unmount()
    place.remove()
    vi.unstubAllGlobals()
  })
  flushSync(() => root.render(element))
  return place
}
