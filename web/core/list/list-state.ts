import type { Call } from '../../../contract/core/call.ts'
import { isEmpty } from '../service/empty.ts'
import { fieldsOf, validFields } from '../service/schema.ts'

/** What a list is asked for, as texts in the address bar. */
export interface ListState {
  filters: Record<string, string>
  current: number
  pageSize: number
  sort: string | undefined
  order: 'asc' | 'desc' | undefined
}

const ownNames = new Set(['current', 'pageSize', 'sort', 'order'])

/** Reads a list's state from an address; what the call's schema does not take is left out. */
export function readState(call: Call, query: URLSearchParams, pageSize: number): ListState {
  const { current, pageSize: size, sort, order, ...filters } = validFields(call.input, Object.fromEntries(query))
  return {
    filters,
    current: Number(current ?? 1),
    pageSize: Number(size ?? pageSize),
    sort: sort && order ? sort : undefined,
    order: sort && order ? (order as 'asc' | 'desc') : undefined,
  }
}

/**
 * Writes a list's state into an address. Parameters that are not the list's own (the record a page shows, its tab)
 * stay; what equals the default is not written.
 */
export function writeState(call: Call, query: URLSearchParams, state: ListState, pageSize: number): URLSearchParams {
  const fields = fieldsOf(call.input)
  const next = new URLSearchParams()
  // what stood there keeps its place: the first id of an address tells which record the page shows
  for (const [name, value] of query) {
    if (!fields[name] && !ownNames.has(name)) next.append(name, value)
    else if (!isEmpty(state.filters[name])) next.set(name, state.filters[name]!)
  }
  for (const [name, value] of Object.entries(state.filters)) if (!isEmpty(value)) next.set(name, value)
  if (state.current > 1) next.set('current', String(state.current))
  if (state.pageSize !== pageSize) next.set('pageSize', String(state.pageSize))
  if (state.sort && state.order) {
    next.set('sort', state.sort)
    next.set('order', state.order)
  }
  return next
}

/** The input of the call: filters, page and order, with what the page itself fixes. */
export function listInput(state: ListState, fixed: Record<string, unknown>): Record<string, unknown> {
  const { filters, current, pageSize, sort, order } = state
  return { ...filters, ...fixed, current, pageSize, ...(sort && { sort, order }) }
}

/** Stands in an address whose list is to be shown without the filters that its page opens with. */
const unfiltered = 'unfiltered'

/**
 * An address with the filters its page opens with, unless it has filters of the list of its own or says that there are
 * to be none. What else a page keeps in its address (a tab, the figure that is compared) does not end them.
 */
export function withOpening(
  call: Call,
  query: URLSearchParams,
  opening: Record<string, string> | undefined,
): URLSearchParams {
  const fields = fieldsOf(call.input)
  const isFiltered = [...query.keys()].some((name) => name === unfiltered || (fields[name] && !ownNames.has(name)))
  return opening && !isFiltered ? new URLSearchParams([...query, ...Object.entries(opening)]) : query
}

/** An address that tells whether all filters a page opens with were taken away: without that they would come back. */
export function markOpening(query: URLSearchParams, opening: Record<string, string> | undefined): URLSearchParams {
  const next = new URLSearchParams(query)
  next.delete(unfiltered)
  const names = Object.keys(opening ?? {})
  if (names.length > 0 && !names.some((name) => next.has(name))) next.set(unfiltered, '1')
  return next
}
