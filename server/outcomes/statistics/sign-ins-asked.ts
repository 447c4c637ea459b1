import type { PeopleKind } from '../../../contract/core/codes/outcomes.ts'
import { together } from '../../core/base/together.ts'
import type { Context } from '../../core/request/context.ts'
import { peopleAsked, type PeopleAsked } from './people-asked.ts'
import type { Span } from './periods.ts'
import type { PlaceFilter } from './places.ts'
import { placesOfDay, signInsOf, type SignInColumns } from './sign-in-columns.ts'
import { lowerBound } from './slices.ts'
import { linkTo } from './stamped-owners.ts'

const dayMs = 86_400_000
const epoch = Date.parse('2000-01-01')

/** A day as its number since 2000, and back. */
export const dayNumber = (day: string): number => (Date.parse(day.slice(0, 10)) - epoch) / dayMs
export function dayText(number: number): string {
  const known = texts.get(number)
  if (known !== undefined) return known
  const text = new Date(epoch + number * dayMs).toISOString().slice(0, 10)
  if (texts.size < maxTexts) texts.set(number, text)
  return text
}
/** Days that have been written out: the same thousands for every question. */
const texts = new Map<number, string>()
const maxTexts = 20_000
/** The day of the week: 0 is Monday. 1 January 2000 was a Saturday. */
export const weekdayOf = (day: number): number => (day + 5) % 7

/** People asked about with their sign-ins. */
export interface SignInsAsked {
  people: PeopleAsked
  columns: SignInColumns
}

export async function signInsAsked(ctx: Context, filter: PlaceFilter, kind: PeopleKind): Promise<SignInsAsked> {
  const [people, columns] = await together(peopleAsked(ctx, filter, kind), signInsOf(ctx))
  return { people, columns }
}

/** The sign-ins of one person: rows of the columns from `start` to before `end`. */
interface OwnSignIns {
  start: number
  end: number
}

/** Looks up the sign-ins of a person by their number among the people. The answer is overwritten by the next one. */
export function ownSignIns({ people, columns }: SignInsAsked): (person: number) => OwnSignIns {
  const link = linkTo(columns.owners, people.columns.owners)
  const { start, count } = columns.signIns
  const own = { start: 0, end: 0 }
  return (person) => {
    const number = link[person]!
    own.start = number < 0 ? 0 : start[number]!
    own.end = number < 0 ? 0 : own.start + count[number]!
    return own
  }
}

/** The row after the last one of a person that lies within days up to `last`. */
export const rowAfter = ({ columns }: SignInsAsked, { start, end }: OwnSignIns, last: number): number =>
  lowerBound(columns.signIns.columns.key, start, end, (last + 1) * placesOfDay)

/** A span as the numbers of its first and last day. */
export const daysOfSpan = ({ startTime, endTime }: Span): { from: number; to: number } => ({
  from: dayNumber(startTime),
  to: dayNumber(endTime),
})
