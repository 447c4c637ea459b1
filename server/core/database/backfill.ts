import { setTimeout as sleep } from 'node:timers/promises'
import { sql, type Kysely } from 'kysely'
import { refuseTransaction } from './stepwise.ts'

/** Where backfills note how far they have come; made by a migration. */
export const progressTable = 'migrationProgress'

interface Backfill {
  /** Under which its progress is kept: the migration's name, and a word more where it has several. */
  name: string
  table: string
  /** Columns of the primary key, in its order. */
  key: readonly string[]
  /** What follows `set`, as SQL. */
  set: string
  /** Condition, as SQL, of the rows that are still to be filled; rows that are filled must not fulfil it. */
  where: string
  /** Rows looked at in one transaction; halved when it takes too long. */
  batchRows?: number
  /** Milliseconds between two batches, for everybody else and for replicas. */
  pauseMs?: number
  statementTimeoutMs?: number
  /**
   * Walks through the table; those after the first are for what processes of the version before have written meanwhile.
   */
  passes?: number
}

interface Progress {
  lastKey: string[] | null
  rowCount: number
  passNumber: number
  isDone: boolean
}

/** Tries of a batch that met a deadlock with somebody else. */
const deadlockTries = 10
const codeOf = (error: unknown) => (error as { code?: string } | undefined)?.code
const statementTimedOut = '57014'
const deadlocked = '40P01'

/**
 * Fills rows of a table in small transactions, by its key; only in a stepwise migration. How far it has come is kept in
 * the transaction of each batch: killed, it goes on behind the last one, and once through it does nothing more.
 * @returns rows filled by this and earlier attempts
 * @throws when somebody keeps rows locked (tried again by the migration), or a single row takes too long
 */
export async function backfill(db: Kysely<unknown>, what: Backfill): Promise<number> {
  refuseTransaction(db)
  const { name, pauseMs = 50, passes = 3 } = what
  let progress = await progressOf(db, name)
  let size = what.batchRows ?? 1000
  let deadlocks = 0
  while (!progress.isDone) {
    try {
      const end = await endOfBatch(db, what, progress.lastKey, size)
      if (end) progress = await fillBatch(db, what, progress, end)
      else {
        const goesOn = progress.passNumber < passes && (await isAnyLeft(db, what))
        progress = { ...progress, lastKey: null, passNumber: progress.passNumber + 1, isDone: !goesOn }
        await keep(db, name, progress)
      }
      deadlocks = 0
    } catch (error) {
      if (codeOf(error) === statementTimedOut && size > 1) size = Math.ceil(size / 2)
      else if (codeOf(error) !== deadlocked || ++deadlocks > deadlockTries) throw error
    }
    if (!progress.isDone) await sleep(pauseMs)
  }
  return progress.rowCount
}

const names = (columns: readonly string[]) => sql.join(columns.map((column) => sql.id(column)))
const values = (key: readonly string[]) => sql.join(key.map((value) => sql`${value}`))

async function progressOf(db: Kysely<unknown>, name: string): Promise<Progress> {
  const { rows } = await sql<Progress>`
    select "lastKey", "rowCount"::int, "passNumber", "endTime" is not null "isDone"
    from ${sql.table(progressTable)}
    where "name" = ${name}`.execute(db)
  return rows[0] ?? { lastKey: null, rowCount: 0, passNumber: 1, isDone: false }
}

const keep = (db: Kysely<unknown>, name: string, { lastKey, rowCount, passNumber, isDone }: Progress) =>
  sql`
  insert into ${sql.table(progressTable)} ("name", "lastKey", "rowCount", "passNumber", "endTime")
  values (${name}, ${lastKey && JSON.stringify(lastKey)}, ${rowCount}, ${passNumber}, case when ${isDone} then now() end)
  on conflict ("name") do update
  set "lastKey" = excluded."lastKey",
    "rowCount" = excluded."rowCount",
    "passNumber" = excluded."passNumber",
    "endTime" = excluded."endTime"`.execute(db)

/** The key of the last row of the next batch; undefined behind the last row of the table. */
async function endOfBatch(
  db: Kysely<unknown>,
  { table, key }: Backfill,
  last: string[] | null,
  size: number,
): Promise<string[] | undefined> {
  const behind = last ? sql`where (${names(key)}) > (${values(last)})` : sql``
  const { rows } = await sql<{ key: string[] }>`
    with backfill as (
      select ${names(key)} from ${sql.table(table)} ${behind} order by ${names(key)} limit ${size}
    )
    select array[${sql.join(key.map((column) => sql`${sql.id(column)}::text`))}] "key"
    from backfill
    order by ${sql.join(key.map((column) => sql`${sql.id(column)} desc`))}
    limit 1`.execute(db)
  return rows[0]?.key
}

const fillBatch = (db: Kysely<unknown>, what: Backfill, progress: Progress, end: string[]): Promise<Progress> =>
  db.transaction().execute(async (tx) => {
    const { name, table, key, statementTimeoutMs = 15_000 } = what
    await sql`select set_config('statement_timeout', ${`${statementTimeoutMs}ms`}, true)`.execute(tx)
    const behind = progress.lastKey ? sql`(${names(key)}) > (${values(progress.lastKey)}) and` : sql``
    const { numAffectedRows = 0n } = await sql`
      update ${sql.table(table)}
      set ${sql.raw(what.set)}
      where ${behind} (${names(key)}) <= (${values(end)})
        and (${sql.raw(what.where)})`.execute(tx)
    const next = { ...progress, lastKey: end, rowCount: progress.rowCount + Number(numAffectedRows) }
    await keep(tx, name, next)
    return next
  })

async function isAnyLeft(db: Kysely<unknown>, { table, where }: Backfill): Promise<boolean> {
  const { rows } = await sql<{ is: boolean }>`
    select exists (select from ${sql.table(table)} where ${sql.raw(where)}) "is"`.execute(db)
  return rows[0]?.is ?? false
}
