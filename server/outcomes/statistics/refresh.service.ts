import { sql, type RawBuilder } from 'kysely'
import type { PublicContext } from '../../core/request/context.ts'
import { analyzeTables } from '../../core/database/analyze.ts'
import { liftLimits, type Db } from '../../core/database/pool.ts'
import { schoolSettings } from '../../school/school/settings.service.ts'
import { earnedPacked, newItems, newItemsOfSupplements, supplementsPacked } from './earned-rollup.ts'
import { abilityTotals, lessonTotals, personTotals, placesOf } from './rollups.ts'
import { signInsPacked } from './sign-in-rollup.ts'

type Reader = Pick<PublicContext, 'db' | 'clock'>

/** Notes taken in one go, so that no transaction is long. */
const batchSize = 5000
/** Where so many people are noted, and this share of the school, the ledger is read once as a whole. */
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
  statEarned: ['schoolId', 'suId', 'records', 'abilities'],
  statSignIn: ['schoolId', 'suId', 'days'],
  statSupplement: ['schoolId', 'suId', 'records'],
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
    'removed',
    'liStatus',
    'publishTime',
    'startTime',
    'liHours',
    'liCollegeId',
    'liDepartmentId',
    'liCircleId',
    'liPrincipalId',
    'createBy',
    'lsPath',
    'liLevel',
    'teachers',
  ],
} as const
export type Rollup = keyof typeof columns

export const namesOf = (table: Rollup) => sql.join(columns[table].map((name) => sql.ref(name)))

/** A refresh under way: its connection, its school, and the stamp of the rows that it writes. */
interface Run {
  db: Db
  schoolId: string
  stamp: number
}
/** Rollups whose rows are stamped, so that processes that keep them read only what has changed (decision 035). */
const stamped: ReadonlySet<Rollup> = new Set(['statPerson', 'statSignIn', 'statSupplement', 'statLesson'])

/** Replaces the rows of a rollup that a condition names by what their query says now. */
async function put(
  { db, schoolId, stamp }: Run,
  table: Rollup,
  where: RawBuilder<unknown>,
  query: RawBuilder<unknown>,
): Promise<void> {
  await sql`delete from ${sql.table(table)} where "schoolId" = ${schoolId} and ${where}`.execute(db)
  const isStamped = stamped.has(table)
  await sql`
    insert into ${sql.table(table)} (${namesOf(table)}${isStamped ? sql`, "stamp"` : sql``})
    select ${namesOf(table)}${isStamped ? sql`, ${stamp}::bigint` : sql``}
    from (${query}) q`.execute(db)
}

const all = sql`true`

/** The same for a whole school, of which the planner then knows how many people it has. */
async function putWhole(run: Run, table: Rollup, query: RawBuilder<unknown>): Promise<void> {
  await put(run, table, all, query)
  if (table === 'statPerson') await analyzeTables(run.db, table)
}
const people = (suIds: string[], alias: string) => sql`${sql.ref(`${alias}.suId`)} = any(${suIds}::uuid[])`
const addPlaces = (db: Db, schoolId: string, which: RawBuilder<unknown>) =>
  sql`
    insert into "statPlace" ("schoolId", "plKind", "enrolled", "collegeId", "majorId", "classId", "grade")
    ${placesOf(schoolId, which)}
    on conflict do nothing`.execute(db)

const addItems = (db: Db, rows: RawBuilder<unknown>) =>
  sql`
    insert into "statItem" ("schoolId", "item", "path", "level")
    ${rows}`.execute(db)

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
}

interface Limits {
  /** People noted from which on everybody is calculated. */
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
  // the same notes would fail again each time
  await liftLimits(db)
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
      returning "scKind", "scKey"`.execute(db)
  const run = { db, schoolId, stamp: await nextStamp(db, schoolId) }
  if (rows.some(({ scKind }) => scKind === 'A')) {
    await rebuildIn(tx, run)
    return rows.length
  }
  const keys = (kind: string) => [...new Set(rows.filter(({ scKind }) => scKind === kind).map(({ scKey }) => scKey!))]
  const [lessons, persons] = [keys('L'), keys('P')]
  if (lessons.length > 0)
    await put(
      run,
      'statLesson',
      sql`"liId" = any(${lessons}::uuid[])`,
      lessonTotals(schoolId, sql`l."liId" = any(${lessons}::uuid[])`),
    )
  if (persons.length > 0) await refreshPersons(run, persons, limits)
  const signedIn = keys('G')
  if (signedIn.length > 0)
    await put(run, 'statSignIn', people(signedIn, 'statSignIn'), signInsPacked(schoolId, people(signedIn, 'd')))
  // what was credited of a supplement is in the ledger, whose changes note the person
  const handedIn = [...new Set([...keys('S'), ...persons])]
  if (handedIn.length > 0) {
    const theirs = people(handedIn, 'u')
    await addItems(db, newItemsOfSupplements(schoolId, theirs))
    await put(run, 'statSupplement', people(handedIn, 'statSupplement'), supplementsPacked(schoolId, theirs))
  }
  await stampSchool(run, now, rows.length > 0)
  return rows.length
}

/** Persons with their totals and with what they earned. */
async function refreshPersons(run: Run, suIds: string[], { wholeFrom = whole.from }: Limits): Promise<void> {
  const { db, schoolId } = run
  const { totalHours } = await schoolSettings({ db }, schoolId)
  const { touched, all: everybody } = (
    await sql<{
      touched: number
      all: number
    }>`
      select (count(distinct "scKey"))::int + ${suIds.length}::int "touched",
        (select count(*)::int from "statPerson" where "schoolId" = ${schoolId}) "all"
      from "statChange"
      where "schoolId" = ${schoolId} and "scKind" = 'P'`.execute(db)
  ).rows[0]!
  if (touched >= wholeFrom && touched >= everybody * whole.share) return rebuildPersons(run)
  const own = sql`${people(suIds, 'c')} and ${present}`
  await addPlaces(db, schoolId, people(suIds, 'p'))
  await put(
    run,
    'statPerson',
    people(suIds, 'statPerson'),
    personTotals(schoolId, totalHours, people(suIds, 'p'), people(suIds, 'c')),
  )
  await put(run, 'statAbility', people(suIds, 'statAbility'), abilityTotals(schoolId, own))
  await addItems(db, newItems(schoolId, own))
  await put(run, 'statEarned', people(suIds, 'statEarned'), earnedPacked(schoolId, own))
}

/** Whatever is kept of people, of all of them; every note of a person is worked off by it. */
async function rebuildPersons(run: Run): Promise<void> {
  const { db, schoolId } = run
  await sql`delete from "statChange" where "schoolId" = ${schoolId} and "scKind" = 'P'`.execute(db)
  await addPlaces(db, schoolId, all)
  await addItems(db, newItems(schoolId, all))
  await addItems(db, newItemsOfSupplements(schoolId, all))
  for (const [table, query] of await wholes({ db }, schoolId))
    if (ofPeople.has(table)) await putWhole(run, table, query)
}
const ofPeople: ReadonlySet<Rollup> = new Set(['statPerson', 'statAbility', 'statEarned', 'statSupplement'])

/** Abilities are kept of persons that are there. */
const present = sql`exists (
    select
    from "person" e
    where e."schoolId" = c."schoolId" and e."suId" = c."suId" and e."delFlag" = '0'
  )`

/**
 * A stamp above all that the school's rows have, by what has been refreshed so far and by chance: so that a process that
 * read rows before a backup was put back does not take later ones for those it knows.
 */
const nextStamp = async (db: Db, schoolId: string): Promise<number> =>
  (
    await sql<{
      stamp: number
    }>`
      select (coalesce(max("statVersion"), 0) + 1) * 1048576 + floor(random() * 1048576)::bigint "stamp"
      from "statState"
      where "schoolId" = ${schoolId}`.execute(db)
  ).rows[0]!.stamp

const stampSchool = ({ db, schoolId, stamp }: Run, now: string, changed: boolean) =>
  sql`
    insert into "statState" ("schoolId", "statVersion", "asOf", "stamp")
    values (${schoolId}, 1, ${now}::timestamptz, ${stamp}::bigint)
    on conflict ("schoolId") do update set "asOf" = greatest("statState"."asOf", excluded."asOf"),
      "statVersion" = "statState"."statVersion" + ${Number(changed)}::int,
      "stamp" = case when ${changed}::boolean then excluded."stamp" else "statState"."stamp" end`.execute(db)

/**
 * Every rollup of a school with the query that makes it from the raw rows. Persons come first: places by day are
 * calculated from where they are.
 */
export async function wholes({ db }: Pick<Reader, 'db'>, schoolId: string): Promise<[Rollup, RawBuilder<unknown>][]> {
  const { totalHours } = await schoolSettings({ db }, schoolId)
  return [
    ['statPerson', personTotals(schoolId, totalHours, all, all)],
    ['statAbility', abilityTotals(schoolId, present)],
    ['statEarned', earnedPacked(schoolId, present)],
    ['statSignIn', signInsPacked(schoolId, all)],
    ['statSupplement', supplementsPacked(schoolId, all)],
    ['statLesson', lessonTotals(schoolId, all)],
  ]
}

async function rebuildIn(tx: Reader, run: Run): Promise<void> {
  const { db, schoolId } = run
  const now = tx.clock.now()
  await sql`delete from "statChange" where "schoolId" = ${schoolId}`.execute(db)
  await addPlaces(db, schoolId, all)
  await addItems(db, newItems(schoolId, all))
  await addItems(db, newItemsOfSupplements(schoolId, all))
  for (const [table, query] of await wholes(tx, schoolId)) await putWhole(run, table, query)
  await sql`
    delete from "statPlace" l
    where l."schoolId" = ${schoolId}
      and not exists (select from "statPerson" s where s."schoolId" = l."schoolId" and s."plId" = l."plId")`.execute(db)
  await stampSchool(run, now, true)
}

/** Makes all rollups of a school anew from the raw rows. */
export const rebuildSchool = (ctx: Reader, schoolId: string): Promise<void> =>
  ctx.db.transaction().execute(async (db) => {
    await liftLimits(db)
    await sql`select pg_advisory_xact_lock(hashtextextended(${`statistics:${schoolId}`}::text, 0))`.execute(db)
    await rebuildIn({ ...ctx, db }, { db, schoolId, stamp: await nextStamp(db, schoolId) })
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
