import { sql, type RawBuilder } from 'kysely'
import type { PublicContext } from '../../core/request/context.ts'
import { analyzeTables } from '../../core/database/analyze.ts'
import type { Db } from '../../core/database/pool.ts'
import { schoolSettings } from '../../school/school/settings.service.ts'
import { abilityTotals, earnedByDay, lessonTotals, loginsByDay, loginYears, personTotals, placesOf } from './rollups.ts'

type Reader = Pick<PublicContext, 'db' | 'clock'>

/** Notes taken in one go, so that no transaction is long. */
const batchSize = 5000
/**
 * Where the places that are touched hold so many people, and this share of the school, the ledger is read once as a
 * whole: in pieces of notes it would be read almost whole for each.
 */
const whole = { from: 5000, share: 1 / 3 }

const columns = {
  statPerson: [
    'schoolId',
    'suId',
    'plId',
    'sex',
    'political',
    'credibility',
    'blackUntil',
    'enterDate',
    'hours',
    'credit',
    'points',
    'activities',
    'sups',
    'lastTime',
    'met',
  ],
  statAbility: ['schoolId', 'suId', 'sqlId', 'score'],
  statDay: ['schoolId', 'plId', 'stDay', 'stKind', 'item', 'hours', 'credit', 'records'],
  statLogin: ['schoolId', 'plId', 'logDay', 'people', 'times', 'hours'],
  statLoginYear: ['schoolId', 'suId', 'logYear', 'days'],
  statLesson: [
    'schoolId',
    'liId',
    'applied',
    'passed',
    'signed',
    'qualified',
    'granted',
    'hours',
    'sessions',
    'stars',
    'decideSeconds',
    'decided',
    'firstPass',
    'members',
    'membersSigned',
  ],
} as const
export type Rollup = keyof typeof columns

export const namesOf = (table: Rollup) => sql.join(columns[table].map((name) => sql.ref(name)))

/** Replaces the rows of a rollup that a condition names by what their query says now. */
async function put(
  db: Db,
  schoolId: string,
  table: Rollup,
  where: RawBuilder<unknown>,
  query: RawBuilder<unknown>,
): Promise<void> {
  await sql`delete from ${sql.table(table)} where "schoolId" = ${schoolId} and ${where}`.execute(db)
  await sql`
    insert into ${sql.table(table)} (${namesOf(table)})
    select ${namesOf(table)}
    from (${query}) q`.execute(db)
}

const all = sql`true`

/**
 * The same for a whole school. What follows is calculated from where its people are: a planner that takes them for none
 * goes through the ledger once for each.
 */
async function putWhole(db: Db, schoolId: string, table: Rollup, query: RawBuilder<unknown>): Promise<void> {
  await put(db, schoolId, table, all, query)
  if (table === 'statPerson') await analyzeTables(db, table)
}
const people = (suIds: string[], alias: string) => sql`${sql.ref(`${alias}.suId`)} = any(${suIds}::uuid[])`
const addPlaces = (db: Db, schoolId: string, which: RawBuilder<unknown>) =>
  sql`
    insert into "statPlace" ("schoolId", "plKind", "enrolled", "collegeId", "majorId", "classId", "grade")
    ${placesOf(schoolId, which)}
    on conflict do nothing`.execute(db)

/** Only one refresh of a school at a time; false where another one is at it. */
const takeSchool = async (db: Db, schoolId: string): Promise<boolean> =>
  (
    await sql<{
      got: boolean
    }>`select pg_try_advisory_xact_lock(hashtextextended(${`statistics:${schoolId}`}::text, 0)) "got"`.execute(db)
  ).rows[0]!.got

interface Note {
  scKind: string
  scKey: string | null
  scDay: string | null
}

interface Limits {
  /** People in touched places from which on everybody is calculated. */
  wholeFrom?: number
}

/**
 * Brings the rollups of one school up to date, note by note taken; returns how many notes were worked off. Everything
 * noted before it began is in them afterwards.
 * @returns null where another one is at this school: then nothing is known of how far it is
 */
export async function refreshSchool(ctx: Reader, schoolId: string, limits: Limits = {}): Promise<number | null> {
  for (let worked = 0; ;) {
    const taken = await ctx.db.transaction().execute((db) => refreshSome({ ...ctx, db }, schoolId, limits))
    if (taken === null) return null
    worked += taken
    if (taken < batchSize) return worked
  }
}

async function refreshSome(tx: Reader, schoolId: string, limits: Limits): Promise<number | null> {
  const { db } = tx
  const now = tx.clock.now()
  // what a request may take says nothing about this; the same notes would fail again each time
  await sql`set local statement_timeout = 0`.execute(db)
  if (!(await takeSchool(db, schoolId))) return null
  // statements after this one see whatever the noted transactions wrote, for a note becomes visible together with what
  // it is about
  const { rows } = await sql<Note>`
      delete from "statChange"
      where "schoolId" = ${schoolId}
        and "scNo" in (
          select "scNo"
          from "statChange"
          where "schoolId" = ${schoolId}
          order by "scNo"
          limit ${batchSize}
        )
      returning "scKind", "scKey", "scDay"`.execute(db)
  if (rows.some(({ scKind }) => scKind === 'A')) {
    await rebuildIn(tx, schoolId)
    return rows.length
  }
  const keys = (kind: string) => [...new Set(rows.filter(({ scKind }) => scKind === kind).map(({ scKey }) => scKey!))]
  const [lessons, persons] = [keys('L'), keys('P')]
  if (lessons.length > 0)
    await put(
      db,
      schoolId,
      'statLesson',
      sql`"liId" = any(${lessons}::uuid[])`,
      lessonTotals(schoolId, sql`l."liId" = any(${lessons}::uuid[])`),
    )
  if (persons.length > 0) await refreshPersons(tx, schoolId, persons, limits)
  const days = rows.filter(({ scKind, scDay }) => scKind === 'G' && scDay !== null)
  if (days.length > 0)
    await refreshLogins(
      db,
      schoolId,
      days.map(({ scKey, scDay }) => ({ suId: scKey!, day: scDay! })),
    )
  await stamp(db, schoolId, now, rows.length > 0)
  return rows.length
}

/** Persons with their totals, and everything of the places where they were and are. */
async function refreshPersons(
  tx: Reader,
  schoolId: string,
  suIds: string[],
  { wholeFrom = whole.from }: Limits,
): Promise<void> {
  const { db } = tx
  const { totalHours } = await schoolSettings({ db }, schoolId)
  const where = async () =>
    new Map(
      (
        await sql<{
          suId: string
          plId: number
        }>`
          select "suId", "plId"
          from "statPerson"
          where "schoolId" = ${schoolId} and "suId" = any(${suIds}::uuid[])`.execute(db)
      ).rows.map(({ suId, plId }) => [suId, plId]),
    )
  const before = await where()
  await addPlaces(db, schoolId, people(suIds, 'p'))
  await put(
    db,
    schoolId,
    'statPerson',
    people(suIds, 'statPerson'),
    personTotals(schoolId, totalHours, people(suIds, 'p'), people(suIds, 'c')),
  )
  const after = await where()
  const plIds = [...new Set([...before.values(), ...after.values()])]
  const { touched, all: everybody } = (
    await sql<{
      touched: number
      all: number
    }>`
      select (count(*) filter (where "plId" = any(${plIds}::int[])))::int "touched", count(*)::int "all"
      from "statPerson"
      where "schoolId" = ${schoolId}`.execute(db)
  ).rows[0]!
  if (touched >= wholeFrom && touched >= everybody * whole.share) return rebuildPersons(tx, schoolId)
  await put(
    db,
    schoolId,
    'statAbility',
    people(suIds, 'statAbility'),
    abilityTotals(schoolId, sql`${people(suIds, 'c')} and ${present}`),
  )
  const livingAt = (places: number[], column: string) =>
    sql`${sql.ref(column)} in (
        select x."suId"
        from "statPerson" x
        where x."schoolId" = ${schoolId} and x."plId" = any(${places}::int[])
      )`
  const there = (places: number[]) => sql`s."plId" = any(${places}::int[])`
  await put(
    db,
    schoolId,
    'statDay',
    sql`"plId" = any(${plIds}::int[])`,
    earnedByDay(schoolId, livingAt(plIds, 'c.suId'), there(plIds)),
  )
  const moved = suIds.filter((suId) => before.get(suId) !== after.get(suId))
  const left = [...new Set(moved.flatMap((suId) => [before.get(suId) ?? [], after.get(suId) ?? []].flat()))]
  if (left.length > 0)
    await put(
      db,
      schoolId,
      'statLogin',
      sql`"plId" = any(${left}::int[])`,
      loginsByDay(schoolId, livingAt(left, 'd.suId'), there(left)),
    )
}

/** Whatever is kept of people, of all of them; every note of a person is worked off by it. */
async function rebuildPersons(tx: Reader, schoolId: string): Promise<void> {
  const { db } = tx
  await sql`delete from "statChange" where "schoolId" = ${schoolId} and "scKind" = 'P'`.execute(db)
  await addPlaces(db, schoolId, all)
  for (const [table, query] of await wholes(tx, schoolId))
    if (ofPeople.has(table)) await putWhole(db, schoolId, table, query)
}
const ofPeople: ReadonlySet<Rollup> = new Set(['statPerson', 'statAbility', 'statDay', 'statLogin'])

/** Abilities are kept of persons that are there. */
const present = sql`exists (
    select
    from "person" e
    where e."schoolId" = c."schoolId" and e."suId" = c."suId" and e."delFlag" = '0'
  )`

async function refreshLogins(db: Db, schoolId: string, days: { suId: string; day: string }[]): Promise<void> {
  const suIds = [...new Set(days.map(({ suId }) => suId))]
  const dates = [...new Set(days.map(({ day }) => day))]
  const years = [...new Set(dates.map((day) => Number(day.slice(0, 4))))]
  const places = (
    await sql<{
      plId: number
    }>`
      select distinct "plId"
      from "statPerson"
      where "schoolId" = ${schoolId} and "suId" = any(${suIds}::uuid[])`.execute(db)
  ).rows.map(({ plId }) => plId)
  await put(
    db,
    schoolId,
    'statLogin',
    sql`"plId" = any(${places}::int[]) and "logDay" = any(${dates}::date[])`,
    loginsByDay(schoolId, sql`d."logDay" = any(${dates}::date[])`, sql`s."plId" = any(${places}::int[])`),
  )
  await put(
    db,
    schoolId,
    'statLoginYear',
    sql`"suId" = any(${suIds}::uuid[]) and "logYear" = any(${years}::int[])`,
    loginYears(
      schoolId,
      sql`d."suId" = any(${suIds}::uuid[]) and extract(year from d."logDay")::int = any(${years}::int[])`,
    ),
  )
}

const stamp = (db: Db, schoolId: string, now: string, changed: boolean) =>
  sql`
    insert into "statState" ("schoolId", "statVersion", "asOf")
    values (${schoolId}, 1, ${now}::timestamptz)
    on conflict ("schoolId") do update set "asOf" = greatest("statState"."asOf", excluded."asOf"),
      "statVersion" = "statState"."statVersion" + ${Number(changed)}::int`.execute(db)

/**
 * Every rollup of a school with the query that makes it from the raw rows. Persons come first: places by day are
 * calculated from where they are.
 */
export async function wholes({ db }: Pick<Reader, 'db'>, schoolId: string): Promise<[Rollup, RawBuilder<unknown>][]> {
  const { totalHours } = await schoolSettings({ db }, schoolId)
  return [
    ['statPerson', personTotals(schoolId, totalHours, all, all)],
    ['statAbility', abilityTotals(schoolId, present)],
    ['statDay', earnedByDay(schoolId, all, all)],
    ['statLogin', loginsByDay(schoolId, all, all)],
    ['statLoginYear', loginYears(schoolId, all)],
    ['statLesson', lessonTotals(schoolId, all)],
  ]
}

async function rebuildIn(tx: Reader, schoolId: string): Promise<void> {
  const { db } = tx
  const now = tx.clock.now()
  await sql`delete from "statChange" where "schoolId" = ${schoolId}`.execute(db)
  await addPlaces(db, schoolId, all)
  for (const [table, query] of await wholes(tx, schoolId)) await putWhole(db, schoolId, table, query)
  await sql`
    delete from "statPlace" l
    where l."schoolId" = ${schoolId}
      and not exists (select from "statPerson" s where s."schoolId" = l."schoolId" and s."plId" = l."plId")`.execute(db)
  await stamp(db, schoolId, now, true)
}

/** Makes all rollups of a school anew from the raw rows. */
export const rebuildSchool = (ctx: Reader, schoolId: string): Promise<void> =>
  ctx.db.transaction().execute(async (db) => {
    await sql`set local statement_timeout = 0`.execute(db)
    await sql`select pg_advisory_xact_lock(hashtextextended(${`statistics:${schoolId}`}::text, 0))`.execute(db)
    await rebuildIn({ ...ctx, db }, schoolId)
  })

type LoggingReader = Reader & Pick<PublicContext, 'log'>

/** The job that keeps all schools up to date. */
export async function refreshStatistics(ctx: LoggingReader): Promise<{ notes: number; failed: string[] }> {
  const { rows } = await sql<{
    schoolId: string
  }>`
    select "schoolId"
    from "school" s
    where exists (select from "statChange" c where c."schoolId" = s."schoolId")
    order by 1`.execute(ctx.db)
  return refreshEach(
    ctx,
    rows.map(({ schoolId }) => schoolId),
  )
}

/** Brings schools up to date. One that cannot be calculated is told in the log and keeps no other one from it. */
export async function refreshEach(
  ctx: LoggingReader,
  schoolIds: readonly string[],
): Promise<{ notes: number; failed: string[] }> {
  let notes = 0
  const failed: string[] = []
  for (const schoolId of schoolIds) {
    try {
      notes += (await refreshSchool(ctx, schoolId)) ?? 0
    } catch (error) {
      failed.push(schoolId)
      ctx.log.error({ err: error, schoolId }, 'statistics could not be refreshed')
    }
  }
  return { notes, failed }
}
