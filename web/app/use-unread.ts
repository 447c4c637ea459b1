import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { messageApi } from '../../contract/messages/messages.calls.ts'
import { send } from '../core/api.ts'
import { keyOf } from '../core/use-call.ts'

/** How often the count is asked for, and how long after the last movement still, in milliseconds. */
const pause = 60_000
const patience = 10 * 60_000
const movements = ['pointerdown', 'keydown', 'wheel'] as const

/**
 * How many messages are unread: asked for every minute and after every act. Not asked for while the window is out of sight or
 * nobody is at it: the asking would keep the session of an abandoned screen alive for ever. Failures are not worth a message.
 */
export function useUnread(): number {
  const { data, refetch } = useQuery({ queryKey: keyOf(messageApi.count, {}), queryFn: ({ signal }) => send(messageApi.count, {}, { signal, quiet: true }) })
  useEffect(() => {
    let moved = Date.now()
    const note = () => (moved = Date.now())
    for (const movement of movements) window.addEventListener(movement, note, { passive: true })
    const timer = setInterval(() => document.visibilityState === 'visible' && Date.now() - moved < patience && void refetch(), pause)
    return () => {
      clearInterval(timer)
      for (const movement of movements) window.removeEventListener(movement, note)
    }
  }, [refetch])
  return data?.unread ?? 0
}
