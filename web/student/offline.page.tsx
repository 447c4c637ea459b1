import { useEffect, useEffectEvent } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { sessionApi } from '../../contract/school/session/session.calls.ts'
import { send } from '../core/service/api.ts'
import { useSend } from '../core/service/use-call.ts'
import { ownPath } from './own-path.ts'
import { Page } from './parts/page.tsx'

const retryMs = 5000
const stillAway = () => undefined

/** What is shown where the pages are on the phone and the service cannot be reached. */
export function OfflinePage() {
  const [query] = useSearchParams()
  const navigate = useNavigate()
  const target = ownPath(query.get('from')) ?? '/activities'
  const { send: ask, isSending } = useSend(sessionApi.menuTree)
  const retry = useEffectEvent(() => void navigate(target, { replace: true }))
  useEffect(() => {
    const again = () => retry()
    window.addEventListener('online', again)
    // a phone is told that it has a network before anything can be reached by it, and not at all when the service is
    // back after maintenance: it is asked in quiet
    const timer = setInterval(() => {
      if (!document.hidden && navigator.onLine) send(sessionApi.menuTree, {}, { quiet: true }).then(again, stillAway)
    }, retryMs)
    return () => {
      window.removeEventListener('online', again)
      clearInterval(timer)
    }
  }, [])
  return (
    <Page title="没有连上学校的服务" isRoot>
      <div className="s-empty" role="alert">
        <p>手机没有网络，或学校的服务正在维护。您的登录仍然有效，已提交的内容不受影响。</p>
        <p>为保护您的信息，本机不保存活动、成绩等内容，联网后才能查看。</p>
        <button
          type="button"
          className="s-button s-primary"
          disabled={isSending}
          onClick={() => void ask({}).then(() => navigate(target, { replace: true }), stillAway)}
        >
          {isSending ? '正在重试…' : '重试'}
        </button>
      </div>
    </Page>
  )
}
