import { useInfiniteQuery, type InfiniteData, type UseInfiniteQueryOptions } from '@tanstack/react-query'
import type { Call, Input, Output } from '../../../contract/core/call.ts'
import { send } from '../../core/service/api.ts'
import { localStore } from '../../core/service/storage.ts'
import { queryClient } from '../../core/service/use-call.ts'

type Paged = { records: unknown[]; total: number }
type PagesInput<C extends Call> = Omit<Input<C>, 'current' | 'pageSize'>
type PagesOptions<C extends Call> = UseInfiniteQueryOptions<
  Output<C>,
  Error,
  InfiniteData<Output<C>, number>,
  readonly unknown[],
  number
>

const pageSize = 20

/** A list as the cache knows it. @param quiet whether failures are not told */
const pagesOf = <C extends Call>(call: C, input: PagesInput<C>, quiet = false): PagesOptions<C> => ({
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
  if (localStore.get<string>('accessToken')) void queryClient.prefetchInfiniteQuery(pagesOf(call, input, true))
}

/** A list as far as it has been read, page by page, as a phone is scrolled. */
export function usePages<C extends Call>(call: C, input: PagesInput<C> = {} as never) {
  const query = useInfiniteQuery(pagesOf(call, input))
  const records = query.data?.pages.flatMap((page) => (page as Paged).records) as
    | (Output<C> extends { records: (infer R)[] } ? R[] : never)
    | undefined
  return { ...query, records, total: (query.data?.pages[0] as Paged | undefined)?.total ?? 0 }
}
