import { sql } from 'kysely'
import { keptColumns, type Columns } from './kept-columns.ts'
import { Slices } from './slices.ts'
import { StampedOwners, type StampedRow } from './stamped-owners.ts'

interface SignInRow extends StampedRow {
  days: Buffer
}

const bytes = 8
/** What a day is multiplied by in a key; the places up to the next day are the day itself and its hours. */
export const placesOfDay = 32
export const dayBits = 5

/** When the people of a school signed in, by time, as {@link signInsPacked} packs it. */
export class SignInColumns implements Columns {
  readonly owners = new StampedOwners()
  readonly signIns = new Slices({ key: new Int32Array(0), times: new Int32Array(0) })
  /** The first day anybody signed in, since 2000; null where nobody has. */
  first: number | null = null

  get isWorn(): boolean {
    return this.signIns.isWorn
  }

  putRows(rows: readonly SignInRow[]): void {
    if (rows.length > 1000)
      this.signIns.reserve(
        this.owners.ids.length + rows.length,
        rows.reduce((sum, { days }) => sum + days.length, 0) / bytes,
      )
    for (const row of rows) this.putRow(row)
  }

  private putRow(row: SignInRow): void {
    const length = row.days.length / bytes
    const start = this.signIns.piece(this.owners.put(row), length)
    const { key, times } = this.signIns.columns
    for (let at = 0; at < length; at++) {
      key[start + at] = row.days.readInt32BE(at * bytes)
      times[start + at] = row.days.readInt32BE(at * bytes + 4)
    }
    if (length > 0) this.first = Math.min(this.first ?? Infinity, Math.floor(key[start]! / placesOfDay))
  }

  keepOnly(suIds: ReadonlySet<string>): void {
    this.owners.keepOnly(suIds)
  }
}

/** When the people of the own school signed in. */
export const signInsOf = keptColumns<SignInColumns, SignInRow>({
  table: 'statSignIn',
  owner: 'suId',
  empty: () => new SignInColumns(),
  rowsAbove: async (db, schoolId, stamp, suId, limit) =>
    (
      await sql<SignInRow>`
        select "suId" "id", "days", "stamp"
        from "statSignIn"
        where "schoolId" = ${schoolId} and "stamp" > ${stamp}::bigint and "suId" > ${suId}::uuid
        order by "suId"
        limit ${limit}`.execute(db)
    ).rows,
  put: (columns, rows) => columns.putRows(rows),
})
