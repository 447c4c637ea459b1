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

let notices: readonly Notice[] = []
let nextId = 1
const listeners = new Set<() => void>()
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
  const same = notices.find((notice) => notice.text === text && notice.tone === tone)
  if (same && !act) return same.act ? undefined : stayFor(same.id, stay[tone])
  const notice: Notice = { id: nextId++, tone, text, act }
  change([...notices.slice(-3), notice])
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
  if (notices.some((notice) => notice.id === id)) change(notices.filter((notice) => notice.id !== id))
}

function change(next: readonly Notice[]): void {
  notices = next
  for (const listener of listeners) listener()
}

/** Has somebody told of every change until the function that comes back is called. */
export function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The messages that are shown now, the latest last. */
export const currentNotices = (): readonly Notice[] => notices
