import { sql } from 'kysely'
import type { Context } from '../../core/request/context.ts'
import type { EarnedFilter } from './earned.ts'
import { hoursOf } from './earned-sums.ts'
import { eachPerson, groupsOf, peopleAsked } from './people-asked.ts'
import type { PlaceFilter } from './places.ts'
import { seenAt } from './supplement-columns.ts'

type Input = PlaceFilter & EarnedFilter

/** Hours that occurred in the period and did not come from supplements, by the students' college. */
export async function earnedOtherwise(ctx: Context, input: Input): Promise<Map<string, number>> {
  const asked = await peopleAsked(ctx, input)
  const { places, items } = asked.columns
  const { names, groupOf } = groupsOf(places, ({ collegeId }) => collegeId ?? '')
  const isSeen = seenAt(ctx, places, (item) => [items[item]!.item])
  const hoursIn = hoursOf(asked.columns, input, isSeen && ((item, _, place) => isSeen(place, item)))
  const sums = new Map<string, number>()
  eachPerson(asked, (person, at) => {
    const { all, ofSups, records } = hoursIn(person, at)
    if (records === 0) return
    const college = names[groupOf[at]!]!
    sums.set(college, (sums.get(college) ?? 0) + all - ofSups)
  })
  return sums
}

/**
 * Whether all asked for can be told from what is kept by day, which knows modules and nothing finer: no level, and no
 * node but those that are modules.
 */
export async function isByModule({ db, actor, scope }: Context, { lsId, llId }: Input): Promise<boolean> {
  const nodes = scope.whole ? [] : scope.areas.flatMap(({ lsIds }) => lsIds)
  if (lsId || llId || nodes.length === 0) return !lsId && !llId
  return (
    (
      await sql`
        select
        from "curriculum"
        where "schoolId" = ${actor.schoolId} and "lsId" = any(${nodes}::uuid[]) and "lsPid" is not null
        limit 1`.execute(db)
    ).rows.length === 0
  )
}
