import { kindOf, secondOf } from './earned-format.ts'
import type { EarnedFilter } from './earned.ts'
import type { Item } from './numbered.ts'
import { whatBits, type PeopleColumns } from './people-columns.ts'
import { lowerBound } from './slices.ts'

/** What somebody earned; hours and credit in hundredths, activities and supplements that stand. */
export interface Sums {
  hours: number
  credit: number
  activities: number
  sups: number
}

/** The seconds from the first to before the last one of a period. */
const secondsOf = ({ startTime, endTime }: EarnedFilter) => ({
  from: startTime ? secondOf(startTime) : -(2 ** 31),
  to: endTime ? secondOf(endTime) + 1 : 2 ** 31 - 1,
})

/**
 * Whether a record is of the wanted node and level. A module is what the ledger says; what lies below is what the course
 * or supplement says.
 */
const isOf = ({ item, path, level }: Item, { lsId, llId }: EarnedFilter): boolean =>
  (!lsId || item === lsId || path.indexOf(lsId) > 0) && (!llId || level === llId)

/**
 * What each person earned of what is wanted, to be asked person by person. The answer is overwritten by the next one.
 */
export function sumsOf(columns: PeopleColumns, filter: EarnedFilter): (person: number) => Sums {
  const { start, count, columns: records } = columns.records
  const { time, what, hours, credit, activities, sups } = records
  const { from, to } = secondsOf(filter)
  const [isFromStart, isToEnd] = [!filter.startTime, !filter.endTime]
  const wanted =
    filter.lsId || filter.llId ? Uint8Array.from(columns.items, (item) => Number(isOf(item, filter))) : undefined
  const sum: Sums = { hours: 0, credit: 0, activities: 0, sups: 0 }
  return (person) => {
    const first = start[person]!
    const end = first + count[person]!
    const low = isFromStart ? first : lowerBound(time, first, end, from)
    const high = isToEnd ? end : lowerBound(time, low, end, to)
    sum.hours = sum.credit = sum.activities = sum.sups = 0
    if (low === high) return sum
    if (wanted === undefined) {
      const [last, before] = [high - 1, low - 1]
      const isWhole = low === first
      sum.hours = hours[last]! - (isWhole ? 0 : hours[before]!)
      sum.credit = credit[last]! - (isWhole ? 0 : credit[before]!)
      sum.activities = activities[last]! - (isWhole ? 0 : activities[before]!)
      sum.sups = sups[last]! - (isWhole ? 0 : sups[before]!)
      return sum
    }
    for (let at = low; at < high; at++) {
      if (wanted[what[at]! >> whatBits] === 0) continue
      const isFirst = at === first
      sum.hours += hours[at]! - (isFirst ? 0 : hours[at - 1]!)
      sum.credit += credit[at]! - (isFirst ? 0 : credit[at - 1]!)
      sum.activities += activities[at]! - (isFirst ? 0 : activities[at - 1]!)
      sum.sups += sups[at]! - (isFirst ? 0 : sups[at - 1]!)
    }
    return sum
  }
}

/** The abilities that a person has a score of within a period, one after another: label (index of the item) and score. */
export function abilitiesOf(
  columns: PeopleColumns,
  filter: EarnedFilter,
): (person: number, each: (label: number, score: number) => void) => void {
  const { start, count, columns: abilities } = columns.abilities
  const { time, label, score } = abilities
  const { from, to } = secondsOf(filter)
  return (person, each) => {
    const end = start[person]! + count[person]!
    const high = filter.endTime ? lowerBound(time, start[person]!, end, to) : end
    for (let at = filter.startTime ? lowerBound(time, start[person]!, high, from) : start[person]!; at < high; at++)
      each(label[at]!, score[at]!)
  }
}

/** The hours of each record of a person within a period, with where it came from (`earnedKind`), one after another. */
export function hoursOf(
  columns: PeopleColumns,
  filter: Pick<EarnedFilter, 'startTime' | 'endTime'>,
): (person: number, each: (item: number, kind: number, hours: number) => void) => void {
  const { start, count, columns: records } = columns.records
  const { time, what, hours } = records
  const { from, to } = secondsOf(filter)
  return (person, each) => {
    const first = start[person]!
    const end = first + count[person]!
    const high = filter.endTime ? lowerBound(time, first, end, to) : end
    for (let at = filter.startTime ? lowerBound(time, first, high, from) : first; at < high; at++)
      each(what[at]! >> whatBits, kindOf(what[at]!), hours[at]! - (at === first ? 0 : hours[at - 1]!))
  }
}
