import { createContext, use } from 'react'
import type { List } from './use-list.ts'

/** The list the filters inside belong to. */
export const ListContext = createContext<List<unknown> | undefined>(undefined)

/** A filter's value in the address and the way to change it. @param clears filters that go when this one changes */
export function useFilter(
  name: string,
  clears: readonly string[] = [],
): {
  value: string | undefined
  set: (value: string | undefined) => void
  list: List<unknown>
} {
  const list = use(ListContext)
  if (!list) throw new Error(`filter ${name} stands outside a list`)
  const cleared = Object.fromEntries(clears.map((one) => [one, undefined]))
  return { value: list.state.filters[name], set: (value) => list.setFilters({ ...cleared, [name]: value }), list }
}
