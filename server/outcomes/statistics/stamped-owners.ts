/**
 * A row of a rollup that is kept in columns: of which person or course it is, and the stamp of its last calculation.
 */
export interface StampedRow {
  id: string
  stamp: number
}

/** The people or courses whose rows columns hold, numbered, and which stamps these had. */
export class StampedOwners {
  /** All there have been, by their number. */
  readonly ids: string[] = []
  private readonly numbers = new Map<string, number>()
  private readonly stamps: number[] = []
  /** All stamps combined, by which it shows when the rows held are not those of the database. */
  mark = 0n
  /** The highest stamp there has been. */
  latest = 0

  /** How many there are. */
  get size(): number {
    return this.numbers.size
  }

  /** @returns the number of one; undefined where it is not there */
  numberOf(id: string): number | undefined {
    return this.numbers.get(id)
  }

  /** Takes a row in. @returns the number of its owner */
  put({ id, stamp }: StampedRow): number {
    let number = this.numbers.get(id)
    if (number === undefined) {
      number = this.ids.push(id) - 1
      this.numbers.set(id, number)
    } else this.mark ^= BigInt(this.stamps[number]!)
    this.stamps[number] = stamp
    this.mark ^= BigInt(stamp)
    this.latest = Math.max(this.latest, stamp)
    return number
  }

  /** Takes out who is not among these. @returns their numbers, which nobody gets again */
  keepOnly(ids: ReadonlySet<string>): number[] {
    const gone = [...this.numbers].filter(([id]) => !ids.has(id))
    for (const [id, number] of gone) {
      this.numbers.delete(id)
      this.mark ^= BigInt(this.stamps[number]!)
    }
    return gone.map(([, number]) => number)
  }
}

/**
 * How many there are and have been: it differs whenever somebody has come or gone. The stamps would not do: those of
 * two who came with the same one cancel each other out.
 */
const membersOf = ({ size, ids }: StampedOwners): string => `${size}/${ids.length}`

const links = new WeakMap<StampedOwners, { from: StampedOwners; members: string; link: Int32Array }>()

/**
 * Of each owner the number that they have among others; -1 where they are not there. Looked up once while both stay.
 */
export function linkTo(to: StampedOwners, from: StampedOwners): Int32Array {
  const members = `${membersOf(to)} ${membersOf(from)}`
  const known = links.get(to)
  if (known?.from === from && known.members === members) return known.link
  const link = Int32Array.from(from.ids, (id) => to.numberOf(id) ?? -1)
  links.set(to, { from, members, link })
  return link
}
