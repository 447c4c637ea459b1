import { useQueries } from '@tanstack/react-query'
import { useState } from 'react'
import type { Page } from '../../../contract/core/paging.ts'
import { queryOf } from '../service/use-call.ts'
import type { View } from './list-filters.tsx'
import type { List } from './use-list.ts'

type CountedPage = Page<unknown> & { isCapped?: boolean }

/**
 * Views with how many rows each holds of those that the list's other filters find. The list itself is asked, for one
 * row a view; a list whose service counts by state in one call uses that instead.
 */
export function useCountedViews(
  { call, query }: Pick<List<unknown>, 'call' | 'query'>,
  views: readonly View[],
): View[] {
  const own = new Set(['sort', 'order', ...views.flatMap(({ filters }) => Object.keys(filters))])
  const others = Object.fromEntries(Object.entries(query).filter(([name]) => !own.has(name)))
  const answers = useQueries({
    queries: views.map(({ filters }) => queryOf(call, { ...others, ...filters, pageSize: 1 })),
  })
  const pages = answers.map(({ data }) => data as CountedPage | undefined)
  // several queries at once keep nothing of former ones by themselves
  const [known, setKnown] = useState(pages)
  if (pages.some((page, at) => page && page !== known[at])) setKnown(pages.map((page, at) => page ?? known[at]))
  return views.map((view, at) => {
    const isFormer = answers[at]!.isPending
    const page = isFormer ? known[at] : pages[at]
    return page && page.isCapped !== true ? { ...view, count: page.total, isFormer } : view
  })
}
