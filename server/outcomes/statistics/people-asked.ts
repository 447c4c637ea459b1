import type { PeopleKind } from '../../../contract/core/codes/outcomes.ts'
import { dayOf } from '../../core/base/clock.ts'
import type { Context } from '../../core/request/context.ts'
import { termOf } from '../../school/school/calendar.service.ts'
import { schoolSettings } from '../../school/school/settings.service.ts'
import type { PeopleColumns, Place } from './people-columns.ts'
import { peopleOf } from './people-columns.service.ts'
import { isAtPlace, type PlaceFilter } from './places.ts'

/** The people of the own school, and those places of them that are asked about (1) by their index. */
export interface PeopleAsked {
  columns: PeopleColumns
  wanted: Uint8Array
}

/** Whom the asking person may see and the filter leaves. */
export async function peopleAsked(ctx: Context, filter: PlaceFilter, kind?: PeopleKind): Promise<PeopleAsked> {
  const columns = await peopleOf(ctx)
  return { columns, wanted: Uint8Array.from(columns.places, (place) => Number(isAtPlace(ctx, filter, kind)(place))) }
}

/** Goes through everybody who is asked about. @param each is given the person and their place by their indexes */
export function eachPerson(
  { columns: { place, suIds }, wanted }: PeopleAsked,
  each: (person: number, place: number) => void,
): void {
  for (let person = 0; person < suIds.length; person++) {
    const at = place[person]!
    if (at >= 0 && wanted[at] === 1) each(person, at)
  }
}

/** Numbers the groups that places fall into. @returns the names of the groups, and the group of each place */
export function groupsOf(
  places: readonly Place[],
  nameOf: (place: Place) => string,
): { names: string[]; groupOf: Uint32Array } {
  const known = new Map<string, number>()
  const groupOf = Uint32Array.from(places, (place) => {
    const name = nameOf(place)
    if (!known.has(name)) known.set(name, known.size)
    return known.get(name)!
  })
  return { names: [...known.keys()], groupOf }
}

/**
 * Who counts in means: all, or (a setting) all who did not enter this term.
 */
export async function countedIn(ctx: Context, { enterDate }: PeopleColumns): Promise<(person: number) => boolean> {
  const { averageWithoutNew } = await schoolSettings(ctx, ctx.actor.schoolId)
  if (!averageWithoutNew) return () => true
  const { tmStart } = await termOf(ctx, ctx.actor.schoolId, ctx.clock.now())
  const first = dayOf(tmStart)
  return (person) => enterDate[person] == null || enterDate[person] < first
}
