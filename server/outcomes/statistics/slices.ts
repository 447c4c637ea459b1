/**
 * Numbers of many owners in common columns, those of each in one piece: so a million of them are gone through in
 * milliseconds and take no more memory than their bytes.
 */
export class Slices<C extends Record<string, Int32Array | Uint16Array>> {
  columns: C
  /** Where the piece of each owner begins, and how long it is. */
  start = new Int32Array(0)
  count = new Int32Array(0)
  private room = new Int32Array(0)
  private used = 0
  /** Rows that nobody has any more. */
  private lost = 0

  /** @param columns empty ones, of the kinds wanted */
  constructor(columns: C) {
    this.columns = columns
  }

  /** Makes room before many are put. */
  reserve(owners: number, rows: number): void {
    if (owners > this.start.length) {
      this.start = grown(this.start, owners)
      this.count = grown(this.count, owners)
      this.room = grown(this.room, owners)
    }
    const length = this.used + rows
    if (length > (Object.values(this.columns)[0]?.length ?? 0))
      this.columns = Object.fromEntries(
        Object.entries(this.columns).map(([name, column]) => [name, grown(column, length)]),
      ) as unknown as C
  }

  /**
   * Gives an owner a piece of so many rows in the place of the one they had, to be filled.
   * @returns where it begins
   */
  piece(owner: number, rows: number): number {
    if (owner >= this.start.length || (rows > this.room[owner]! && this.used + rows > this.length))
      this.reserve(owner < this.start.length ? 0 : Math.ceil((owner + 1) * 1.1), rows + Math.ceil(this.used / 10))
    if (rows > this.room[owner]!) {
      this.lost += this.room[owner]!
      this.start[owner] = this.used
      this.room[owner] = rows
      this.used += rows
    }
    this.count[owner] = rows
    return this.start[owner]!
  }

  /** Whether so much of it is no longer anybody's that it should be read anew. */
  get isWorn(): boolean {
    return this.lost > this.used / 3
  }

  private get length(): number {
    return Object.values(this.columns)[0]!.length
  }

  /** Bytes that are held. */
  get bytes(): number {
    return [...Object.values(this.columns), this.start, this.count, this.room].reduce(
      (sum, { byteLength }) => sum + byteLength,
      0,
    )
  }
}

function grown<A extends Int32Array | Uint16Array>(column: A, length: number): A {
  const more = new (column.constructor as new (length: number) => A)(length)
  more.set(column)
  return more
}

/** The first row of a piece that is sorted by `column` at which it is not below `value`. */
export function lowerBound(column: Int32Array, start: number, end: number, value: number): number {
  let [low, high] = [start, end]
  while (low < high) {
    const middle = (low + high) >> 1
    if (column[middle]! < value) low = middle + 1
    else high = middle
  }
  return low
}
