/** How long after the last movement somebody still counts as being at the window, in milliseconds. */
const idleAfterMs = 10 * 60_000

let moved = Date.now()
for (const movement of ['pointerdown', 'keydown', 'wheel'])
  window.addEventListener(movement, () => (moved = Date.now()), { passive: true })

/**
 * Whether somebody is at the window: what a screen asks by itself keeps its session alive, so an abandoned one must ask
 * nothing.
 */
export const isHere = (): boolean => document.visibilityState === 'visible' && Date.now() - moved < idleAfterMs
