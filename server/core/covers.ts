import type { Permit } from '../../contract/core/call.ts'
import { Failure, invalidInput } from '../../contract/core/failure.ts'
import type { Area, Scope } from '../../contract/core/scope.ts'
import type { Actor } from './context.ts'

/** Where a record lies in a school. `undefined` means that such a record has no such place, null that it is not known. */
export interface Place {
  college?: string | null
  major?: string | null
  class?: string | null
  department?: string | null
  grade?: string | null
  /** Curriculum path, from the module down. */
  path?: readonly string[]
}

/** Whether a place lies within a scope; the same rule as `inScope`, for a record at hand or one yet to be made. */
export const covers = (scope: Scope, place: Place): boolean =>
  scope.whole || scope.areas.some((area) => areaCovers(area, place))

function areaCovers(area: Area, place: Place): boolean {
  const places = [
    [area.scIds, place.college],
    [area.smIds, place.major],
    [area.scClassIds, place.class],
    [area.sdIds, place.department],
  ] as const
  const gradeFits =
    area.grades.length === 0 || place.grade === undefined || (place.grade !== null && area.grades.includes(place.grade))
  const narrowed =
    gradeFits &&
    (area.lsIds.length === 0 || place.path === undefined || place.path.some((lsId) => area.lsIds.includes(lsId)))
  if (places.some(([ids]) => ids.length > 0))
    return narrowed && places.some(([ids, own]) => typeof own === 'string' && ids.includes(own))
  return narrowed && area.grades.length + area.lsIds.length > 0
}

/** Refuses a record that would come to lie, or now lies, outside of what a right covers. */
export function mustCover(scope: Scope, place: Place): void {
  if (!covers(scope, place)) throw new Failure('out-of-reach')
}

/** The acts a person may do to a record: those whose right he holds and whose area covers the record's place. */
export const actsOn = <T extends string>(
  { permits, scopeFor }: Pick<Actor, 'permits' | 'scopeFor'>,
  rights: Record<T, Permit>,
  place: Place,
): T[] => (Object.keys(rights) as T[]).filter((act) => permits.has(rights[act]) && covers(scopeFor(rights[act]), place))

/** Refuses an edit that started from another version of the record than the one now stored, or of a record out of sight. */
export function mustBeCurrent<R extends { version: number }>(
  row: R | undefined,
  version: number | undefined,
): asserts row is R {
  if (!row) throw new Failure('not-found')
  if (version === undefined) throw invalidInput([{ field: 'version', msg: '缺少数据版本，请刷新后重试' }])
  if (row.version !== version) throw new Failure('stale-version')
}
