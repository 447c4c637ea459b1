import type { Location } from '../core/request/scope-check.ts'
import type { Client } from './client.ts'

/**
 * Where a row stands. A key that is missing: rows of that kind stand nowhere in this respect. Only the shape is shared
 * with the service.
 */
export type RowLocation = Location
export type Sees = (row: RowLocation) => boolean

/**
 * A part of a school: its places add up, grades and nodes of the curriculum narrow them; those alone are of the whole
 * school.
 */
export interface Part {
  college?: string
  major?: string
  class?: string
  department?: string
  grade?: string
  curriculum?: string
}
const places = ['college', 'major', 'class', 'department'] as const

export const covers = (area: Part, row: RowLocation): boolean => {
  const isThere =
    places.every((place) => area[place] === undefined) ||
    places.some((place) => area[place] !== undefined && row[place] === area[place])
  return (
    isThere &&
    (area.grade === undefined || !('grade' in row) || row.grade === area.grade) &&
    (area.curriculum === undefined || !('path' in row) || row.path!.includes(area.curriculum))
  )
}

/** Somebody who asks: their roles with what each of them lets them see. */
export interface Asker {
  name: string
  client: Client
  roles: { permits: readonly string[]; area: Part | 'whole' }[]
}

/** What a right shows somebody; undefined where they do not have it. */
export function visibilityOf({ roles }: Asker, permit: string): Sees | undefined {
  const holding = roles.filter(({ permits }) => permits.includes(permit))
  return holding.length === 0 ? undefined : (row) => holding.some(({ area }) => area === 'whole' || covers(area, row))
}
