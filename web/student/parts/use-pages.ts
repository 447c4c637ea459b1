import { useInfiniteQuery } from '@tanstack/react-query'
import type { Call, Output } from '../../../contract/core/call.ts'
import { pagesOf, type Paged, type PagesInput } from './ask-ahead.ts'

/** A list as far as it has been read, page by page, as a phone is scrolled. */
export function usePages<C extends Call>(call: C, input: PagesInput<C> = {} as never) {
  const query = useInfiniteQuery(pagesOf(call, input))
  const records = query.data?.pages.flatMap((page) => (page as Paged).records) as
    | (Output<C> extends { records: (infer R)[] } ? R[] : never)
    | undefined
  return { ...query, records, total: (query.data?.pages[0] as Paged | undefined)?.total ?? 0 }
}
