import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { together } from '../../core/base/together.ts'
import { wholeDatabase } from '../../core/database/pipelining.ts'
import type { Db } from '../../core/database/pool.ts'
import type { Context } from '../../core/request/context.ts'
import { rebuildSchool, refreshSchool } from './refresh.service.ts'
import type { StampedOwners, StampedRow } from './stamped-owners.ts'

/**
 * Rollups that a process keeps in columns, school by school (decision 035): read whole at the first question and
 * afterwards only where they have changed.
 */

type Reader = Pick<Context, 'db' | 'actor' | 'clock'>

export interface Columns {
  readonly owners: StampedOwners
  /** Whether they should be read anew: much of their room is no longer anybody's. */
  readonly isWorn: boolean
  /** Takes out what is not among these. */
  keepOnly(ids: ReadonlySet<string>): void
}

/** How columns are filled from a rollup. */
interface ColumnSource<C extends Columns, R extends StampedRow> {
  /** The rollup, whose rows have stamps and are of one person or course each: whose id is in the column `owner`. */
  table: 'statPerson' | 'statSignIn' | 'statSupplement' | 'statLesson'
  owner: 'suId' | 'liId'
  empty: () => C
  /** Whatever rows refer to; read before them. */
  prepare?: (db: Db, schoolId: string) => Promise<(columns: C) => void>
  /** Rows with a stamp above one, of owners above one, by owner. */
  rowsAbove: (db: Db, schoolId: string, stamp: number, id: string, limit: number) => Promise<R[]>
  put: (columns: C, rows: readonly R[]) => void
}

/** Rows read at once, so that other requests have their turn in between. */
const chunk = 4000
/** How many changed rows are read into what is kept; where there are more, everything is read anew. */
const maxChanged = chunk
/** Milliseconds after which a school that nobody asks about is let go, and how often that is looked at. */
const idleAfterMs = 30 * 60_000
const sweepEveryMs = 5 * 60_000
/** Milliseconds between two looks whether the rollups have been made. */
const betweenMs = 200
const nobody = '00000000-0000-0000-0000-000000000000'

/** Columns with the stamp of the school that they hold everything of. */
interface Kept<C> {
  columns: C
  stamp: number
  /** When the school was first asked about, and last. */
  readAt: number
  usedAt: number
}

/** All that is kept of schools, whatever rollup it is of. */
const keptOfAll: Map<string, { readAt: number }>[] = []

/** Lets go of a school whose columns nobody asked for before a moment (of `performance.now()`). */
export function letGo(schoolId: string, since: number): void {
  for (const kept of keptOfAll) if ((kept.get(schoolId)?.readAt ?? 0) >= since) kept.delete(schoolId)
}

/** The columns of the own school as its rollups are now; everybody shares them and nobody changes them. */
export function keptColumns<C extends Columns, R extends StampedRow>(
  source: ColumnSource<C, R>,
): (ctx: Reader) => Promise<C> {
  const kept = new Map<string, Kept<C>>()
  keptOfAll.push(kept)
  const reading = new Map<string, Promise<unknown>>()
  setInterval(() => {
    for (const [schoolId, { usedAt }] of kept) if (usedAt < performance.now() - idleAfterMs) kept.delete(schoolId)
  }, sweepEveryMs).unref()

  return async (ctx) => {
    const { schoolId } = ctx.actor
    for (;;) {
      const stamp = await stampNow(ctx.db, schoolId)
      const known = kept.get(schoolId)
      if (known?.stamp === stamp) {
        known.usedAt = performance.now()
        return known.columns
      }
      const underWay = reading.get(schoolId)
      if (underWay) {
        // it may have begun before the change that is asked for
        await underWay
        continue
      }
      const read = bringUpToDate(ctx, source, known?.columns)
      reading.set(schoolId, read)
      try {
        const now = await read
        kept.set(schoolId, { ...now, readAt: known?.readAt ?? performance.now() })
        return now.columns
      } finally {
        reading.delete(schoolId)
      }
    }
  }
}

/** Questions for stamps that have not been sent yet. */
const questions = new WeakMap<Db, Map<string, Promise<number>>>()

/** The stamp of a school; those who ask in the same moment share one statement. */
function stampNow(asking: Db, schoolId: string): Promise<number> {
  const db = wholeDatabase(asking)
  const waiting = questions.get(db) ?? new Map<string, Promise<number>>()
  questions.set(db, waiting)
  const known = waiting.get(schoolId)
  if (known) return known
  const asked = Promise.resolve().then(() => {
    waiting.delete(schoolId)
    return stampOf(db, schoolId)
  })
  waiting.set(schoolId, asked)
  return asked
}

const stampOf = async (db: Db, schoolId: string): Promise<number> =>
  (await sql<{ stamp: number }>`select "stamp" from "statState" where "schoolId" = ${schoolId}`.execute(db)).rows[0]
    ?.stamp ?? 0

async function bringUpToDate<C extends Columns, R extends StampedRow>(
  ctx: Reader,
  source: ColumnSource<C, R>,
  known: C | undefined,
): Promise<Omit<Kept<C>, 'readAt'>> {
  const { schoolId } = ctx.actor
  for (;;) {
    const found = ctx.db.isTransaction
      ? await readNow(ctx.db, schoolId, source, known)
      : await ctx.db
          .transaction()
          .setIsolationLevel('repeatable read')
          .execute((db) => readNow(db, schoolId, source, known))
    if (found) return { ...found, usedAt: performance.now() }
    // the rollups were last calculated by a version of the program that did not have these
    if ((await refreshSchool(ctx, schoolId)) === 0) await rebuildSchool(ctx, schoolId)
    else await pause(betweenMs)
  }
}

/** What a rollup holds at one moment. */
interface Now {
  size: number
  mark: bigint
  /** How many rows have a stamp above the latest one known. */
  changed: number
}

/** @returns null where the rollups have not been made by this version of the program */
async function readNow<C extends Columns, R extends StampedRow>(
  db: Db,
  schoolId: string,
  source: ColumnSource<C, R>,
  known: C | undefined,
): Promise<{ columns: C; stamp: number } | null> {
  const latest = known?.owners.latest ?? 0
  const [stamp, found, prepared] = await together(
    stampOf(db, schoolId),
    sql<{ size: number; mark: string; changed: number }>`
      select count(*)::int "size", coalesce(bit_xor("stamp"), 0)::text "mark",
        (count(*) filter (where "stamp" > ${latest}::bigint))::int "changed"
      from ${sql.table(source.table)}
      where "schoolId" = ${schoolId}`.execute(db),
    source.prepare?.(db, schoolId),
  )
  const { size, mark, changed } = found.rows[0]!
  const now: Now = { size, mark: BigInt(mark), changed }
  if (stamp === 0) {
    const { rows } = await sql`select from "statPerson" where "schoolId" = ${schoolId} limit 1`.execute(db)
    if (rows.length > 0) return null
  }
  if (known && !known.isWorn && changed <= maxChanged) {
    const rows = changed === 0 ? [] : await source.rowsAbove(db, schoolId, latest, nobody, maxChanged)
    prepared?.(known)
    source.put(known, rows)
    if (isSame(known, now) || (await withoutGone(db, schoolId, source, known, now))) return { columns: known, stamp }
  }
  const columns = source.empty()
  prepared?.(columns)
  for (let last = nobody; ;) {
    const rows = await source.rowsAbove(db, schoolId, -1, last, chunk)
    source.put(columns, rows)
    if (rows.length < chunk) return { columns, stamp }
    last = rows.at(-1)!.id
  }
}

const isSame = ({ owners }: Columns, { size, mark }: Now): boolean => owners.size === size && owners.mark === mark

/** Takes out who is gone; false where that does not give what the database holds, as after a backup was put back. */
async function withoutGone<C extends Columns, R extends StampedRow>(
  db: Db,
  schoolId: string,
  { table, owner }: ColumnSource<C, R>,
  columns: C,
  now: Now,
): Promise<boolean> {
  const { rows } = await sql<{
    id: string
  }>`select ${sql.ref(owner)} "id" from ${sql.table(table)} where "schoolId" = ${schoolId}`.execute(db)
  columns.keepOnly(new Set(rows.map(({ id }) => id)))
  return isSame(columns, now)
}
