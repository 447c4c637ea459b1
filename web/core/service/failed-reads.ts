import { notifyManager, type Query } from '@tanstack/react-query'
import { useCallback, useSyncExternalStore } from 'react'
import { queryClient } from './use-call.ts'
import { isRefused } from './wire.ts'

/**
 * What is on the screen has asked for it, and has nothing of it. Reads that are quiet tell of their failure themselves.
 */
const isMissing = (query: Query): boolean =>
  query.isActive() && query.state.data === undefined && query.meta?.['quiet'] !== true
const isFailed = (query: Query): boolean => isMissing(query) && query.state.status === 'error'
const all = (): Query[] => queryClient.getQueryCache().getAll()

/** One that may come when it is read again, before one that the service has refused. */
const anyError = (): Error | null => {
  const errors = all().flatMap((query) => (isFailed(query) && query.state.error) || [])
  return errors.find((error) => !isRefused(error)) ?? errors[0] ?? null
}
const isAnyAwaited = (): boolean => all().some((query) => isMissing(query) && query.state.fetchStatus !== 'idle')
const isAnyFigureLacking = (): boolean => all().some((query) => isFailed(query) && query.meta?.['cost'] === 'statistic')
const subscribe = (onChange: () => void) => queryClient.getQueryCache().subscribe(notifyManager.batchCalls(onChange))

/**
 * The reads of the visible tab that failed and left nothing to show: why one of them did, and how to read all of them
 * again. `isAwaiting` while others are still under way.
 */
export function useFailedReads(): { error: Error | null; isAwaiting: boolean; refetch: () => void } {
  const error = useSyncExternalStore(subscribe, anyError)
  const isAwaiting = useSyncExternalStore(subscribe, isAnyAwaited)
  const refetch = useCallback(() => void queryClient.refetchQueries({ type: 'active', predicate: isFailed }), [])
  return { error, isAwaiting, refetch }
}

/** Whether a statistic on the screen was not read, so that figures are lacking. */
export const useIsFigureLacking = (): boolean => useSyncExternalStore(subscribe, isAnyFigureLacking)
