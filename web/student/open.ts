import { openSession } from '../app/session.ts'
import { localStore } from '../core/service/storage.ts'
import { firstAsks } from './first-asks.ts'
import { loadFrame, ownPages } from './own-pages.tsx'
import './student.css'

// The first and smallest file of the students' side. On a weak network whatever is asked for only after something else
// has come is felt, so all that the opened page needs is asked for at once: session, page and rows travel beside the
// program, which finds them there (decision 120).
const { pathname } = window.location
// whoever signs in or activates may be somebody else than the one whose credential is still here
if (localStore.get<string>('accessToken') && !/^\/m\/(login|activate)\b/.test(pathname)) {
  // the router asks for the same once more, and tells what has failed
  void openSession({ quiet: true }).catch(() => undefined)
  void loadFrame().catch(() => undefined)
  for (const { path, lazy } of ownPages) {
    const match = addresses(path).exec(pathname)
    if (!match) continue
    void lazy().catch(() => undefined)
    firstAsks[path]?.({ request: new Request(window.location.href), params: match.groups ?? {} })
    break
  }
}
void import('./main.tsx')

/** The addresses of a page whose path may have segments such as `:liId`. */
function addresses(path: string): RegExp {
  return new RegExp(`^/m/${path.replace(/:(\w+)/g, '(?<$1>[^/]+)')}/?$`)
}
