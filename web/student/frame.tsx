import { useEffect, useSyncExternalStore } from 'react'
import { NavLink, Navigate, Outlet, useLocation } from 'react-router'
import { useSession } from '../app/session.ts'
import { refreshAll } from '../core/service/use-call.ts'
import { usePull } from './parts/use-pull.ts'
import { heldPage, homeOf, isStaff, opensTo } from './held.ts'
import { FreshCode } from './parts/fresh-code.tsx'
import { SignInAgain } from './parts/sign-in-again.tsx'
import { keepOnPhone } from './worker/register.ts'
import { useUnread } from '../app/use-unread.ts'
import { useHandIn } from './signing/kept-scans.ts'

const tabs = [
  ['/activities', '活动', 'M5 6h14v14H5zM5 10h14M9 3v4M15 3v4'],
  ['/record', '我的记录', 'M5 20V10M12 20V4M19 20v-7'],
  ['/supplements', '补录', 'M12 5v14M5 12h14'],
  ['/messages', '消息', 'M4 6h16v11H9l-5 4z'],
  ['/me', '我', 'M12 12a4 4 0 100-8 4 4 0 000 8zM4 21c1-5 15-5 16 0'],
] as const

/** What stands around every page: for students the tabs at the lower edge, in reach of the thumb. */
export function Frame() {
  const session = useSession()
  const { pathname } = useLocation()
  useEffect(keepOnPhone, [])
  const pull = usePull(refreshAll)
  const isOnline = useSyncExternalStore(subscribeOnline, () => navigator.onLine)
  if (!session) return null
  const { profile } = session
  const held = heldPage(profile)
  if (held && pathname !== held) return <Navigate to={held} replace />
  if (!held && !opensTo(profile, pathname)) return <Navigate to={homeOf(profile)} replace />
  return (
    <>
      {pull !== 'idle' && (
        <p className="s-pull" role="status">
          {pull === 'busy' ? '正在刷新…' : '松开刷新'}
        </p>
      )}
      {!isOnline && (
        <p className="s-offline" role="status">
          没有网络，显示的可能不是最新内容
        </p>
      )}
      {profile.isGraduate && (
        <p className="s-standing" role="note">
          已毕业，账号只读：可以查看记录、申请和下载成绩单与证书
        </p>
      )}
      <Outlet />
      <FreshCode />
      <SignInAgain />
      {!isStaff(profile) && <StudentTabs suId={profile.id} />}
    </>
  )
}

function subscribeOnline(listener: () => void): () => void {
  window.addEventListener('online', listener)
  window.addEventListener('offline', listener)
  return () => {
    window.removeEventListener('online', listener)
    window.removeEventListener('offline', listener)
  }
}

/** The tabs; beside them what was scanned without network is handed in. */
function StudentTabs({ suId }: { suId: string }) {
  const unread = useUnread()
  useHandIn(suId)
  return (
    <nav className="s-bar" aria-label="主要页面">
      {tabs.map(([to, name, path]) => (
        <NavLink key={to} to={to}>
          <svg viewBox="0 0 24 24" width="24" height="24" aria-hidden="true">
            <path
              d={path}
              fill="none"
              stroke="currentColor"
              strokeWidth="2"
              strokeLinecap="round"
              strokeLinejoin="round"
            />
          </svg>
          {name}
          {to === '/messages' && unread > 0 && (
            <span className="s-count">
              {unread > 99 ? '99+' : unread}
              <span className="visually-hidden">条未读</span>
            </span>
          )}
        </NavLink>
      ))}
    </nav>
  )
}
