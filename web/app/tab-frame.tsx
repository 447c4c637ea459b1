import {
  Activity,
  Component,
  startTransition,
  Suspense,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  type ComponentType,
  type ReactNode,
  type RefObject,
} from 'react'
import { Route, Routes } from 'react-router'
import { enterPage } from '../core/service/rights.ts'
import { TabContext, type Tab, type Unsaved } from '../core/service/tab.ts'
import { MissingId, missingOf } from './missing-id.tsx'
import { CrashNotice } from './crash.tsx'
import { pageAt } from './page-loaders.ts'
import { useSession } from './session.ts'
import type { TabSet } from './tab-set.ts'
import type { OpenTab } from './tabs.ts'

interface FrameProps {
  tab: OpenTab
  isActive: boolean
  set: TabSet
  /** Rights usable on the screen; undefined where the person may not open it. */
  elements: readonly string[] | undefined
}

/** One tab: its screen under its own address, kept as it was while another tab is in front. */
export function TabFrame({ tab, isActive, set, elements }: FrameProps) {
  const [wasShown, setWasShown] = useState(isActive)
  const front = useRef(isActive)
  useLayoutEffect(() => {
    front.current = isActive
  }, [isActive])
  if (isActive && !wasShown) setWasShown(true)
  if (!wasShown) return null
  return (
    <Activity mode={isActive ? 'visible' : 'hidden'}>
      <TabBody tab={tab} front={front} set={set} elements={elements} />
    </Activity>
  )
}

/** What becomes of a tab's unsaved work as a whole: the worst of its parts; undefined where there is none. */
const worstOf = (parts: readonly Unsaved[]): Unsaved | undefined =>
  (['lost', 'partlyKept', 'kept'] as const).find((one) => parts.includes(one))

function TabBody({ tab, front, set, elements }: Omit<FrameProps, 'isActive'> & { front: RefObject<boolean> }) {
  const frame = useRef<HTMLElement>(null)
  const offset = useRef(0)
  const unsavedParts = useRef(new Map<string, Unsaved>())
  const { key, screen } = tab
  const round = set.rounds[key] ?? 0
  const { setTitle, setUnsaved, close } = set
  const title = set.titles[key] ?? screen.title

  const missing = missingOf(tab)
  const userName = useSession()?.profile.suNickname ?? ''
  const [rights, setRights] = useState<ReadonlySet<string>>(() => enterPage(screen.path, elements))
  const context = useMemo<Tab>(
    () => ({
      path: screen.path,
      title: screen.title,
      userName,
      elements: rights,
      scroller: () => frame.current ?? document.documentElement,
      setTitle: (name) => setTitle(key, name),
      setUnsaved: (part, unsaved) => {
        const parts = unsavedParts.current
        if (unsaved) parts.set(part, unsaved)
        else parts.delete(part)
        setUnsaved(key, worstOf([...parts.values()]))
      },
      isFront: () => front.current,
      close: (href, replaces) => close([key], href, replaces),
    }),
    [screen, userName, rights, key, setTitle, setUnsaved, close, front],
  )

  // drawn afresh, a screen has nothing to lose; parts of a tab in the back cannot say so themselves
  useLayoutEffect(() => {
    unsavedParts.current.clear()
    setUnsaved(key, undefined)
  }, [round, key, setUnsaved])
  // Effects run whenever the tab comes to the front: the page's rights are saved, and the page gets its scroll back.
  useLayoutEffect(() => {
    const saved = enterPage(screen.path, elements)
    setRights((now) => (now.size === saved.size && [...saved].every((right) => now.has(right)) ? now : saved))
    frame.current?.scrollTo({ top: offset.current })
  }, [screen, elements])

  // a page being hidden reports one last scroll to the top, which is not the person's
  const keepOffset = (page: HTMLElement, source: EventTarget) => {
    if (source === page && page.clientHeight > 0) offset.current = page.scrollTop
  }

  return (
    <section
      ref={frame}
      className="tab-page"
      aria-label={title}
      tabIndex={-1}
      onScroll={(event) => keepOffset(event.currentTarget, event.target)}
    >
      <TabContext value={context}>
        <TabBoundary key={round} onRetry={() => set.reload(key)}>
          <Suspense fallback={<PageSkeleton />}>
            <Routes location={tab.location}>
              <Route
                path="*"
                element={
                  !elements ? <NoRight /> : missing ? <MissingId {...missing} /> : <ScreenOf path={screen.path} />
                }
              />
            </Routes>
          </Suspense>
        </TabBoundary>
      </TabContext>
    </section>
  )
}

/**
 * A screen, whose bones stand first: its code may still have to come, and where it is there, drawing so much for the
 * first time takes longer than somebody waits for an answer to their click. A lazy component of React's is not used:
 * React would keep the bones of one it must wait for, however shortly, for a third of a second (decision 135).
 */
function ScreenOf({ path }: { path: string }) {
  const [{ Page, error }, setLoaded] = useState<{ Page?: ComponentType; error?: unknown }>({})
  useEffect(() => {
    let isGone = false
    pageAt(path)!().then(
      (loaded) => isGone || startTransition(() => setLoaded({ Page: loaded })),
      (failure: unknown) => isGone || setLoaded({ error: failure ?? new Error('未知错误') }),
    )
    return () => {
      isGone = true
    }
  }, [path])
  if (error) throw error
  return Page ? <Page /> : <PageSkeleton />
}

function NoRight() {
  return (
    <div className="crash">
      <h1>无法打开此页面</h1>
      <p>您的角色没有查看它的权限。如工作需要，请联系学校管理员开通。</p>
    </div>
  )
}

/** A fault of one screen stays in its tab. */
class TabBoundary extends Component<{ children: ReactNode; onRetry: () => void }, { error: unknown }> {
  override state: { error: unknown } = { error: undefined }

  static getDerivedStateFromError(error: unknown) {
    return { error: error ?? new Error('未知错误') }
  }

  override render() {
    return this.state.error ? (
      <CrashNotice error={this.state.error} onRetry={this.props.onRetry} />
    ) : (
      this.props.children
    )
  }
}

/** What stands in for a screen until it is drawn: the shape of a list, without the kit. */
function PageSkeleton() {
  return (
    <div className="page" role="status" aria-busy="true" aria-label="正在载入">
      <div className="bone" style={{ width: 160, height: 28 }} />
      <div className="bone" style={{ width: 240, height: 16, marginTop: 10 }} />
      <div className="card" style={{ marginTop: 20, padding: 20 }}>
        {[0, 1, 2, 3, 4, 5, 6, 7].map((line) => (
          <div key={line} className="bone" style={{ height: 18, margin: '11px 0', width: `${96 - (line % 3) * 9}%` }} />
        ))}
      </div>
    </div>
  )
}
