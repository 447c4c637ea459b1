import { sql } from 'kysely'
import { dayFigure } from '../../../contract/core/codes/outcomes.ts'
import type { Context } from '../../core/request/context.ts'
import type { EarnedFilter } from './earned.ts'
import { earnedKind } from './earned-format.ts'
import { hoursOf } from './earned-sums.ts'
import { eachPerson, groupsOf, peopleAsked } from './people-asked.ts'
import type { PlaceFilter } from './places.ts'
import { isOf, seenAt } from './supplement-columns.ts'

type Input = PlaceFilter & EarnedFilter

/**
 * Hours that occurred in the period by the students' college, of supplements and of everything.
 * @param byModule whether modules are all that is asked for; else only what supplements of the wanted node and level
 *   brought is told, for nothing finer is known of everything
 */
export async function earned(ctx: Context, input: Input, byModule: boolean): Promise<Map<string, Brought>> {
  const asked = await peopleAsked(ctx, input)
  const { places, items } = asked.columns
  const { names, groupOf } = groupsOf(places, ({ collegeId }) => collegeId ?? '')
  const isSeen = seenAt(ctx, places, (item) => (byModule ? [items[item]!.item] : items[item]!.path))
  const fits = Uint8Array.from(items, (item) => Number(byModule || isOf(item, input)))
  const isWanted = (item: number, kind: number, place: number) =>
    fits[item] === 1 &&
    (byModule || kind === earnedKind[dayFigure.supplement]) &&
    (isSeen === undefined || isSeen(place, item))
  const hoursIn = hoursOf(asked.columns, input, byModule && isSeen === undefined ? undefined : isWanted)
  const rows: Brought[] = []
  eachPerson(asked, (person, at) => {
    const { all, ofSups, records } = hoursIn(person, at)
    if (records === 0) return
    const row = (rows[groupOf[at]!] ??= { hours: 0, total: byModule ? 0 : null })
    if (row.total !== null) row.total += all
    row.hours += ofSups
  })
  return new Map(Object.entries(rows).map(([group, row]) => [names[Number(group)]!, row]))
}
/** Hours of supplements, and of everything where that can be told. */
interface Brought {
  hours: number
  total: number | null
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
