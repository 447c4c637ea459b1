import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { messageApi } from '../../contract/school/messages/messages.calls.ts'
import { send } from '../core/service/api.ts'
import { isHere } from '../core/service/presence.ts'
import { queryKeyOf, queryClient } from '../core/service/use-call.ts'
import { readEvents } from './event-stream.ts'

/** How often the count is asked for where no stream tells it, in milliseconds. */
const pause = 60_000
/** Until a broken stream is tried again: soon, then less and less often. */
const tries = [2000, 10_000, 60_000, 300_000]

/**
 * How many messages are unread: told by the service as it changes, and asked for every minute where that does not work.
 * Only a window in sight holds a stream, for a browser has few connections; and an abandoned screen asks nothing, for
 * asking keeps its session alive.
 */
export function useUnread(): number {
  const { data, refetch } = useQuery({
    queryKey: queryKeyOf(messageApi.count, {}),
    queryFn: ({ signal }) => send(messageApi.count, {}, { signal, quiet: true }),
  })
  useEffect(() => {
    const live = watch(() => isHere() && void refetch())
    const timer = setInterval(() => !live.isOpen() && isHere() && void refetch(), pause)
    return () => {
      live.stop()
      clearInterval(timer)
    }
  }, [refetch])
  return data?.unread ?? 0
}

/** Keeps a stream open while the window is in sight, and writes what it tells where the count is kept. */
function watch(onLost: () => void): { isOpen: () => boolean; stop: () => void } {
  let stopper: AbortController | undefined
  let again: ReturnType<typeof setTimeout> | undefined
  let failures = 0
  let isOpen = false

  const open = async () => {
    if (stopper || document.visibilityState !== 'visible') return
    const own = (stopper = new AbortController())
    const end = await readEvents(messageApi.stream, own.signal, ({ event, data }) => {
      isOpen = true
      failures = 0
      if (event === 'unread') publish((data as { unread: number }).unread)
    })
    isOpen = false
    if (own.signal.aborted) return
    stopper = undefined
    // a session that is over is renewed by the person's next act, not by this
    if (end === 'refused') failures = tries.length
    else onLost()
    again = setTimeout(() => void open(), tries[Math.min(failures++, tries.length - 1)])
  }
  const close = () => {
    clearTimeout(again)
    stopper?.abort()
    stopper = undefined
    isOpen = false
  }
  const turn = () => (document.visibilityState === 'visible' ? (close(), void open()) : close())
  document.addEventListener('visibilitychange', turn)
  void open()
  return {
    isOpen: () => isOpen,
    stop: () => {
      document.removeEventListener('visibilitychange', turn)
      close()
    },
  }
}

/** The count first, so that the bell turns at once; then the lists that show messages. */
function publish(unread: number): void {
  const key = queryKeyOf(messageApi.count, {})
  const known = queryClient.getQueryData<{ unread: number }>(key)
  if (known?.unread === unread) return
  queryClient.setQueryData(key, (now: object | undefined) => (now ? { ...now, unread } : now))
  if (known)
    for (const call of [messageApi.count, messageApi.inbox])
      void queryClient.invalidateQueries({ queryKey: [call.path] })
}
