import { createStore } from './store.ts'

export type Tone = 'success' | 'warning' | 'error' | 'info'

/** One thing to do about what a message tells, offered for so many seconds. */
export interface NoticeAction {
  label: string
  run: () => void
  seconds?: number
}

export interface Notice {
  id: number
  tone: Tone
  text: string
  act: NoticeAction | undefined
}

/** The messages that are shown now, the latest last. */
export const notices = createStore<readonly Notice[]>([])
let nextId = 1
const stay: Record<Tone, number> = { success: 3000, info: 4000, warning: 5000, error: 6000 }

/** When each message goes by itself. */
const timers = new Map<number, ReturnType<typeof setTimeout>>()

/**
 * Shows a short message above the page. The same text is never shown twice at once: said again, it stays as long as if
 * it had only come now.
 * @param act offers one thing to do about it, such as 撤销; the message then stays for eight seconds, or as long as that
 *   can be done.
 */
export function notify(tone: Tone, text: string, act?: NoticeAction): void {
  const same = notices.get().find((notice) => notice.text === text && notice.tone === tone)
  if (same && !act) return same.act ? undefined : stayFor(same.id, stay[tone])
  const notice: Notice = { id: nextId++, tone, text, act }
  notices.set([...notices.get().slice(-3), notice])
  stayFor(notice.id, act ? (act.seconds ?? 8) * 1000 : stay[tone])
}

function stayFor(id: number, ms: number): void {
  clearTimeout(timers.get(id))
  timers.set(
    id,
    setTimeout(() => dismiss(id), ms),
  )
}

/** Takes a message away. */
export function dismiss(id: number): void {
  clearTimeout(timers.get(id))
  timers.delete(id)
  const others = notices.get().filter((notice) => notice.id !== id)
  if (others.length < notices.get().length) notices.set(others)
}
