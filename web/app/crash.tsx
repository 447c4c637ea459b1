import { useRouteError } from 'react-router'

/** What a person sees when a page could not be fetched or drawn: nothing was lost, and what to do now. */
export function Crash() {
  const error = useRouteError()
  return <CrashNotice error={error} onRetry={() => window.location.reload()} />
}

/** The notice itself; also stands inside a single tab, where the rest of the console goes on working. */
export function CrashNotice({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const isChunk = error instanceof Error && /import|preload|chunk|module/i.test(error.message)
  return (
    <div className="crash" role="alert">
      <h1>{isChunk ? '页面未能载入' : '页面出现错误'}</h1>
      <p>
        {isChunk
          ? '系统可能刚刚更新，或网络暂时中断。重新载入即可继续，已提交的数据不受影响。'
          : '已提交的数据不受影响。请重新载入；若仍出现，请联系管理员。'}
      </p>
      {error instanceof Error && <p className="crash-detail">{error.message}</p>}
      <button type="button" className="plain-button" onClick={onRetry}>
        重新载入
      </button>
    </div>
  )
}
