import type { Location } from 'react-router'
import type { MenuGroup } from '../../contract/school/session/session.calls.ts'
import { pageAt } from './page-loaders.ts'

/** A screen as a tab needs it. The menu tells it, so the table of all screens with all their calls is never loaded. */
export interface Screen {
  path: string
  title: string
  hidden: boolean
}

/** An open tab: one screen at one address. */
export interface OpenTab {
  key: string
  screen: Screen
  location: Location
  /** Counts up with every visit; the least recently used tab gives way. */
  usedAt: number
}

/** At most so many tabs stand open at a time. */
export const maxTabs = 12

/**
 * The screen of a path, if it is built. One that the person's menu does not hold has no title; it will say that it may
 * not be opened.
 */
export function screenAt(menu: readonly MenuGroup[], path: string): Screen | undefined {
  if (!pageAt(path)) return undefined
  return (
    menu.flatMap((group) => group.pages).find((page) => page.path === path) ?? { path, title: '无权限', hidden: false }
  )
}

/**
 * What makes an address a tab of its own. A menu screen has one tab whatever its filters; a hidden one (detail, edit,
 * participants, a copy being made) has one tab per record, and the record is told by the first id of its address:
 * `?liId=…`, or by what is copied: `?from=…`, `?copy=…`.
 */
export function tabKey(screen: Screen, search: string): string {
  const record = screen.hidden
    ? [...new URLSearchParams(search)].find(([name]) => /((^i|I)d|^from|^copy)$/.test(name))
    : undefined
  return record ? `${screen.path}?${record[0]}=${record[1]}` : screen.path
}

/**
 * Adds or moves to the tab of an address. A thirteenth tab takes the place of the one longest unused that loses
 * nothing.
 */
export function visit(
  tabs: readonly OpenTab[],
  screen: Screen,
  location: Location,
  unsaved: Pick<ReadonlySet<string>, 'has'>,
): OpenTab[] {
  const key = tabKey(screen, location.search)
  const usedAt = Math.max(0, ...tabs.map((tab) => tab.usedAt)) + 1
  if (tabs.some((tab) => tab.key === key))
    return tabs.map((tab) => (tab.key === key ? { ...tab, location, usedAt } : tab))
  const idle = tabs.filter((tab) => !unsaved.has(tab.key)).sort((a, b) => a.usedAt - b.usedAt)[0]
  const room = tabs.length >= maxTabs && idle ? tabs.filter((tab) => tab !== idle) : tabs
  return [...room, { key, screen, location, usedAt }]
}

/** The tab that comes forward when one closes: the last used of the others. */
export const fallbackTab = (tabs: readonly OpenTab[], closing: ReadonlySet<string>): OpenTab | undefined =>
  tabs.filter((tab) => !closing.has(tab.key)).sort((a, b) => b.usedAt - a.usedAt)[0]

export const addressOf = ({ pathname, search, hash }: Pick<Location, 'pathname' | 'search' | 'hash'>): string =>
  pathname + search + hash
