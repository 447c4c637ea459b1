import { createBrowserRouter, redirect, type LoaderFunctionArgs } from 'react-router'
import { onExpired } from '../core/api.ts'
import { notify } from '../core/notice.tsx'
import { loginAddress } from '../core/site.ts'
import { localStore } from '../core/storage.ts'
import { Crash } from './crash.tsx'
import { pageAt } from './pages.ts'
import { forget, openSession } from './session.ts'

const ownLogin = '/'

/** Login, password recovery and the check of a transcript carry no UI kit; everything else stands inside the shell, a chunk of its own. */
export const router = createBrowserRouter([
  {
    path: '/',
    lazy: () => import('./login.page.tsx').then((page) => ({ Component: page.LoginPage })),
    HydrateFallback: Nothing,
    ErrorBoundary: Crash,
  },
  {
    path: '/retrievePassword',
    lazy: () => import('./retrieve-password.page.tsx').then((page) => ({ Component: page.RetrievePasswordPage })),
    HydrateFallback: Nothing,
    ErrorBoundary: Crash,
  },
  {
    path: '/verify/:serial?',
    lazy: () => import('./verify.page.tsx').then((page) => ({ Component: page.VerifyPage })),
    HydrateFallback: Nothing,
    ErrorBoundary: Crash,
  },
  {
    path: '*',
    loader: requireToken,
    lazy: { Component: () => import('./shell.tsx').then((page) => page.Shell) },
    HydrateFallback: Boot,
    ErrorBoundary: Crash,
  },
])

/** Nobody goes past the login page without a token; the page he wanted is remembered. The session and the screen start loading here, beside the shell. */
function requireToken({ request }: LoaderFunctionArgs): Response | null {
  if (localStore.get<string>('accessToken')) {
    void openSession().catch(() => undefined)
    // whether he may open it is not known yet; what fails here is told when the screen is drawn
    void pageAt(new URL(request.url).pathname)?.().catch(() => undefined)
    return null
  }
  notify('warning', '登录凭证已过期，请重新登录')
  const { pathname, search } = new URL(request.url)
  return leaveTo(pathname + search)
}

/** To the sign-in page of this host: a redirect inside the console, or away to a configured address. */
function leaveTo(from: string): Response {
  const address = loginAddress(window.location.host)
  const target = `${address}${address.includes('?') ? '&' : '?'}from=${encodeURIComponent(from)}`
  if (address === ownLogin) return redirect(target)
  window.location.assign(target)
  return redirect(ownLogin)
}

onExpired({
  leave: () => {
    forget()
    const { pathname, search } = window.location
    if (pathname === ownLogin) return
    const address = loginAddress(window.location.host)
    if (address === ownLogin)
      void router.navigate(`/?from=${encodeURIComponent(pathname + search)}`, {
        replace: true,
        state: { isExpired: true },
      })
    else window.location.assign(address)
  },
})

function Nothing() {
  return null
}

function Boot() {
  return <p className="boot">正在打开第二课堂管理平台…</p>
}
