import { sql, type RawBuilder } from 'kysely'
import type { PublicContext } from '../core/context.ts'
import type { Db } from '../core/database/pool.ts'
import { schoolSettings } from '../school/settings.service.ts'
import { abilityTotals, earnedByDay, lessonTotals, loginsByDay, loginYears, personTotals, placesOf } from './rollups.ts'

type Reader = Pick<PublicContext, 'db' | 'clock'>

/** Notes taken in one go, so that no transaction is long. */
const atOnce = 5000

const columns = {
  statPerson: ['schoolId', 'suId', 'plId', 'sex', 'political', 'credibility', 'blackUntil', 'enterDate', 'hours', 'credit', 'points', 'activities', 'sups', 'lastTime', 'met'],
  statAbility: ['schoolId', 'suId', 'sqlId', 'score'],
  statDay: ['schoolId', 'plId', 'stDay', 'stKind', 'item', 'hours', 'credit', 'records'],
  statLogin: ['schoolId', 'plId', 'logDay', 'people', 'times', 'hours'],
  statLoginYear: ['schoolId', 'suId', 'logYear', 'days'],
  statLesson: ['schoolId', 'liId', 'applied', 'passed', 'signed', 'qualified', 'granted', 'hours', 'sessions', 'stars', 'decideSeconds', 'decided', 'firstPass', 'members', 'membersSigned'],
} as const
export type Rollup = keyof typeof columns

const namesOf = (table: Rollup) => sql.join(columns[table].map((name) => sql.ref(name)))

/** Replaces the rows of a rollup that a condition names by what their query says now. */
async function put(db: Db, schoolId: string, table: Rollup, where: RawBuilder<unknown>, query: RawBuilder<unknown>): Promise<void> {
  await sql`delete from ${sql.table(table)} where "schoolId" = ${schoolId} and ${where}`.execute(db)
  await sql`insert into ${sql.table(table)} (${namesOf(table)}) select ${namesOf(table)} from (${query}) q`.execute(db)
}

const all = sql`true`
const people = (suIds: string[], alias: string) => sql`${sql.ref(`${alias}.suId`)} = any(${suIds}::uuid[])`
const addPlaces = (db: Db, schoolId: string, which: RawBuilder<unknown>) =>
  sql`insert into "statPlace" ("schoolId", "plKind", "enrolled", "collegeId", "majorId", "classId", "grade") ${placesOf(schoolId, which)} on conflict do nothing`.execute(db)

/** Only one refresh of a school at a time; false where another one is at it. */
const takeSchool = async (db: Db, schoolId: string): Promise<boolean> =>
  (await sql<{ got: boolean }>`select pg_try_advisory_xact_lock(hashtextextended(${`statistics:${schoolId}`}::text, 0)) "got"`.execute(db)).rows[0]!.got

interface Note {
  scKind: string
  scKey: string | null
  scDay: string | null
}

/** Brings the rollups of one school up to date, note by note taken; returns how many notes were worked off. Everything noted before it began is in them afterwards. */
export async function refreshSchool(ctx: Reader, schoolId: string): Promise<number> {
  for (let worked = 0; ; ) {
    const taken = await ctx.db.transaction().execute((db) => refreshSome({ ...ctx, db }, schoolId))
    worked += taken
    if (taken < atOnce) return worked
  }
}

async function refreshSome(tx: Reader, schoolId: string): Promise<number> {
  const { db } = tx
  const now = tx.clock.now()
  if (!(await takeSchool(db, schoolId))) return 0
  // statements after this one see whatever the noted transactions wrote, for a note becomes visible together with what it is about
  const { rows } = await sql<Note>`delete from "statChange" where "schoolId" = ${schoolId} and "scNo" in (select "scNo" from "statChange" where "schoolId" = ${schoolId} order by "scNo" limit ${atOnce})
    returning "scKind", "scKey", "scDay"`.execute(db)
  if (rows.some(({ scKind }) => scKind === 'A')) {
    await rebuildIn(tx, schoolId)
    return rows.length
  }
  const keys = (kind: string) => [...new Set(rows.filter(({ scKind }) => scKind === kind).map(({ scKey }) => scKey!))]
  const [lessons, persons] = [keys('L'), keys('P')]
  if (lessons.length > 0) await put(db, schoolId, 'statLesson', sql`"liId" = any(${lessons}::uuid[])`, lessonTotals(schoolId, sql`l."liId" = any(${lessons}::uuid[])`))
  if (persons.length > 0) await refreshPersons(tx, schoolId, persons)
  const days = rows.filter(({ scKind, scDay }) => scKind === 'G' && scDay !== null)
  if (days.length > 0) await refreshLogins(db, schoolId, days.map(({ scKey, scDay }) => ({ suId: scKey!, day: scDay! })))
  await stamp(db, schoolId, now, rows.length > 0)
  return rows.length
}

/** Persons with their totals, and everything of the places where they were and are. */
async function refreshPersons({ db }: Reader, schoolId: string, suIds: string[]): Promise<void> {
  const { totalHours } = await schoolSettings({ db }, schoolId)
  const where = async () => (await sql<{ suId: string; plId: number }>`select "suId", "plId" from "statPerson" where "schoolId" = ${schoolId} and "suId" = any(${suIds}::uuid[])`.execute(db)).rows
  const before = await where()
  await addPlaces(db, schoolId, people(suIds, 'p'))
  await put(db, schoolId, 'statPerson', people(suIds, 'statPerson'), personTotals(schoolId, totalHours, people(suIds, 'p'), people(suIds, 'c')))
  await put(db, schoolId, 'statAbility', people(suIds, 'statAbility'), abilityTotals(schoolId, sql`${people(suIds, 'c')} and ${present}`))
  const after = await where()
  const placeOf = new Map(before.map(({ suId, plId }) => [suId, plId]))
  const plIds = [...new Set([...before, ...after].map(({ plId }) => plId))]
  const there = sql`s."plId" = any(${plIds}::int[])`
  const living = sql`c."suId" in (select x."suId" from "statPerson" x where x."schoolId" = ${schoolId} and x."plId" = any(${plIds}::int[]))`
  await put(db, schoolId, 'statDay', sql`"plId" = any(${plIds}::int[])`, earnedByDay(schoolId, living, there))
  const moved = suIds.filter((suId) => placeOf.get(suId) !== after.find((row) => row.suId === suId)?.plId)
  const left = [...new Set([...before, ...after].filter(({ suId }) => moved.includes(suId)).map(({ plId }) => plId))]
  if (left.length > 0) {
    const inLeft = sql`d."suId" in (select x."suId" from "statPerson" x where x."schoolId" = ${schoolId} and x."plId" = any(${left}::int[]))`
    await put(db, schoolId, 'statLogin', sql`"plId" = any(${left}::int[])`, loginsByDay(schoolId, inLeft, sql`s."plId" = any(${left}::int[])`))
  }
}

/** Abilities are kept of persons that are there. */
const present = sql`exists (select from "person" e where e."schoolId" = c."schoolId" and e."suId" = c."suId" and e."delFlag" = '0')`

async function refreshLogins(db: Db, schoolId: string, days: { suId: string; day: string }[]): Promise<void> {
  const suIds = [...new Set(days.map(({ suId }) => suId))]
  const dates = [...new Set(days.map(({ day }) => day))]
  const years = [...new Set(dates.map((day) => Number(day.slice(0, 4))))]
  const places = (await sql<{ plId: number }>`select distinct "plId" from "statPerson" where "schoolId" = ${schoolId} and "suId" = any(${suIds}::uuid[])`.execute(db)).rows.map(({ plId }) => plId)
  await put(db, schoolId, 'statLogin', sql`"plId" = any(${places}::int[]) and "logDay" = any(${dates}::date[])`, loginsByDay(schoolId, sql`d."logDay" = any(${dates}::date[])`, sql`s."plId" = any(${places}::int[])`))
  await put(db, schoolId, 'statLoginYear', sql`"suId" = any(${suIds}::uuid[]) and "logYear" = any(${years}::int[])`, loginYears(schoolId, sql`d."suId" = any(${suIds}::uuid[]) and extract(year from d."logDay")::int = any(${years}::int[])`))
}

const stamp = (db: Db, schoolId: string, now: string, changed: boolean) =>
  sql`insert into "statState" ("schoolId", "statVersion", "asOf") values (${schoolId}, 1, ${now}::timestamptz)
    on conflict ("schoolId") do update set "asOf" = greatest("statState"."asOf", excluded."asOf"), "statVersion" = "statState"."statVersion" + ${Number(changed)}::int`.execute(db)

/** Every rollup of a school with the query that makes it from the raw rows. Persons come first: places by day are reckoned from where they are. */
export async function wholes({ db }: Pick<Reader, 'db'>, schoolId: string): Promise<[Rollup, RawBuilder<unknown>][]> {
  const { totalHours } = await schoolSettings({ db }, schoolId)
  return [
    ['statPerson', personTotals(schoolId, totalHours, all, all)], ['statAbility', abilityTotals(schoolId, present)], ['statDay', earnedByDay(schoolId, all, all)], ['statLogin', loginsByDay(schoolId, all, all)],
    ['statLoginYear', loginYears(schoolId, all)], ['statLesson', lessonTotals(schoolId, all)],
  ]
}

async function rebuildIn(tx: Reader, schoolId: string): Promise<void> {
  const { db } = tx
  const now = tx.clock.now()
  await sql`set local statement_timeout = 0`.execute(db)
  await sql`delete from "statChange" where "schoolId" = ${schoolId}`.execute(db)
  await addPlaces(db, schoolId, all)
  for (const [table, query] of await wholes(tx, schoolId)) await put(db, schoolId, table, all, query)
  await sql`delete from "statPlace" l where l."schoolId" = ${schoolId} and not exists (select from "statPerson" s where s."schoolId" = l."schoolId" and s."plId" = l."plId")`.execute(db)
  await stamp(db, schoolId, now, true)
}

/** Makes all rollups of a school anew from the raw rows. */
export const rebuildSchool = (ctx: Reader, schoolId: string): Promise<void> =>
  ctx.db.transaction().execute(async (db) => {
    await sql`select pg_advisory_xact_lock(hashtextextended(${`statistics:${schoolId}`}::text, 0))`.execute(db)
    await rebuildIn({ ...ctx, db }, schoolId)
  })

/** How many rows of each rollup differ from what the raw rows say now: none, unless something is broken. What is noted and not yet worked off is worked off first. */
export async function checkSchool(ctx: Reader, schoolId: string): Promise<Record<Rollup, number>> {
  await refreshSchool(ctx, schoolId)
  return ctx.db.transaction().setIsolationLevel('repeatable read').execute(async (db) => {
    await sql`set local statement_timeout = 0`.execute(db)
    // what was noted since the refresh is in the raw rows of this snapshot and not yet in the rollups; the next check will see it
    const { n } = (await sql<{ n: number }>`select count(*)::int "n" from "statChange" where "schoolId" = ${schoolId}`.execute(db)).rows[0]!
    const found = {} as Record<Rollup, number>
    for (const [table, query] of await wholes({ db }, schoolId)) {
      const kept = sql`select ${namesOf(table)} from ${sql.table(table)} where "schoolId" = ${schoolId}`
      const raw = sql`select ${namesOf(table)} from (${query}) q`
      const { rows } = await sql<{ n: number }>`select count(*)::int "n" from ((${kept} except all ${raw}) union all (${raw} except all ${kept})) d`.execute(db)
      found[table] = n > 0 ? 0 : rows[0]!.n
    }
    if (n === 0) await sql`update "statState" set "checkTime" = ${ctx.clock.now()}::timestamptz, "differences" = ${Object.values(found).reduce((sum, one) => sum + one, 0)} where "schoolId" = ${schoolId}`.execute(db)
    return found
  })
}

/** The job that keeps all schools up to date. */
export async function refreshStatistics(ctx: Reader): Promise<{ notes: number }> {
  const { rows } = await sql<{ schoolId: string }>`select "schoolId" from "school" s where exists (select from "statChange" c where c."schoolId" = s."schoolId")`.execute(ctx.db)
  let notes = 0
  for (const { schoolId } of rows) notes += await refreshSchool(ctx, schoolId)
  return { notes }
}

/** The nightly job: compares every school's rollups with its raw rows, and makes anew what differs. */
export async function checkStatistics(ctx: PublicContext | (Reader & Pick<PublicContext, 'log'>)): Promise<Record<string, number>> {
  const { rows } = await sql<{ schoolId: string }>`select "schoolId" from "school" order by 1`.execute(ctx.db)
  const wrong: Record<string, number> = {}
  for (const { schoolId } of rows) {
    const found = await checkSchool(ctx, schoolId)
    const differences = Object.values(found).reduce((sum, one) => sum + one, 0)
    if (differences === 0) continue
    wrong[schoolId] = differences
    ctx.log.error({ schoolId, found }, 'statistics differ from the raw rows and are made anew')
    await rebuildSchool(ctx, schoolId)
  }
  return wrong
}
