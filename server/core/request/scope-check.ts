import type { Permit } from '../../../contract/core/call.ts'
import { listRightOf } from '../../../contract/core/exports.ts'
import { Failure, invalidInput } from '../../../contract/core/failure.ts'
import type { Area, Scope } from '../../../contract/core/scope.ts'
import type { Actor, Context, PublicContext } from './context.ts'

/**
 * Where a record lies in a school. `undefined` means that such a record has no such place, null that it is not known.
 */
export interface Location {
  college?: string | null
  major?: string | null
  class?: string | null
  department?: string | null
  grade?: string | null
  /** Curriculum path, from the module down. */
  path?: readonly string[]
}

/** Whether a place lies within a scope; the same rule as `inScope`, for a record at hand or one yet to be made. */
export const scopeIncludes = (scope: Scope, location: Location): boolean =>
  scope.whole || scope.areas.some((area) => areaIncludes(area, location))

function areaIncludes(area: Area, location: Location): boolean {
  const locations = [
    [area.scIds, location.college],
    [area.smIds, location.major],
    [area.scClassIds, location.class],
    [area.sdIds, location.department],
  ] as const
  const gradeFits =
    area.grades.length === 0 ||
    location.grade === undefined ||
    (location.grade !== null && area.grades.includes(location.grade))
  const narrowed =
    gradeFits &&
    (area.lsIds.length === 0 || location.path === undefined || location.path.some((lsId) => area.lsIds.includes(lsId)))
  if (locations.some(([ids]) => ids.length > 0))
    return narrowed && locations.some(([ids, own]) => typeof own === 'string' && ids.includes(own))
  return narrowed && area.grades.length + area.lsIds.length > 0
}

/** Refuses a record that would come to lie, or now lies, outside of what a right covers. */
export function assertInScope(scope: Scope, location: Location): void {
  if (!scopeIncludes(scope, location)) throw new Failure('out-of-reach')
}

const placesOf = ['scIds', 'smIds', 'scClassIds', 'sdIds'] as const
const narrowsBy = ['grades', 'lsIds'] as const

/** Whether an area covers another, as far as they name the same: no class is looked for in its college. */
function areaCovers(outer: Area, inner: Area): boolean {
  const hasPlaces = (area: Area) => placesOf.some((kind) => area[kind].length > 0)
  const namesAll = (kind: keyof Area) => inner[kind].every((one) => outer[kind].includes(one))
  return (
    [...placesOf, ...narrowsBy].some((kind) => outer[kind].length > 0) &&
    (!hasPlaces(outer) || (hasPlaces(inner) && placesOf.every(namesAll))) &&
    narrowsBy.every((kind) => outer[kind].length === 0 || (inner[kind].length > 0 && namesAll(kind)))
  )
}

/** Whether a scope covers all that another does, as far as they name the same places. */
export const scopeCovers = (scope: Scope, other: Scope): boolean =>
  scope.whole || (!other.whole && other.areas.every((area) => scope.areas.some((one) => areaCovers(one, area))))

/**
 * Whether a list shows somebody more than they may take out of it, for their right to export covers less than the one
 * to see (decision 133). Told once too often rather than not at all: places within places are not looked up.
 */
export const exportsLess = ({ actor, permit }: Pick<Context, 'actor' | 'permit'>): boolean =>
  permit !== undefined && !scopeCovers(actor.scopeFor(permit), actor.scopeFor(listRightOf(permit)))

/** The actions a person may do to a record: those whose right they hold and whose area covers the record's place. */
export const allowedActions = <T extends string>(
  { permits, scopeFor }: Pick<Actor, 'permits' | 'scopeFor'>,
  rights: Record<T, Permit>,
  location: Location,
): T[] =>
  (Object.keys(rights) as T[]).filter(
    (act) => permits.has(rights[act]) && scopeIncludes(scopeFor(rights[act]), location),
  )

/**
 * Refuses an edit that started from another version of the record than the one now stored, or of a record out of sight.
 * An edit that tells no version wins over what was written before, unless its caller prefers strict handling.
 */
export function assertVersion<R extends { version: number }>(
  { origin }: Pick<PublicContext, 'origin'>,
  row: R | undefined,
  version: number | undefined,
): asserts row is R {
  if (!row) throw new Failure('not-found')
  if (version === undefined) {
    if (origin.isStrict) throw invalidInput([{ field: 'version', msg: '缺少数据版本，请刷新后重试' }])
  } else if (row.version !== version) throw new Failure('stale-version')
}
