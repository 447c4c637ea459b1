import type { ReactNode } from 'react'

/** The words of an empty table or choice. */
export const emptyText = '暂无数据'

/** What stands where nothing is: why, and what to do next. */
export function EmptyState({ text = emptyText, hint, next }: { text?: string; hint?: ReactNode; next?: ReactNode }) {
  return (
    <div className="empty">
      <svg viewBox="0 0 64 48" width="64" height="48" aria-hidden="true">
        <path d="M8 26 16 8h32l8 18v14a3 3 0 0 1-3 3H11a3 3 0 0 1-3-3z" />
        <path d="M8 26h14a3 3 0 0 1 3 3 4 4 0 0 0 4 4h6a4 4 0 0 0 4-4 3 3 0 0 1 3-3h14" />
      </svg>
      <p>{text}</p>
      {hint && <p className="empty-hint">{hint}</p>}
      {next && <div className="empty-next">{next}</div>}
    </div>
  )
}

/** What stands in the place of what could not be read. */
export const NotRead = ({ onRetry }: { onRetry: () => void }) => (
  <EmptyState
    text="未能取得数据"
    hint="可能是网络暂时中断，请重试。"
    next={
      <button type="button" className="plain-button" onClick={onRetry}>
        重试
      </button>
    }
  />
)
