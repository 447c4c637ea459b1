import { clientsClaim } from 'workbox-core'
import { cleanupOutdatedCaches, matchPrecache, precacheAndRoute } from 'workbox-precaching'
import { NavigationRoute, registerRoute } from 'workbox-routing'
import { pageWithin, shellAddress } from './page-within.ts'

/** The files of this build with their revisions, put in by the build (vite.students.config.ts). */
declare const shellFiles: { url: string; revision: string | null }[]

// The students' side on a weak network: all files of one build are kept, and nothing else. Answers of calls never pass
// here, so that there is nothing of a person to clear when they sign out. A new worker waits until no page of the old
// build is open; a page fetched anew is of the newest build whichever worker it has.
precacheAndRoute(shellFiles, { directoryIndex: '', cleanURLs: false })
cleanupOutdatedCaches()
clientsClaim()

registerRoute(
  new NavigationRoute(
    ({ request }) =>
      pageWithin(
        () => fetch(request),
        () => matchPrecache(shellAddress),
      ),
    { allowlist: [/^\/m\//], denylist: [/\.\w+$/] },
  ),
)
