import type { Permit } from '../../../contract/core/call.ts'
import type { FailureName } from '../../../contract/core/failure.ts'

/**
 * The life of a record told as a table of moves, whatever the record is. `Relation`: what a person may be to it; the
 * relation `scope` means that it lies in the area which their role with the rights of the move covers.
 */

/** A row of the table, an action: from which states, by whom, and to which state. */
export interface Move<Status extends string, Relation extends string> {
  /** The action in a sentence: 当前状态不可{name}. */
  name: string
  from: readonly Status[]
  /** Null: the record stays in its state, is gone, or the action itself knows. */
  to: Status | null
  who: readonly Relation[]
  /** Why a state outside `from` is refused, where a better word than 当前状态不可… is known. */
  elsewhere?: (status: string) => FailureName | undefined
}

/** One person before one record. */
export interface Authority<Relation extends string> {
  permits: ReadonlySet<string>
  relations: ReadonlySet<Exclude<Relation, 'scope'>>
  covers(permit: Permit): boolean
}

/**
 * Why the person may not make the move from this state; undefined when they may. Whether they have a right and a
 * relation to the record is asked first: to others its state tells nothing.
 * @param permits the rights the move takes, all of them
 */
export function moveRefusal<Status extends string, Relation extends string>(
  { who, from, elsewhere }: Move<Status, Relation>,
  permits: readonly Permit[],
  status: string,
  authority: Authority<Relation>,
): FailureName | undefined {
  const relations: ReadonlySet<string> = authority.relations
  const isRelated = who.some((relation) =>
    relation === 'scope' ? permits.every((permit) => authority.covers(permit)) : relations.has(relation),
  )
  if (!isRelated || !permits.every((permit) => authority.permits.has(permit))) return 'not-permitted'
  return from.some((one) => one === status) ? undefined : (elsewhere?.(status) ?? 'wrong-state')
}
