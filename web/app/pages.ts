import type { ComponentType } from 'react'
import type { ScreenPath } from '../../contract/screens.ts'

/** Fetches a screen's component; each is a chunk of its own. */
export type PageLoader = () => Promise<ComponentType>

/** The component of every screen that is built; screens without one are neither in the menu nor reachable. */
export const pages: Partial<Record<ScreenPath, PageLoader>> = {
  '/home': () => import('./home.page.tsx').then((page) => page.HomePage),
  '/personalCenter/modifyPwd': () => import('./modify-password.page.tsx').then((page) => page.ModifyPasswordPage),
}

/** The loader of a path, if the path is a built screen. */
export const pageAt = (path: string): PageLoader | undefined => (Object.hasOwn(pages, path) ? pages[path as ScreenPath] : undefined)
