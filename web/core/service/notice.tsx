import { useSyncExternalStore } from 'react'
import { createPortal } from 'react-dom'

export type Tone = 'success' | 'warning' | 'error' | 'info'

/** One thing to do about what a message tells, offered for so many seconds. */
export interface NoticeAction {
  label: string
  run: () => void
  seconds?: number
}

interface Notice {
  id: number
  tone: Tone
  text: string
  act: NoticeAction | undefined
}

let notices: readonly Notice[] = []
let nextId = 1
const listeners = new Set<() => void>()
const stay: Record<Tone, number> = { success: 3000, info: 4000, warning: 5000, error: 6000 }

/**
 * Shows a short message above the page. The same text is never shown twice at once.
 * @param act offers one thing to do about it, such as 撤销; the message then stays for eight seconds, or as long as that
 *   can be done.
 */
export function notify(tone: Tone, text: string, act?: NoticeAction): void {
  const same = notices.find((notice) => notice.text === text && notice.tone === tone)
  if (same && !act) return
  const notice: Notice = { id: nextId++, tone, text, act }
  change([...notices.slice(-3), notice])
  setTimeout(() => dismiss(notice.id), act ? (act.seconds ?? 8) * 1000 : stay[tone])
}

function dismiss(id: number): void {
  if (notices.some((notice) => notice.id === id)) change(notices.filter((notice) => notice.id !== id))
}

function change(next: readonly Notice[]): void {
  notices = next
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Where the messages appear; stands once, beside the routes, so that a message outlives the page that caused it. */
export function Notices() {
  const shown = useSyncExternalStore(subscribe, () => notices)
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
          <span>{notice.text}</span>
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
