import { kindOf, secondOf, standsIn, wallOfSecond } from './earned-format.ts'
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
 * Whether a record is of the wanted node and level. A module is what the ledger says; what lies below is what the
 * course or supplement says.
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

/** Hours of a person by module, of what is wanted, in hundredths. */
export function hoursByModule(columns: PeopleColumns, filter: EarnedFilter, person: number): Map<string, number> {
  const { start, count, columns: records } = columns.records
  const { time, what, hours } = records
  const { from, to } = secondsOf(filter)
  const first = start[person]!
  const end = first + count[person]!
  const sums = new Map<string, number>()
  for (let at = lowerBound(time, first, end, from); at < end && time[at]! < to; at++) {
    const item = columns.items[what[at]! >> whatBits]!
    if (isOf(item, filter))
      sums.set(item.item, (sums.get(item.item) ?? 0) + hours[at]! - (at === first ? 0 : hours[at - 1]!))
  }
  return sums
}

/** The moment of the latest record of a person that stands, as wall-clock text; null without one. */
export function lastTimeOf(columns: PeopleColumns): (person: number) => string | null {
  const { start, count, columns: records } = columns.records
  const { time, what } = records
  return (person) => {
    let at = start[person]! + count[person]! - 1
    while (at >= start[person]! && !standsIn(what[at]!)) at--
    return at < start[person]! ? null : wallOfSecond(time[at]!)
  }
}

/**
 * Adds the scores of a person within a period to `scores`, which has a place for each ability (`PeopleColumns.labels`).
 */
export function abilityAdder(
  columns: PeopleColumns,
  filter: EarnedFilter,
): (person: number, scores: Int32Array) => void {
  const { start, count, columns: abilities } = columns.abilities
  const { time, label, score } = abilities
  const { from, to } = secondsOf(filter)
  const [isFromStart, isToEnd] = [!filter.startTime, !filter.endTime]
  return (person, scores) => {
    const first = start[person]!
    const end = first + count[person]!
    const high = isToEnd ? end : lowerBound(time, first, end, to)
    for (let at = isFromStart ? first : lowerBound(time, first, high, from); at < high; at++)
      scores[label[at]!]! += score[at]!
  }
}

/** Hours of a person within a period: of everything and of supplements, in hundredths, and of how many records. */
export interface Hours {
  all: number
  ofSups: number
  records: number
}

/**
 * What hours each person earned within a period, to be asked person by person. The answer is overwritten by the next
 * one.
 * @param isWanted of an item and of where it came from (`earnedKind`) at a place whether it counts; all do without it
 */
export function hoursOf(
  columns: PeopleColumns,
  filter: Pick<EarnedFilter, 'startTime' | 'endTime'>,
  isWanted?: (item: number, kind: number, place: number) => boolean,
): (person: number, place: number) => Hours {
  const { start, count, columns: records } = columns.records
  const { time, what, hours, supHours } = records
  const { from, to } = secondsOf(filter)
  const sum: Hours = { all: 0, ofSups: 0, records: 0 }
  return (person, place) => {
    const first = start[person]!
    const end = first + count[person]!
    const high = filter.endTime ? lowerBound(time, first, end, to) : end
    const low = filter.startTime ? lowerBound(time, first, high, from) : first
    sum.all = sum.ofSups = sum.records = 0
    if (isWanted === undefined) {
      if (low === high) return sum
      sum.all = hours[high - 1]! - (low === first ? 0 : hours[low - 1]!)
      sum.ofSups = supHours[high - 1]! - (low === first ? 0 : supHours[low - 1]!)
      sum.records = high - low
      return sum
    }
    for (let at = low; at < high; at++) {
      if (!isWanted(what[at]! >> whatBits, kindOf(what[at]!), place)) continue
      sum.records++
      sum.all += hours[at]! - (at === first ? 0 : hours[at - 1]!)
      sum.ofSups += supHours[at]! - (at === first ? 0 : supHours[at - 1]!)
    }
    return sum
  }
}
