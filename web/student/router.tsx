import { lazy, Suspense } from 'react'
import { createBrowserRouter, redirect, type LoaderFunctionArgs, type RouteObject } from 'react-router'
import { openSession, forget } from '../app/session.ts'
import { Crash } from '../app/crash.tsx'
import { onExpired } from '../core/service/api.ts'
import { notify } from '../core/service/notice.tsx'
import { localStore } from '../core/service/storage.ts'
import { queryClient } from '../core/service/use-call.ts'
import { ApiError, mayComeLater } from '../core/service/wire.ts'
import { firstAsks } from './first-asks.ts'
import { homeOf } from './held.ts'
import { LoginPage } from './login.page.tsx'
import { OfflinePage } from './offline.page.tsx'
import { loadFrame, ownPages } from './own-pages.tsx'
import { signInPath } from './own-path.ts'

/** No route waits for it: it comes while the session opens. */
const Frame = lazy(() => loadFrame().then((page) => ({ default: page.Frame })))

/** The students' side under `/m`: the sign-in page, and behind it the pages between the tabs. */
export const router = createBrowserRouter(
  [
    { path: '/login', Component: LoginPage, ErrorBoundary: Crash },
    {
      path: '/activate',
      // the sign-in page does without it
      lazy: () => import('./activation/activate.page.tsx').then((page) => ({ Component: page.ActivatePage })),
      ErrorBoundary: Crash,
      HydrateFallback: Opening,
    },
    { path: '/offline', Component: OfflinePage, ErrorBoundary: Crash },
    {
      path: '/',
      loader: openOrSignIn,
      Component: Framed,
      ErrorBoundary: Crash,
      HydrateFallback: Opening,
      children: [{ index: true, element: null }, ...ownPages.map(withFirstAsk)],
    },
  ],
  { basename: '/m' },
)

onExpired({
  leave: (toldAlready) => {
    if (!toldAlready) notify('warning', '登录已过期，请重新登录')
    forget()
    queryClient.clear()
    const { pathname, search } = window.location
    // several requests may find out together, and the last of them when the sign-in page is there already
    if (pathname !== '/m/login') void router.navigate(signInPath({ pathname, search }), { replace: true })
  },
})

/**
 * Nobody goes past the sign-in page without a session; the labels of codes are there before the first page is drawn.
 * The address without a page leads home.
 */
async function openOrSignIn({ request }: LoaderFunctionArgs) {
  const address = new URL(request.url)
  if (!localStore.get<string>('accessToken')) return redirect(signInPath(address))
  void loadFrame().catch(() => undefined)
  try {
    const { profile } = await openSession({ quiet: true })
    return /^\/m\/?$/.test(address.pathname) ? redirect(homeOf(profile)) : null
  } catch (error) {
    if (!(error instanceof ApiError) || !mayComeLater(error)) {
      if (error instanceof ApiError && error.kind !== 'expired') notify('error', error.message)
      return redirect(signInPath(address))
    }
    // whom nothing answers, for want of a network or while the service restarts, is still signed in, and reads why
    const { pathname, search } = address
    return redirect(`/offline?from=${encodeURIComponent(pathname.replace(/^\/m(?=\/|$)/, '') + search)}`)
  }
}

/** A page with what it asks for while it comes. */
function withFirstAsk(page: (typeof ownPages)[number]): RouteObject {
  const loader = firstAsks[page.path]
  return loader ? { ...page, loader } : page
}

function Framed() {
  return (
    <Suspense fallback={<Opening />}>
      <Frame />
    </Suspense>
  )
}

function Opening() {
  return <p className="boot">正在打开第二课堂…</p>
}
