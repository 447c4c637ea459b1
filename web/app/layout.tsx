import MenuOutlined from '@ant-design/icons/MenuOutlined'
import { lazy, Suspense, useCallback, useEffect, useMemo, useState } from 'react'
import { useBlocker, useLocation, useNavigate } from 'react-router'
import { Dialog } from '../core/parts/dialog.tsx'
import { onHeld, onLink } from '../core/service/api.ts'
import { notify } from '../core/service/notice.tsx'
import { usePref } from '../core/service/prefs.ts'
import type { Unsaved } from '../core/service/tab.ts'
import { useIsPhone, useIsTight } from '../core/parts/use-width.ts'
import { noteScreen } from './favourites.ts'
import { FreshCode } from './fresh-code.tsx'
import { Header } from './header.tsx'
import { heldPath } from './held.ts'
import { elementsAt, shownMenu } from './menu.ts'
import { fetchAhead, pageAt } from './page-loaders.ts'
import { Brand, SideMenu } from './side-menu.tsx'
import { SignInAgain } from './sign-in-again.tsx'
import { unsavedText } from './unsaved-text.ts'
import { TabBar } from './tab-bar.tsx'
import { TabFrame } from './tab-frame.tsx'
import { useTabSet } from './tab-set.ts'
import { addressOf, fallbackTab } from './tabs.ts'
import { reopenSession, type Session } from './session.ts'

/** Only a phone needs the drawer's code. */
const PhoneMenu = lazy(() => import('./phone-menu.tsx').then((menu) => ({ default: menu.PhoneMenu })))

/** The frame of the console: menu, header, tabs, and the screens in them. */
export function Layout({ session }: { session: Session }) {
  const { profile, menu } = session
  const { pathname } = useLocation()
  const navigate = useNavigate()
  const isPhone = useIsPhone()
  const isTight = useIsTight()
  const [keptNarrow, keepNarrow] = usePref('menu-narrow', false)
  // what is opened over a page that has no room for it is no wish for other windows
  const [isOpened, setOpened] = useState(false)
  const isNarrow = isTight ? !isOpened : keptNarrow
  const [isDrawerOpen, setDrawerOpen] = useState(false)
  const set = useTabSet(menu)
  const groups = useMemo(() => shownMenu(menu), [menu])
  const held = heldPath(profile)
  const isHeldBack = held !== undefined && pathname !== held
  const active = set.active
  const title = active ? (set.titles[active.key] ?? active.screen.title) : ''

  useEffect(() => {
    if (title) document.title = `${title} · 第二课堂管理平台`
  }, [title])
  useEffect(() => setDrawerOpen(false), [pathname])
  const screen = active?.screen.path
  useEffect(() => {
    if (screen) noteScreen(screen)
  }, [screen])
  useEffect(() => {
    if (held !== undefined) return
    let isAsked = false
    onHeld(() => {
      if (!isAsked) void reopenSession().catch(() => undefined)
      isAsked = true
    })
    return () => onHeld(undefined)
  }, [held])
  useEffect(() => {
    onLink((link) => void navigate(link))
    return () => onLink(undefined)
  }, [navigate])
  useEffect(() => {
    if (isHeldBack) void navigate(held, { replace: true })
  }, [isHeldBack, held, navigate])
  const toggleMenu = useCallback(
    () => (isPhone ? setDrawerOpen(true) : isTight ? setOpened(isNarrow) : keepNarrow(!isNarrow)),
    [isPhone, isTight, isNarrow, keepNarrow],
  )
  if (isHeldBack) return null

  return (
    <div className={`shell${isNarrow ? ' shell-narrow' : ''}`} onPointerOver={fetchAhead} onFocus={fetchAhead}>
      <a
        className="skip-link"
        href="#content"
        onClick={(event) => (event.preventDefault(), document.getElementById('content')?.focus())}
      >
        跳到主要内容
      </a>
      {!isPhone && (
        <aside className="side">
          <Brand isNarrow={isNarrow} />
          <SideMenu groups={groups} path={pathname} isNarrow={isNarrow} tabs={set.tabs} />
        </aside>
      )}
      {isPhone && isDrawerOpen && (
        <Suspense>
          <PhoneMenu onClose={() => setDrawerOpen(false)}>
            <SideMenu groups={groups} path={pathname} isNarrow={false} tabs={set.tabs} />
          </PhoneMenu>
        </Suspense>
      )}
      <div className="body">
        <Header
          session={session}
          groups={groups}
          set={set}
          title={title}
          toggle={
            <button
              type="button"
              className="icon-button"
              aria-label={isPhone ? '打开菜单' : isNarrow ? '展开菜单' : '收起菜单'}
              onClick={toggleMenu}
            >
              <MenuOutlined />
            </button>
          }
        />
        <TabBar set={set} />
        <main id="content" className="content" tabIndex={-1}>
          {set.tabs.map((tab) => (
            <TabFrame
              key={tab.key}
              tab={tab}
              isActive={tab === active}
              set={set}
              elements={elementsAt(menu, tab.screen.path)}
            />
          ))}
          {!active && <NotFoundAfter address={lastAddress(set.tabs)} />}
        </main>
      </div>
      <LeaveGuard unsaved={set.unsaved} />
      <SignInAgain unsaved={[...set.unsaved.values()]} />
      <FreshCode />
    </div>
  )
}

/** Waits a moment for the tab of a fresh address to be made before calling the address unknown. */
function NotFoundAfter({ address }: { address: string | undefined }) {
  const { pathname } = useLocation()
  return pageAt(pathname) ? null : <NotFound previous={address} />
}

const lastAddress = (tabs: Parameters<typeof fallbackTab>[0]): string | undefined => {
  const tab = fallbackTab(tabs, new Set())
  return tab && addressOf(tab.location)
}

/** Tabs keep their work when another comes forward; only leaving the console loses it, and that is asked about. */
function LeaveGuard({ unsaved }: { unsaved: ReadonlyMap<string, Unsaved> }) {
  // whose credential is gone has been asked already, and could save nothing any more
  const isExpired = (state: unknown) => (state as { isExpired?: boolean } | null)?.isExpired === true
  const blocker = useBlocker(
    ({ nextLocation }) =>
      unsaved.size > 0 &&
      !isExpired(nextLocation.state) &&
      (nextLocation.pathname === '/' || nextLocation.pathname === '/retrievePassword'),
  )
  useEffect(() => {
    if (unsaved.size === 0) return
    const warn = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', warn)
    return () => window.removeEventListener('beforeunload', warn)
  }, [unsaved.size])
  // who signs out leaves no drafts behind
  const signsOut = (blocker.location?.state as { signOut?: boolean } | null | undefined)?.signOut === true
  const works = [...unsaved.values()].map((one) => (signsOut ? 'lost' : one))
  return (
    <Dialog
      open={blocker.state === 'blocked'}
      title="有未保存的内容"
      okText="仍要离开"
      okButtonProps={{ danger: true }}
      cancelText="继续编辑"
      onOk={() => blocker.proceed?.()}
      onCancel={() => blocker.reset?.()}
      width={420}
    >
      <p>{unsavedText(works, '离开')}</p>
    </Dialog>
  )
}

/** An address without a screen: back to the screen that was open before, or to the login page if there was none. */
function NotFound({ previous }: { previous: string | undefined }) {
  const { pathname } = useLocation()
  const navigate = useNavigate()
  useEffect(() => {
    notify('warning', previous ? '页面不存在，已回到上一个页面' : '页面不存在，已回到登录页')
    void navigate(previous ?? '/', { replace: true, state: { stay: true } })
  }, [pathname])
  return null
}
