import { useCallback, useEffect, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import type { MenuGroup } from '../../contract/school/session/session.calls.ts'
import { notify } from '../core/service/notice.tsx'
import { sessionStore } from '../core/service/storage.ts'
import type { Unsaved } from '../core/service/tab.ts'
import { addressOf, fallbackTab, maxTabs, screenAt, tabKey, visit, type OpenTab } from './tabs.ts'

/** The open tabs, the one in front, and what can be done with them. */
export interface TabSet {
  tabs: readonly OpenTab[]
  active: OpenTab | undefined
  titles: Readonly<Record<string, string>>
  /** The tabs with unsaved work, and what becomes of it when they are left. */
  unsaved: ReadonlyMap<string, Unsaved>
  /** Counts reloads of a tab; a new number draws it afresh. */
  rounds: Readonly<Record<string, number>>
  setTitle: (key: string, title: string) => void
  setUnsaved: (key: string, unsaved: Unsaved | undefined) => void
  reload: (key: string) => void
  /**
   * Closes tabs; the last used of the others comes forward unless `href` says where to go.
   * @param replaces the address that is left is not kept for the way back
   */
  close: (keys: readonly string[], href?: string, replaces?: boolean) => void
}

const storeKey = 'tabs'
const nothing: ReadonlySet<string> = new Set()

/** Follows the address bar: every address belongs to one tab, which remembers it. */
export function useTabSet(menu: readonly MenuGroup[]): TabSet {
  const location = useLocation()
  const navigate = useNavigate()
  const [tabs, setTabs] = useState<OpenTab[]>(() => restored(menu))
  const [titles, setTitles] = useState<Record<string, string>>(() => restoredTitles(menu))
  const [unsaved, setUnsavedTabs] = useState<ReadonlyMap<string, Unsaved>>(new Map())
  const [rounds, setRounds] = useState<Record<string, number>>({})
  const [leaving, setLeaving] = useState<ReadonlySet<string>>(nothing)
  const screen = screenAt(menu, location.pathname)
  const key = screen && tabKey(screen, location.search)
  const active = tabs.find((tab) => tab.key === key)

  if (screen && active?.location.key !== location.key) setTabs(visit(tabs, screen, location, unsaved))
  if (leaving.size > 0 && (!key || !leaving.has(key))) {
    setLeaving(nothing)
    setTabs((now) => now.filter((tab) => !leaving.has(tab.key)))
    setUnsavedTabs((now) => new Map([...now].filter(([one]) => !leaving.has(one))))
  }

  useEffect(() => {
    sessionStore.set(
      storeKey,
      tabs.map((tab) => ({ address: addressOf(tab.location), title: titles[tab.key] })),
    )
  }, [tabs, titles])

  useEffect(() => {
    if (tabs.length > maxTabs) notify('info', `已打开 ${tabs.length} 个页签且都有未保存的内容，请保存后关闭一些`)
  }, [tabs.length])

  const close = useCallback(
    (keys: readonly string[], href?: string, replaces = false) => {
      const gone = new Set(keys)
      const remembered = href && tabs.find((tab) => tab.key === href && !gone.has(tab.key))
      const next = remembered || fallbackTab(tabs, gone)
      const target = remembered ? addressOf(remembered.location) : (href ?? (next ? addressOf(next.location) : '/home'))
      setLeaving(gone)
      if (href || (key && gone.has(key))) void navigate(target, { replace: replaces })
    },
    [tabs, key, navigate],
  )
  const setTitle = useCallback(
    (one: string, title: string) => setTitles((now) => (now[one] === title ? now : { ...now, [one]: title })),
    [],
  )
  const setUnsaved = useCallback(
    (one: string, becomes: Unsaved | undefined) =>
      setUnsavedTabs((now) => {
        if (now.get(one) === becomes) return now
        const others = [...now].filter(([other]) => other !== one)
        return new Map(becomes ? [...others, [one, becomes] as const] : others)
      }),
    [],
  )
  const reload = useCallback((one: string) => setRounds((now) => ({ ...now, [one]: (now[one] ?? 0) + 1 })), [])
  return { tabs, active, titles, unsaved, rounds, setTitle, setUnsaved, reload, close }
}

const saved = () => (sessionStore.get<{ address: string; title?: string }[]>(storeKey) ?? []).slice(0, maxTabs)

/** What the tabs of before a reload were called, by key: until each is drawn, nothing else says what it shows. */
function restoredTitles(menu: readonly MenuGroup[]): Record<string, string> {
  return Object.fromEntries(
    saved().flatMap(({ address, title }) => {
      const { pathname, search } = new URL(address, window.location.origin)
      const screen = screenAt(menu, pathname)
      return screen && title ? [[tabKey(screen, search), title]] : []
    }),
  )
}

/** The tabs of before a reload come back as addresses; each is drawn when it is first visited. */
function restored(menu: readonly MenuGroup[]): OpenTab[] {
  return saved().flatMap(({ address }, at) => {
    const { pathname, search, hash } = new URL(address, window.location.origin)
    const screen = screenAt(menu, pathname)
    return screen
      ? [
          {
            key: tabKey(screen, search),
            screen,
            location: { pathname, search, hash, state: null, key: `saved-${at}` },
            usedAt: at,
          },
        ]
      : []
  })
}
