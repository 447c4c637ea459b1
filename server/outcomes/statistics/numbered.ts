/** What packed records name by number: a module with path and level of what brought them, or an ability. */
export interface Item {
  itId: number
  item: string
  path: string[]
  level: string
}

/** Rows by numbers from 0 on, which stay when more come. */
export class Numbered<T> {
  readonly rows: T[] = []
  private readonly at = new Map<number, number>()

  put(id: number, row: T): void {
    const known = this.at.get(id)
    if (known === undefined) this.at.set(id, this.rows.push(row) - 1)
    else this.rows[known] = row
  }
  has(id: number): boolean {
    return this.at.has(id)
  }
  /** The number of a row. @throws Error for one that is not there */
  indexOf(id: number): number {
    const at = this.at.get(id)
    if (at === undefined) throw new Error(`statistics know no place or item ${id}`)
    return at
  }
}
