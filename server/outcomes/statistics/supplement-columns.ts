import { sql } from 'kysely'
import { together } from '../../core/base/together.ts'
import type { Context } from '../../core/request/context.ts'
import { scopeIncludes } from '../../core/request/scope-check.ts'
import type { EarnedFilter } from './earned.ts'
import { secondOf, supplementBytes } from './earned-format.ts'
import { keptColumns, type Columns } from './kept-columns.ts'
import { Numbered, type Item } from './numbered.ts'
import { eachPerson, peopleAsked, type PeopleAsked } from './people-asked.ts'
import type { Place } from './people-columns.ts'
import { itemsOf } from './people-columns.service.ts'
import type { PlaceFilter } from './places.ts'
import { lowerBound, Slices } from './slices.ts'
import { linkTo, StampedOwners, type StampedRow } from './stamped-owners.ts'

interface SupplementsRow extends StampedRow {
  records: Buffer
}

/** What the students of a school handed in as supplements, by time. */
class SupplementColumns implements Columns {
  readonly owners = new StampedOwners()
  private readonly numbered = new Numbered<Item>()
  /** `codes` as packed; `same` a number that alike ones of a student share, 0 where none is alike. */
  readonly records = new Slices({
    time: new Int32Array(0),
    item: new Uint16Array(0),
    codes: new Int32Array(0),
    hours: new Int32Array(0),
    same: new Uint16Array(0),
    seconds: new Int32Array(0),
    decided: new Uint16Array(0),
  })

  get items(): readonly Item[] {
    return this.numbered.rows
  }
  get isWorn(): boolean {
    return this.records.isWorn
  }

  putItems(rows: readonly Item[]): void {
    for (const row of rows) this.numbered.put(row.itId, row)
  }

  putRows(rows: readonly SupplementsRow[]): void {
    if (rows.length > 1000)
      this.records.reserve(
        this.owners.ids.length + rows.length,
        rows.reduce((sum, { records }) => sum + records.length, 0) / supplementBytes,
      )
    for (const row of rows) this.putRow(row)
  }

  private putRow(row: SupplementsRow): void {
    const length = row.records.length / supplementBytes
    const start = this.records.piece(this.owners.put(row), length)
    const { time, item, codes, hours, same, seconds, decided } = this.records.columns
    for (let at = 0; at < length; at++) {
      const read = (place: number) => row.records.readInt32BE(at * supplementBytes + place * 4)
      const to = start + at
      time[to] = read(0)
      item[to] = this.numbered.indexOf(read(1))
      codes[to] = read(2)
      hours[to] = read(3)
      same[to] = read(4)
      seconds[to] = read(5)
      decided[to] = read(6)
    }
  }

  keepOnly(suIds: ReadonlySet<string>): void {
    this.owners.keepOnly(suIds)
  }
}

const supplementsOf = keptColumns<SupplementColumns, SupplementsRow>({
  table: 'statSupplement',
  owner: 'suId',
  empty: () => new SupplementColumns(),
  prepare: async (db, schoolId) => {
    const items = await itemsOf(db, schoolId)
    return (columns) => columns.putItems(items)
  },
  rowsAbove: async (db, schoolId, stamp, suId, limit) =>
    (
      await sql<SupplementsRow>`
        select "suId" "id", "records", "stamp"
        from "statSupplement"
        where "schoolId" = ${schoolId} and "stamp" > ${stamp}::bigint and "suId" > ${suId}::uuid
        order by "suId"
        limit ${limit}`.execute(db)
    ).rows,
  put: (columns, rows) => columns.putRows(rows),
})

type Seen = (place: number, item: number) => boolean

/** Students asked about with what they handed in. */
export interface SupplementsAsked {
  people: PeopleAsked
  columns: SupplementColumns
  /** Of each item whether it is of the wanted node and level; all are without it. */
  fits: Uint8Array | undefined
  /** Of each place and item whether both lie in the asking person's area; all do without it. */
  isSeen: Seen | undefined
}

/** Whether what came of a course or supplement is of the wanted node and level. */
const isOf = ({ path, level }: Item, { lsId, llId }: EarnedFilter): boolean =>
  (!lsId || path.includes(lsId)) && (!llId || level === llId)

/**
 * Whether a part of the curriculum at a place lies in the asking person's area, looked up once for each; undefined
 * where that is the whole school.
 */
export function seenAt(
  { scope }: Pick<Context, 'scope'>,
  places: readonly Place[],
  pathOf: (item: number) => readonly string[],
): Seen | undefined {
  if (scope.whole) return undefined
  const known: boolean[][] = []
  return (place, item) => {
    const { collegeId, majorId, classId, grade } = places[place]!
    return ((known[place] ??= [])[item] ??= scopeIncludes(scope, {
      college: collegeId,
      major: majorId,
      class: classId,
      grade,
      path: pathOf(item),
    }))
  }
}

export async function supplementsAsked(ctx: Context, filter: PlaceFilter & EarnedFilter): Promise<SupplementsAsked> {
  const [people, columns] = await together(peopleAsked(ctx, filter), supplementsOf(ctx))
  return {
    people,
    columns,
    fits: filter.lsId || filter.llId ? Uint8Array.from(columns.items, (item) => Number(isOf(item, filter))) : undefined,
    isSeen: seenAt(ctx, people.columns.places, (item) => columns.items[item]!.path),
  }
}

/**
 * Goes through the supplements that were handed in within a period.
 * @param each is given the row of one and the place of its student; @param after ends each student
 */
export function eachSupplement(
  { people, columns, fits, isSeen }: SupplementsAsked,
  { startTime, endTime }: Pick<EarnedFilter, 'startTime' | 'endTime'>,
  each: (row: number, place: number) => void,
  after?: () => void,
): void {
  const link = linkTo(columns.owners, people.columns.owners)
  const { start, count } = columns.records
  const { time, item } = columns.records.columns
  const from = startTime === undefined ? undefined : secondOf(startTime)
  const to = endTime === undefined ? undefined : secondOf(endTime) + 1
  eachPerson(people, (person, place) => {
    const number = link[person]!
    if (number < 0) return
    const end = start[number]! + count[number]!
    const last = to === undefined ? end : lowerBound(time, start[number]!, end, to)
    for (
      let row = from === undefined ? start[number]! : lowerBound(time, start[number]!, last, from);
      row < last;
      row++
    )
      if ((fits === undefined || fits[item[row]!] === 1) && (isSeen === undefined || isSeen(place, item[row]!)))
        each(row, place)
    after?.()
  })
}
