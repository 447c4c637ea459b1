import {
  keepPreviousData,
  QueryClient,
  useIsFetching,
  useQuery,
  type UseQueryOptions,
  type UseQueryResult,
} from '@tanstack/react-query'
import { useCallback, useState } from 'react'
import type { Call, Input, Output } from '../../../contract/core/call.ts'
import { send, type SendOptions } from './api.ts'

/**
 * The console's cache of answers. What a tab in the back has read is kept for half a day's work: a screen whose answers
 * were gone would be drawn from the beginning when it comes to the front, and what was typed in it lost. Keys begin
 * with the call's path, so `queryKey: [call.path]` names all answers of a call.
 */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      retry: false,
      staleTime: 10_000,
      gcTime: 4 * 3600_000,
      refetchOnWindowFocus: false,
      // without a network a call fails and says so; held back until there is one, it would leave other rows standing
      networkMode: 'always',
    },
  },
})

export const queryKeyOf = (call: Call, input: unknown): readonly [string, unknown] => [call.path, input]

interface CallOptions {
  /** False holds the call back, until an id is known for instance. */
  enabled?: boolean
  /** Keeps showing the answer of the former input while the next one comes. */
  keepPrevious?: boolean
  /** How long an answer counts as fresh, in milliseconds; choices that hardly change may say minutes. */
  staleTime?: number
  /** Milliseconds until it is asked again, by the last answer; for what goes on in the background. */
  refetchInterval?: (answer: unknown) => number | false
  /** Asked again when somebody comes back to the window; for what is only good for moments. */
  refetchOnWindowFocus?: boolean
  /** Failures are not told: what shows the answer says so in its place. */
  quiet?: boolean
}

/** The answer of a call; undefined until it is there. */
export type Answer<C extends Call> = Output<C> | undefined

/** The answer of a reading call, cached by path and input. Failures have been told to the person. */
export const useCall = <C extends Call>(call: C, input: Input<C>, options?: CallOptions): UseQueryResult<Output<C>> =>
  useQuery(queryOf(call, input, options))

/** A reading call as the cache knows it. */
export function queryOf<C extends Call>(
  call: C,
  input: Input<C>,
  {
    enabled = true,
    keepPrevious = false,
    staleTime,
    refetchInterval,
    refetchOnWindowFocus,
    quiet = false,
  }: CallOptions = {},
): UseQueryOptions<Output<C>> {
  return {
    queryKey: queryKeyOf(call, input),
    queryFn: ({ signal }) => send(call, input, { signal, quiet }),
    enabled,
    meta: { cost: call.cost, quiet },
    ...(keepPrevious && { placeholderData: keepPreviousData as never }),
    ...(staleTime !== undefined && { staleTime: staleTime }),
    ...(refetchOnWindowFocus !== undefined && { refetchOnWindowFocus }),
    ...(refetchInterval && { refetchInterval: ({ state }) => refetchInterval(state.data) }),
  }
}

/**
 * Asks for what a part of a screen will show once it is drawn, beside what the screen waits for; the part itself asks
 * with the same input, and again where this one failed.
 */
export const askAhead = <C extends Call>(call: C, input: Input<C>, options?: CallOptions): void =>
  void queryClient.prefetchQuery(queryOf(call, input, options))

/**
 * Whether figures on the screen are still those of a former question: the answer of a statistic to the present one has
 * not come yet.
 */
export const useIsFormer = (): boolean =>
  useIsFetching({
    predicate: (query) => query.meta?.['cost'] === 'statistic' && query.state.data === undefined && query.isActive(),
  }) > 0

/** A call made on demand. `isSending` is true meanwhile; what is on the screen is refreshed after a write. */
export function useSend<C extends Call>(
  call: C,
): { send: (input: Input<C>, options?: SendOptions) => Promise<Output<C>>; isSending: boolean } {
  const [isSending, setSending] = useState(false)
  const run = useCallback(
    async (input: Input<C>, options?: SendOptions) => {
      setSending(true)
      try {
        const answer = await send(call, input, options)
        if (call.writes) await refreshAll()
        return answer
      } finally {
        setSending(false)
      }
    },
    [call],
  )
  return { send: run, isSending }
}

/**
 * After a write everything known may be out of date: what is on the screen is fetched anew, the rest when it is next
 * shown.
 */
export const refreshAll = (): Promise<void> => queryClient.invalidateQueries()
