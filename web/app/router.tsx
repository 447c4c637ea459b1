import { createBrowserRouter, redirect, type LoaderFunctionArgs } from 'react-router'
import { onExpired } from '../core/service/api.ts'
import { notify } from '../core/service/notice.tsx'
import { loginAddress } from '../core/service/site.ts'
import { localStore } from '../core/service/storage.ts'
import { Crash } from './crash.tsx'
import { pageAt } from './page-loaders.ts'
import { forget, openSession } from './session.ts'

const ownLogin = '/'
/** True once the code of the console's frame has been read. */
let isShellRead = false

/**
 * Login, password recovery, the check of a transcript and the privacy notice carry no UI kit; everything else stands
 * inside the shell, a chunk of its own.
 */
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
    path: '/privacy/:schoolId',
    lazy: () => import('./privacy.page.tsx').then((page) => ({ Component: page.PrivacyPage })),
    HydrateFallback: Nothing,
    ErrorBoundary: Crash,
  },
  {
    path: '*',
    loader: requireToken,
    lazy: { Component: readShell },
    HydrateFallback: Boot,
    ErrorBoundary: Crash,
  },
])

/**
 * Nobody goes past the login page without a token; the page they wanted is remembered. The session and the screen start
 * loading here, beside the shell.
 */
function requireToken({ request }: LoaderFunctionArgs): Response | null {
  if (localStore.get<string>('accessToken')) {
    void openSession().catch(() => undefined)
    // Within the console the bones of a screen come first: its code would be read before they are drawn. Whether it may
    // be opened is not known yet; what fails here is told when the screen is drawn.
    if (!isShellRead) void pageAt(new URL(request.url).pathname)?.().catch(() => undefined)
    return null
  }
  tellExpired()
  const address = signInAddress(new URL(request.url))
  if (isOwn(address)) return redirect(address)
  window.location.assign(address)
  return redirect(ownLogin)
}

async function readShell() {
  const { Shell } = await import('./shell.tsx')
  isShellRead = true
  return Shell
}

function tellExpired(): void {
  notify('warning', '登录凭证已过期，请重新登录')
}

/**
 * Where this host signs in, with the page that one wanted to go to, if it is one: the console's own sign-in page, or a
 * configured address elsewhere.
 */
function signInAddress({ pathname, search }: { pathname: string; search: string }): string {
  const address = loginAddress(window.location.host)
  if (!pageAt(pathname)) return address
  return `${address}${address.includes('?') ? '&' : '?'}from=${encodeURIComponent(pathname + search)}`
}

// declared, for the router asks while this module is still being read
function isOwn(address: string): boolean {
  return address === ownLogin || address.startsWith(`${ownLogin}?`)
}

onExpired({
  leave(toldAlready) {
    forget()
    const { pathname } = window.location
    // several requests may find out together, and the last of them when the sign-in page is there already
    if (pathname === ownLogin || router.state.navigation.location?.pathname === ownLogin) return
    if (!toldAlready) tellExpired()
    const address = signInAddress(window.location)
    if (isOwn(address)) void router.navigate(address, { replace: true, state: { isExpired: true } })
    else window.location.assign(address)
  },
})

function Nothing() {
  return null
}

function Boot() {
  return <p className="boot">正在打开第二课堂管理平台…</p>
}
