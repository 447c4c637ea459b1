import { QueryClientProvider } from '@tanstack/react-query'
import EllipsisOutlined from '@ant-design/icons/EllipsisOutlined'
import LoadingOutlined from '@ant-design/icons/LoadingOutlined'
import { ConfigProvider } from 'antd'
import zhCN from 'antd/locale/zh_CN'
import dayjs from 'dayjs'
import 'dayjs/locale/zh-cn'
import { useEffect, useState, type ReactNode } from 'react'
import { ActionDialogs } from '../core/action/action-dialog.tsx'
import { ExportDialog } from '../core/action/export.tsx'
import { useBusy } from '../core/service/busy.ts'
import { emptyText } from '../core/parts/empty-state.tsx'
import { queryClient } from '../core/service/use-call.ts'
import '../styles/console.css'
import { antdTheme } from './antd-theme.ts'
import { CrashNotice } from './crash.tsx'
import { Layout } from './layout.tsx'
import { ApiError } from '../core/service/wire.ts'
import { openSession, useSession } from './session.ts'
import { useTheme } from './theme.ts'

dayjs.locale('zh-cn')

/**
 * Everything behind the sign-in: the kit's theme, the query cache, the frame, and the dialogs that belong to no page.
 */
export function Shell() {
  const { isDark } = useTheme()
  useEffect(() => () => queryClient.clear(), [])
  const isStill = window.matchMedia('(prefers-reduced-motion: reduce)').matches
  return (
    <ConfigProvider
      locale={zhCN}
      theme={antdTheme(isDark, isStill)}
      // the default icon fades, sometimes for ever
      button={{ autoInsertSpace: false, loadingIcon: <LoadingOutlined /> }}
      renderEmpty={() => emptyText}
      // the button to the tabs that a narrow window has no room for has no name otherwise
      tabs={{ more: { icon: <EllipsisOutlined aria-label="更多页签" /> } }}
      form={{ requiredMark: requiredMark }}
    >
      <QueryClientProvider client={queryClient}>
        <Opened />
        <ActionDialogs />
        <ExportDialog />
        <BusyOverlay />
      </QueryClientProvider>
    </ConfigProvider>
  )
}

/** Waits for profile and menu; their failure is told with a way to try again. */
function Opened() {
  const session = useSession()
  const [error, setError] = useState<unknown>()
  useEffect(() => {
    if (!session) openSession().catch(setError)
  }, [session])
  if (session) return <Layout session={session} />
  // of a credential that has run out the sign-in page tells, which is on its way
  const isLeaving = error instanceof ApiError && error.kind === 'expired'
  if (error && !isLeaving) return <CrashNotice error={error} onRetry={() => window.location.reload()} />
  return <p className="boot">正在打开第二课堂管理平台…</p>
}

function BusyOverlay() {
  const isBusy = useBusy()
  if (!isBusy) return null
  return (
    <div className="busy" role="alert" aria-busy="true">
      <div className="busy-box">
        <i className="busy-ring" aria-hidden="true" />
        数据处理中
      </div>
    </div>
  )
}

const requiredMark = (label: ReactNode, { required }: { required: boolean }): ReactNode =>
  required ? (
    <>
      <span className="required-star" aria-hidden="true">
        *
      </span>
      {label}
    </>
  ) : (
    label
  )
