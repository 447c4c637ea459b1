import { useCallback, useEffect, useMemo, useState, type Key } from 'react'
import type { Call, Input, Output } from '../../../contract/core/call.ts'
import type { Page } from '../../../contract/core/paging.ts'
import { isEmpty } from '../service/empty.ts'
import { listInput, markOpening, readState, withOpening, writeState, type ListState } from './list-state.ts'
import { usePref } from '../service/prefs.ts'
import { useTab } from '../service/tab.ts'
import { useAddress, type ChangeAddress } from '../screen/use-address.ts'
import { useCall } from '../service/use-call.ts'

export type RowOf<C extends Call> = Output<C> extends Page<infer R> ? R : never

/** A list as a screen holds it: what it shows, what it is asked for, and which rows are ticked. */
export interface List<R> {
  call: Call
  rows: R[]
  total: number
  /** There are more rows than `total` tells; the service counts no further. */
  isCapped: boolean
  state: ListState
  /** The filters in force without what the page itself fixes, such as the course whose participants these are. */
  ownFilters: Record<string, string>
  /** The input of the call without the page: what an export of "all results" takes. */
  query: Record<string, unknown>
  isLoading: boolean
  /** True while rows are asked for, also where it is those that are shown. */
  isFetching: boolean
  /** True while rows, total and what else is shown are still those of the former filters, page or order. */
  isFormer: boolean
  failed: boolean
  hasFilters: boolean
  setFilters: (change: Record<string, string | undefined>) => void
  /** Back to the filters the page opens with. */
  reset: () => void
  /** Without any filters, also those the page opens with. */
  clear: () => void
  /** Shows exactly these filters in this order, from the first page; what the page itself fixes stays. */
  show: (filters: Record<string, string>, sort?: string, order?: 'asc' | 'desc') => void
  setPage: (current: number, pageSize?: number) => void
  setSort: (sort: string | undefined, order: 'asc' | 'desc' | undefined) => void
  ticked: readonly Key[]
  tick: (keys: readonly Key[]) => void
  /** How many rows fit the filters, while all of them are chosen and not only those ticked. */
  all: number | undefined
  /**
   * Passed over where the ticks that it was called for are gone: the rows counted would not be those that are shown.
   */
  chooseAll: (total: number | undefined) => void
  refresh: () => void
}

export interface ListOptions<C extends Call> {
  /** What the page itself decides, such as the course whose participants these are; not in the address as a filter. */
  fixed?: Partial<Input<C>>
  /** Filters of a page opened without any; whoever takes them all away sees the list without them. */
  initial?: Record<string, string>
  /**
   * `memory` for a list that is not the page's main one (in a dialog or a second tab): its state is not in the address.
   */
  keep?: 'address' | 'memory'
  /** The name under which a second list of a page stands in the address: `held.current=2`. */
  under?: string
  enabled?: boolean
  /** A refusal is shown in the list's place only; for a list that may end while it is shown. */
  quiet?: boolean
  /** After how many milliseconds to ask anew, by the rows that are shown; false for not at all. */
  refetchInterval?: (rows: readonly RowOf<C>[]) => number | false
}

const nobody: readonly Key[] = []

/**
 * The rows of a list call with filters, page and order kept in the address bar, so that back, reload and a shared link
 * give the same list. Ticks are dropped when anything of that changes.
 */
export function useList<C extends Call>(
  call: C,
  { fixed, initial, keep = 'address', under, enabled = true, quiet = false, refetchInterval }: ListOptions<C> = {},
): List<RowOf<C>> {
  const { path } = useTab()
  const [pageSize, keepPageSize] = usePref(`page-size:${path}`, 10)
  const [query, setQuery] = useQueryParams(call, keep, initial, under)
  const [ticks, setTicks] = useState<{ of: string; keys: readonly Key[]; all?: number | undefined }>({
    of: '',
    keys: nobody,
  })

  const state = useMemo(() => readState(call, query, pageSize), [call, query, pageSize])
  const input = listInput(state, (fixed ?? {}) as Record<string, unknown>)
  const answer = useCall(call, input as Input<C>, {
    keepPrevious: true,
    enabled,
    quiet,
    ...(refetchInterval && {
      refetchInterval: (answer) => refetchInterval((answer as Page<RowOf<C>> | undefined)?.records ?? []),
    }),
  })
  const page = answer.data as Page<RowOf<C>> | undefined
  const asked = JSON.stringify(input)

  const change = useCallback(
    (next: Partial<ListState>) =>
      setQuery((now) => writeState(call, now, { ...readState(call, now, pageSize), ...next }, pageSize)),
    [call, pageSize, setQuery],
  )
  const setFilters = useCallback(
    (changes: Record<string, string | undefined>) =>
      setQuery((now) => {
        const before = readState(call, now, pageSize)
        const filters = Object.fromEntries(
          Object.entries({ ...before.filters, ...changes }).filter(([, value]) => !isEmpty(value)),
        ) as Record<string, string>
        return writeState(call, fromFirstPage(now), { ...before, filters, current: 1 }, pageSize)
      }),
    [call, pageSize, setQuery],
  )
  const setPage = useCallback(
    (current: number, size?: number) => {
      if (size) keepPageSize(size)
      setQuery((now) =>
        writeState(
          call,
          now,
          { ...readState(call, now, pageSize), current, ...(size && { pageSize: size }) },
          size ?? pageSize,
        ),
      )
    },
    [call, pageSize, keepPageSize, setQuery],
  )
  // the rows of the last page may be gone since it was opened, and an address may name any page
  const beyond = page && !answer.isPlaceholderData && page.records.length === 0 && state.current > 1
  const lastPage = beyond ? Math.max(1, Math.ceil(page.total / state.pageSize)) : undefined
  useEffect(() => {
    if (lastPage !== undefined && lastPage < state.current)
      setQuery((now) => writeState(call, now, { ...readState(call, now, pageSize), current: lastPage }, pageSize), {
        replace: true,
      })
  }, [call, lastPage, pageSize, setQuery, state.current])
  const { filters, sort, order } = state
  const fixedNames = Object.keys(fixed ?? {})
  // what the page itself fixes stays in the address: it says which record this list belongs to
  const ofPage = Object.fromEntries(Object.entries(filters).filter(([name]) => fixedNames.includes(name)))
  const ownFilters = Object.fromEntries(Object.entries(filters).filter(([name]) => !fixedNames.includes(name)))
  return {
    call,
    rows: page?.records ?? [],
    total: page?.total ?? 0,
    isCapped: (page as { isCapped?: boolean } | undefined)?.isCapped === true,
    state,
    query: { ...filters, ...fixed, ...(sort && { sort, order }) },
    isLoading: (answer.isPending && enabled) || Boolean(beyond),
    isFetching: answer.isFetching,
    isFormer: answer.isPlaceholderData,
    failed: answer.isError && !page,
    hasFilters: Object.keys(ownFilters).length > 0,
    ownFilters,
    setFilters,
    reset: () => change({ filters: { ...ofPage, ...initial }, current: 1, sort: undefined, order: undefined }),
    clear: () => change({ filters: ofPage, current: 1, sort: undefined, order: undefined }),
    show: (wished, nextSort, nextOrder) =>
      change({ filters: { ...ofPage, ...wished }, current: 1, sort: nextSort, order: nextOrder }),
    setPage,
    setSort: useCallback((next, direction) => change({ sort: next, order: direction, current: 1 }), [change]),
    ticked: ticks.of === asked ? ticks.keys : nobody,
    tick: useCallback((keys) => setTicks({ of: asked, keys }), [asked]),
    all: ticks.of === asked ? ticks.all : undefined,
    chooseAll: useCallback((all) => setTicks((now) => (now.of === asked ? { ...now, all } : now)), [asked]),
    refresh: useCallback(() => {
      setTicks({ of: '', keys: nobody })
      void answer.refetch()
    }, [answer.refetch]),
  }
}

/** The parameters of the address, or a set of its own with the same handling. Going back undoes filters one by one. */
function useQueryParams(
  call: Call,
  keep: 'address' | 'memory',
  initial?: Record<string, string>,
  under?: string,
): [URLSearchParams, ChangeAddress] {
  const [inAddress, changeAddress] = useAddress()
  const [inMemory, setInMemory] = useState(() => new URLSearchParams(initial))
  const opened = useMemo(() => withOpening(call, inAddress, initial), [call, inAddress, initial])
  const inPart = useMemo(() => (under ? partOf(inAddress, under) : inAddress), [inAddress, under])
  const setPart = useCallback<ChangeAddress>(
    (change, options) => changeAddress((now) => withPart(now, under!, change(partOf(now, under!))), options),
    [changeAddress, under],
  )
  const setAddress = useCallback<ChangeAddress>(
    (change, options) => changeAddress((now) => markOpening(change(withOpening(call, now, initial)), initial), options),
    [call, changeAddress, initial],
  )
  if (under) return [inPart, setPart]
  return keep === 'address' ? [opened, setAddress] : [inMemory, setInMemory]
}

/** The parameters of an address that belong to its second list, by their own names. */
const partOf = (query: URLSearchParams, under: string): URLSearchParams =>
  new URLSearchParams(
    [...query].flatMap(([name, value]) =>
      name.startsWith(`${under}.`) ? [[name.slice(under.length + 1), value]] : [],
    ),
  )

const withPart = (query: URLSearchParams, under: string, part: URLSearchParams): URLSearchParams =>
  new URLSearchParams([
    ...[...query].filter(([name]) => !name.startsWith(`${under}.`)),
    ...[...part].map(([name, value]) => [`${under}.${name}`, value]),
  ])

/** Other filters begin at the first page, also of the page's second list. */
const fromFirstPage = (query: URLSearchParams): URLSearchParams =>
  new URLSearchParams([...query].filter(([name]) => !name.endsWith('.current')))
