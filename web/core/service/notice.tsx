import { createPortal } from 'react-dom'
import { nestQuotes } from '../../../contract/core/quotes.ts'
import { dismiss, notices, type Tone } from './notice-store.ts'
import { useStore } from './store.ts'

export { notify, type NoticeAction, type Tone } from './notice-store.ts'

/** Where the messages appear; stands once, beside the routes, so that a message outlives the page that caused it. */
export function Notices() {
  const shown = useStore(notices)
  return createPortal(
    <div className="notices" role="status" aria-live="polite">
      {shown.map((notice) => (
        <div
          key={notice.id}
          className={`notice notice-${notice.tone}`}
          role={notice.tone === 'error' ? 'alert' : undefined}
        >
          <i className="notice-mark" aria-hidden="true">
            {marks[notice.tone]}
          </i>
          <span>{nestQuotes(notice.text)}</span>
          {notice.act && (
            <button
              type="button"
              onClick={() => {
                notice.act?.run()
                dismiss(notice.id)
              }}
            >
              {notice.act.label}
            </button>
          )}
          <button type="button" className="notice-close" aria-label="关闭提示" onClick={() => dismiss(notice.id)}>
            ×
          </button>
        </div>
      ))}
    </div>,
    document.body,
  )
}

const marks: Record<Tone, string> = { success: '✓', warning: '!', error: '×', info: 'i' }
