import type { Query } from '@tanstack/react-query'
import { useEffect, useEffectEvent } from 'react'
import type { Call, Input } from '../../../contract/core/call.ts'
import { send } from './api.ts'
import { isHere } from './presence.ts'
import { queryClient } from './use-call.ts'

/**
 * Asks what is on the screen of these calls anew every so often, while somebody is there and the tab is in front: for
 * lists that others add to while one looks on. Nobody has asked for it, so a failure is not told and takes nothing from
 * the screen; the next round tries again.
 * @param everyMs false for not at all
 */
export function useKeptFresh(calls: readonly Call[], everyMs: number | false): void {
  const ask = useEffectEvent(() => {
    for (const call of calls)
      for (const query of queryClient.getQueryCache().findAll({ queryKey: [call.path], type: 'active' }))
        void follow(call, query)
  })
  useEffect(() => {
    if (everyMs === false) return
    const timer = setInterval(() => isHere() && ask(), everyMs)
    return () => clearInterval(timer)
  }, [everyMs])
}

/** What is being read: an answer that takes longer than a round is waited for. */
const underWay = new WeakSet<Query>()

/**
 * Reads one answer anew beside the cache, where a failure would become the state of what is shown. Whatever has
 * happened to the shown answer meanwhile is newer and stays.
 */
async function follow(call: Call, query: Query): Promise<void> {
  const before = query.state
  if (before.data === undefined || before.fetchStatus !== 'idle' || underWay.has(query)) return
  underWay.add(query)
  try {
    const answer = await send(call, query.queryKey[1] as Input<Call>, { quiet: true })
    if (query.state === before) queryClient.setQueryData(query.queryKey, answer)
  } catch {
    // the next round tries again
  } finally {
    underWay.delete(query)
  }
}
