import type { InfiniteData, UseInfiniteQueryOptions } from '@tanstack/react-query'
import type { Call, Input, Output } from '../../../contract/core/call.ts'
import { send } from '../../core/service/api.ts'
import { localStore } from '../../core/service/storage.ts'
import { askAhead, queryClient } from '../../core/service/use-call.ts'

export type Paged = { records: unknown[]; total: number }
export type PagesInput<C extends Call> = Omit<Input<C>, 'current' | 'pageSize'>
type PagesOptions<C extends Call> = UseInfiniteQueryOptions<
  Output<C>,
  Error,
  InfiniteData<Output<C>, number>,
  readonly unknown[],
  number
>

const pageSize = 20

/** A list as the cache knows it. @param quiet whether failures are not told */
export const pagesOf = <C extends Call>(call: C, input: PagesInput<C>, quiet = false): PagesOptions<C> => ({
  queryKey: [call.path, 'pages', input],
  initialPageParam: 1,
  queryFn: ({ pageParam, signal }) =>
    send(call, { ...(input as object), current: pageParam, pageSize } as Input<C>, { signal, quiet }),
  getNextPageParam: (last, pages) => ((last as Paged).total > pages.length * pageSize ? pages.length + 1 : undefined),
})

/**
 * Asks for the first rows of a list before its page is drawn, while the session still opens: on a weak network each
 * request that waits for another one is felt. Failures are told by the page, which asks again.
 */
export function askPages<C extends Call>(call: C, input: PagesInput<C>): void {
  if (isSignedIn()) void queryClient.prefetchInfiniteQuery(pagesOf(call, input, true))
}

/** Asks for what a page shows before it is drawn, as {@link askPages} does for a list. */
export function ask<C extends Call>(call: C, input: Input<C>): void {
  if (isSignedIn()) askAhead(call, input, { quiet: true })
}

const isSignedIn = (): boolean => localStore.get<string>('accessToken') !== undefined
