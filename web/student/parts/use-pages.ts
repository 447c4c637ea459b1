import { useInfiniteQuery } from '@tanstack/react-query'
import type { Call, Input, Output } from '../../../contract/core/call.ts'
import { send } from '../../core/service/api.ts'

type Paged = { records: unknown[]; total: number }

const pageSize = 20

/** A list as far as it has been read, page by page, as a phone is scrolled. */
export function usePages<C extends Call>(call: C, input: Omit<Input<C>, 'current' | 'pageSize'> = {} as never) {
  const query = useInfiniteQuery({
    queryKey: [call.path, 'pages', input],
    initialPageParam: 1,
    queryFn: ({ pageParam, signal }) =>
      send(call, { ...(input as object), current: pageParam, pageSize } as Input<C>, { signal }),
    getNextPageParam: (last, pages) => ((last as Paged).total > pages.length * pageSize ? pages.length + 1 : undefined),
  })
  const records = query.data?.pages.flatMap((page) => (page as Paged).records) as
    | (Output<C> extends { records: (infer R)[] } ? R[] : never)
    | undefined
  return { ...query, records, total: (query.data?.pages[0] as Paged | undefined)?.total ?? 0 }
}
