import { compared } from './pages.ts'
import { eachPerson, type PeopleAsked } from './people-asked.ts'
import type { PeopleColumns } from './people-columns.ts'

/** People out of the columns, of whom a page is wanted. */
export interface PeopleFound {
  columns: PeopleColumns
  /** Whether somebody is among them (1), by the number of the columns. */
  isFound: Uint8Array
  count: number
}

/** Those of the people asked about who fit. */
export function peopleFound(asked: PeopleAsked, fits: (person: number) => boolean): PeopleFound {
  const isFound = new Uint8Array(asked.columns.suIds.length)
  let count = 0
  eachPerson(asked, (person) => {
    if (!fits(person)) return
    isFound[person] = 1
    count++
  })
  return { columns: asked.columns, isFound, count }
}

interface Page {
  offset: number
  limit: number
  /** The highest number first where it is `desc`. */
  direction?: 'asc' | 'desc'
  /** Numbers above this one only. */
  after?: string | undefined
}

/** The ids of a page of people by the numbers that their school knows them by. */
export function pageByNumber(
  { columns: { byNumber, numbers, suIds }, isFound }: PeopleFound,
  { offset, limit, direction = 'asc', after }: Page,
): string[] {
  const page: string[] = []
  const [first, step] = direction === 'asc' ? [0, 1] : [byNumber.length - 1, -1]
  let left = offset
  for (let at = first; page.length < limit && at >= 0 && at < byNumber.length; at += step) {
    const person = byNumber[at]!
    // whoever came since is in the columns, and not among those that were found
    if (isFound[person] !== 1 || (after !== undefined && numbers[person]! <= after)) continue
    if (left > 0) left--
    else page.push(suIds[person]!)
  }
  return page
}

/** The ids of a page of people by something else; those without it come last, equal ones in the order of their ids. */
export function pageByValue<V extends string | number>(
  { columns: { suIds }, isFound }: PeopleFound,
  valueOf: (person: number) => V | null,
  { offset, limit, direction = 'asc' }: Page,
): string[] {
  const way = direction === 'desc' ? -1 : 1
  return suIds
    .flatMap((id, person) => (isFound[person] === 1 ? [{ id, value: valueOf(person) }] : []))
    .sort((a, b) => way * compared(a.value, b.value, way) || (a.id < b.id ? -1 : 1))
    .slice(offset, offset + limit)
    .map(({ id }) => id)
}
