import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { dayOf } from '../../core/base/clock.ts'
import { enqueue } from '../../core/jobs/jobs.ts'
import { liftLimits } from '../../core/database/pool.ts'
import type { PublicContext } from '../../core/request/context.ts'
import {
  asPlanned,
  namesOf,
  ownerOf,
  ownersIn,
  queries,
  rebuildSchool,
  refreshSchool,
  slicesOf,
  type Rollup,
} from './refresh.service.ts'

type Reader = Pick<PublicContext, 'db' | 'clock'>
/** How many rows of each rollup differ from what the raw rows say. */
export type Differences = Record<Rollup, number>

/** Times a school is tried to be compared in one go, and milliseconds between two of them. */
const usualTries = 20
const between = 500
/** People or courses that one statement compares. */
const atOnce = 250
/** Hours of the day in which all schools are compared: from the first, before the last. */
const night = { from: 2, to: 6 }

/** How many rows differ, of all rollups together. */
export const sumOf = (found: Differences): number => Object.values(found).reduce((sum, one) => sum + one, 0)

/**
 * How many rows of each rollup differ from what the raw rows say now: none, unless something is broken. What is noted
 * and not yet worked off is worked off first.
 * @returns null where it could not be compared, for another one was at the school or something was noted in between
 *   each time
 */
export async function checkSchool(ctx: Reader, schoolId: string, tries = usualTries): Promise<Differences | null> {
  for (let left = tries; left > 0; left--) {
    const found = (await refreshSchool(ctx, schoolId)) === null ? null : await compare(ctx, schoolId)
    if (found) return found
    if (left > 1) await pause(between)
  }
  return null
}

/**
 * Compares what is kept with the raw rows of the same moment; null when something is noted at that moment, which is in
 * the one and not in the other.
 */
async function compare(ctx: Reader, schoolId: string): Promise<Differences | null> {
  const found = await ctx.db
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(async (db) => {
      await liftLimits(db)
      const noted = await sql`select from "statChange" where "schoolId" = ${schoolId} limit 1`.execute(db)
      if (noted.rows.length > 0) return null
      const differences = {} as Differences
      const queryOf = await queries({ db }, schoolId)
      const owners = { suId: await ownersIn(db, schoolId, 'suId'), liId: await ownersIn(db, schoolId, 'liId') }
      for (const table of Object.keys(queryOf) as Rollup[]) {
        const owner = ownerOf(table)
        differences[table] = 0
        for (const ids of slicesOf(owners[owner], atOnce)) {
          const kept = sql`
            select ${namesOf(table)}
            from ${sql.table(table)}
            where "schoolId" = ${schoolId} and ${sql.ref(owner)} = any(${ids}::uuid[])`
          const raw = sql`select ${namesOf(table)} from (${queryOf[table](ids)}) q`
          const { rows } = await sql<{
            n: number
          }>`select count(*)::int "n" from ((${kept} except all ${raw}) union all (${raw} except all ${kept})) d ${asPlanned}`.execute(
            db,
          )
          differences[table] += rows[0]!.n
        }
      }
      return differences
    })
  // in a transaction of its own: the refresh may have stamped the row since, and a snapshot cannot write over that
  if (found)
    await sql`
      update "statState"
      set "checkTime" = ${ctx.clock.now()}::timestamptz, "differences" = ${sumOf(found)}::int
      where "schoolId" = ${schoolId}`.execute(ctx.db)
  return found
}

type LoggingReader = Reader & Pick<PublicContext, 'log'>

/** The job that compares one school, by night; the school is its key. */
export const checkJob = 'statistics:check-school'

/**
 * The recurring job: asks for the comparison of the schools that have not been compared today, one job each, so that
 * all processes share them and a large school keeps no other one waiting.
 * @returns how many
 */
export async function startNightlyChecks(ctx: Reader): Promise<number> {
  const due = await dueTonight(ctx)
  for (const schoolId of due) await enqueue(ctx, { schoolId, kind: checkJob, key: checkJob })
  return due.length
}

/** The job of one school; one that waited until the day, or was done meanwhile, is left. */
export const checkInItsTurn = async (ctx: LoggingReader, schoolId: string): Promise<Record<string, number | null>> =>
  (await dueTonight(ctx)).includes(schoolId) ? checkEach(ctx, [schoolId]) : {}

/** The schools that have not been compared today; none by day. */
export async function dueTonight({ db, clock }: Reader): Promise<string[]> {
  const now = clock.now()
  const hour = Number(now.slice(11, 13))
  if (hour < night.from || hour >= night.to) return []
  const { rows } = await sql<{
    schoolId: string
  }>`
    select c."schoolId"
    from "school" c
    left join "statState" s on s."schoolId" = c."schoolId"
    where s."checkTime" is null or s."checkTime" < ${`${dayOf(now)} 00:00:00`}::timestamptz
    order by 1`.execute(db)
  return rows.map(({ schoolId }) => schoolId)
}

/**
 * Compares the rollups of schools with their raw rows, and makes anew what differs or cannot even be refreshed. The
 * fault of one school, told in the log, keeps no other one from it.
 * @returns by school how many rows differed, where some did; null where it failed
 */
export async function checkEach(
  ctx: LoggingReader,
  schoolIds: readonly string[],
): Promise<Record<string, number | null>> {
  const wrong: Record<string, number | null> = {}
  for (const schoolId of schoolIds) {
    const found = await checkSchool(ctx, schoolId).catch((error: unknown) => {
      ctx.log.error({ err: error, schoolId }, 'statistics could not be compared with the raw rows and are made anew')
      return 'failed' as const
    })
    if (found === null)
      ctx.log.warn({ schoolId }, 'statistics were not compared with the raw rows: others were at them all the time')
    if (found === null || (found !== 'failed' && sumOf(found) === 0)) continue
    if (found !== 'failed') ctx.log.error({ schoolId, found }, 'statistics differ from the raw rows and are made anew')
    wrong[schoolId] = found === 'failed' ? null : sumOf(found)
    await rebuildSchool(ctx, schoolId).catch((error: unknown) =>
      ctx.log.error({ err: error, schoolId }, 'statistics could not be made anew'),
    )
  }
  return wrong
}
