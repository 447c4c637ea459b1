import { abilityBytes, earnedKind, itemOf, kindOf, recordBytes, standsIn } from './earned-format.ts'
import type { Columns } from './kept-columns.ts'
import { Numbered, type Item } from './numbered.ts'
import { Slices } from './slices.ts'
import { StampedOwners, type StampedRow } from './stamped-owners.ts'

/** Where people stand: all of them who agree in this. */
export interface Place {
  plId: number
  plKind: string
  enrolled: boolean
  collegeId: string | null
  majorId: string | null
  classId: string | null
  grade: string | null
}
/** A person as the rollups have them. */
export interface PersonRow extends StampedRow {
  suiNumber: string
  plId: number
  sex: string
  credibility: number
  blackUntil: string | null
  enterDate: string | null
  met: boolean
  records: Buffer | null
  abilities: Buffer | null
}

/** Where kind and whether a record stands are in its column `what`, below the number of its item. */
export const whatBits = 3

/**
 * The people of a school with what each earned, in columns. Every sum of a record column holds those before it as well,
 * so what somebody earned in a period is the difference of two numbers, however long it is.
 */
export class PeopleColumns implements Columns {
  readonly owners = new StampedOwners()
  /** The number that a school knows somebody by. */
  numbers: string[] = []
  private sorted: Uint32Array | undefined
  sex: string[] = []
  /** The index of the place; -1 for somebody who is gone. */
  place = new Int32Array(0)
  credibility = new Int32Array(0)
  blackUntil: (string | null)[] = []
  enterDate: (string | null)[] = []
  met: boolean[] = []
  private readonly placed = new Numbered<Place>()
  private readonly numbered = new Numbered<Item>()
  /** By time; hours (of all, of supplements) and credit in hundredths, activities and supplements that stand. */
  readonly records = new Slices({
    time: new Int32Array(0),
    what: new Int32Array(0),
    hours: new Int32Array(0),
    supHours: new Int32Array(0),
    credit: new Int32Array(0),
    activities: new Uint16Array(0),
    sups: new Uint16Array(0),
  })
  /** The abilities that anybody has a score of, by their index. */
  readonly labels = new Numbered<string>()
  /** By time; `label` is the index of the ability. */
  readonly abilities = new Slices({ time: new Int32Array(0), label: new Uint16Array(0), score: new Int32Array(0) })

  get places(): readonly Place[] {
    return this.placed.rows
  }
  get items(): readonly Item[] {
    return this.numbered.rows
  }
  /** Everybody there has been, by their number. */
  get suIds(): readonly string[] {
    return this.owners.ids
  }
  /** Everybody there has been, in the order of the numbers that their schools know them by. */
  get byNumber(): Uint32Array {
    this.sorted ??= Uint32Array.from(this.suIds.keys()).sort((a, b) =>
      this.numbers[a]! < this.numbers[b]! ? -1 : this.numbers[a]! > this.numbers[b]! ? 1 : a - b,
    )
    return this.sorted
  }
  get isWorn(): boolean {
    return this.records.isWorn || this.abilities.isWorn
  }

  putPlaces(rows: readonly Place[]): void {
    for (const row of rows) this.placed.put(row.plId, row)
  }
  putItems(rows: readonly Item[]): void {
    for (const row of rows) this.numbered.put(row.itId, row)
  }

  /** Takes people in, or what has become of them. Their places and items are known. */
  putPeople(rows: readonly PersonRow[]): void {
    const bytes = (of: 'records' | 'abilities') => rows.reduce((sum, row) => sum + (row[of]?.length ?? 0), 0)
    const owners = this.owners.ids.length + rows.length
    if (rows.length > 1000) {
      this.records.reserve(owners, bytes('records') / recordBytes)
      this.abilities.reserve(owners, bytes('abilities') / abilityBytes)
    }
    if (owners > this.place.length) {
      this.place = widened(this.place, owners)
      this.credibility = widened(this.credibility, owners)
    }
    for (const row of rows) this.putPerson(row)
  }

  private putPerson(row: PersonRow): void {
    const at = this.owners.put(row)
    if (this.numbers[at] !== row.suiNumber) {
      this.numbers[at] = row.suiNumber
      this.sorted = undefined
    }
    this.place[at] = this.placed.indexOf(row.plId)
    this.sex[at] = row.sex
    this.credibility[at] = row.credibility
    this.blackUntil[at] = row.blackUntil
    this.enterDate[at] = row.enterDate
    this.met[at] = row.met
    this.putRecords(at, row.records)
    this.putAbilities(at, row.abilities)
  }

  keepOnly(suIds: ReadonlySet<string>): void {
    for (const gone of this.owners.keepOnly(suIds)) this.place[gone] = -1
  }

  private putRecords(owner: number, packed: Buffer | null): void {
    const rows = (packed?.length ?? 0) / recordBytes
    const start = this.records.piece(owner, rows)
    const { time, what, hours, supHours, credit, activities, sups } = this.records.columns
    const sum = { hours: 0, supHours: 0, credit: 0, activities: 0, sups: 0 }
    for (let at = 0; at < rows; at++) {
      const [from, to] = [at * recordBytes, start + at]
      const number = packed!.readInt32BE(from + 4)
      if (standsIn(number) && kindOf(number) === earnedKind.L) sum.activities++
      if (standsIn(number) && kindOf(number) === earnedKind.S) sum.sups++
      time[to] = packed!.readInt32BE(from)
      what[to] = (this.numbered.indexOf(itemOf(number)) << whatBits) | (number & 7)
      const worth = packed!.readInt32BE(from + 8)
      hours[to] = sum.hours += worth
      supHours[to] = sum.supHours += kindOf(number) === earnedKind.S ? worth : 0
      credit[to] = sum.credit += packed!.readInt32BE(from + 12)
      activities[to] = sum.activities
      sups[to] = sum.sups
    }
  }

  /** The index of an ability, by the number that it is packed as. */
  private labelOf(itId: number): number {
    if (!this.labels.has(itId)) this.labels.put(itId, this.numbered.rows[this.numbered.indexOf(itId)]!.item)
    return this.labels.indexOf(itId)
  }

  private putAbilities(owner: number, packed: Buffer | null): void {
    const rows = (packed?.length ?? 0) / abilityBytes
    const start = this.abilities.piece(owner, rows)
    const { time, label, score } = this.abilities.columns
    for (let at = 0; at < rows; at++) {
      const [from, to] = [at * abilityBytes, start + at]
      time[to] = packed!.readInt32BE(from)
      label[to] = this.labelOf(packed!.readInt32BE(from + 4))
      score[to] = packed!.readInt32BE(from + 8)
    }
  }
}

function widened(column: Int32Array, length: number): Int32Array<ArrayBuffer> {
  const more = new Int32Array(Math.ceil(length * 1.05))
  more.set(column)
  return more
}
