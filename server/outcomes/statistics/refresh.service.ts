import { sql, type RawBuilder } from 'kysely'
import type { PublicContext } from '../../core/request/context.ts'
import { analyzeTables } from '../../core/database/analyze.ts'
import { liftLimits, plannedByValue, type Db } from '../../core/database/pool.ts'
import { schoolSettings } from '../../school/school/settings.service.ts'
import { earnedPacked, newItems, newItemsOfSupplements, supplementsPacked } from './earned-rollup.ts'
import { abilityTotals, lessonTotals, personTotals, placesOf } from './rollups.ts'
import { signInsPacked } from './sign-in-rollup.ts'

type Reader = Pick<PublicContext, 'db' | 'clock'>

/** Notes taken in one go, so that no transaction is long. */
const batchSize = 5000
/**
 * People and courses that one statement calculates: within a second where each has hundreds of rows. What a school
 * takes as a whole then grows with its rows and no faster, for nothing is sorted that does not fit into memory.
 */
const most = { people: 500, courses: 250 }

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
/** The tables that a refresh calculates. */
export const rollups = Object.keys(columns) as Rollup[]
/** Whom the rows of a rollup are of. */
export type Owner = 'suId' | 'liId'
/** Whether the rows of a rollup are of a course or of a person. */
export const ownerOf = (table: Rollup): Owner => (table === 'statLesson' ? 'liId' : 'suId')

/** The columns of a rollup, as a list for SQL. */
export const namesOf = (table: Rollup) => sql.join(columns[table].map((name) => sql.ref(name)))

/** A refresh under way: its connection, its school, and the stamp of the rows that it writes. */
interface Run {
  db: Db
  schoolId: string
  stamp: number
}
/** Rollups whose rows are stamped, so that processes that keep them read only what has changed (decision 035). */
const stamped: ReadonlySet<Rollup> = new Set(['statPerson', 'statSignIn', 'statSupplement', 'statLesson'])

/** Replaces the rows of a rollup that are of some people or courses by what the raw rows say now. */
async function put({ db, schoolId, stamp }: Run, table: Rollup, ids: readonly string[], query: RawBuilder<unknown>) {
  await sql`
    delete from ${sql.table(table)}
    where "schoolId" = ${schoolId} and ${sql.ref(ownerOf(table))} = any(${ids}::uuid[])`.execute(db)
  const isStamped = stamped.has(table)
  await sql`
    insert into ${sql.table(table)} (${namesOf(table)}${isStamped ? sql`, "stamp"` : sql``})
    select ${namesOf(table)}${isStamped ? sql`, ${stamp}::bigint` : sql``}
    from (${query}) q ${asPlanned}`.execute(db)
}

/** A plan for any number of people would take them for ten, and the next five hundred would be looked up one by one. */
export const asPlanned = sql.raw(plannedByValue)

const are = (ids: readonly string[], alias: string, owner: Owner = 'suId') =>
  sql`${sql.ref(`${alias}.${owner}`)} = any(${ids}::uuid[])`
const addPlaces = (db: Db, schoolId: string, which: RawBuilder<unknown>) =>
  sql`
    insert into "statPlace" ("schoolId", "plKind", "enrolled", "collegeId", "majorId", "classId", "grade")
    ${placesOf(schoolId, which)}
    on conflict do nothing`.execute(db)

const addItems = (db: Db, rows: RawBuilder<unknown>) =>
  sql`
    insert into "statItem" ("schoolId", "item", "path", "level")
    ${rows} ${asPlanned}`.execute(db)

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
  /** People and courses that one statement calculates. */
  atOnce?: typeof most
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
    await rebuildIn(tx, run, limits)
    return rows.length
  }
  const keys = (kind: string) => [...new Set(rows.filter(({ scKind }) => scKind === kind).map(({ scKey }) => scKey!))]
  const persons = keys('P')
  await calculate(
    run,
    {
      lessons: keys('L'),
      persons,
      signedIn: keys('G'),
      // what was credited of a supplement is in the ledger, whose changes note the person
      handedIn: [...new Set([...keys('S'), ...persons])],
    },
    limits,
  )
  await stampSchool(run, now, rows.length > 0)
  return rows.length
}

/** Whom something is calculated of anew. */
interface Changed {
  lessons: string[]
  /** People whose totals, abilities and records are. */
  persons: string[]
  signedIn: string[]
  handedIn: string[]
}

async function calculate(run: Run, changed: Changed, { atOnce = most }: Limits): Promise<void> {
  const { db, schoolId } = run
  const queryOf = await queries(run, schoolId)
  for (const ids of slicesOf(changed.lessons, atOnce.courses))
    await put(run, 'statLesson', ids, queryOf.statLesson(ids))
  for (const ids of slicesOf(changed.persons, atOnce.people)) {
    await addPlaces(db, schoolId, are(ids, 'p'))
    await put(run, 'statPerson', ids, queryOf.statPerson(ids))
    await put(run, 'statAbility', ids, queryOf.statAbility(ids))
    await addItems(db, newItems(schoolId, ofPresent(ids)))
    await put(run, 'statEarned', ids, queryOf.statEarned(ids))
  }
  for (const ids of slicesOf(changed.signedIn, atOnce.people))
    await put(run, 'statSignIn', ids, queryOf.statSignIn(ids))
  for (const ids of slicesOf(changed.handedIn, atOnce.people)) {
    await addItems(db, newItemsOfSupplements(schoolId, are(ids, 'u')))
    await put(run, 'statSupplement', ids, queryOf.statSupplement(ids))
  }
}

/** Slices of at most `size` ids, in their order, so that neighbours of the index are read together. */
export function* slicesOf(ids: readonly string[], size: number): Generator<string[]> {
  const all = ids.toSorted()
  for (let at = 0; at < all.length; at += size) yield all.slice(at, at + size)
}

/** Ledger rows `c` of these people, as far as they are there: of others nothing is kept. */
const ofPresent = (ids: readonly string[]) => sql`
    ${are(ids, 'c')}
    and exists (
      select
      from "person" e
      where e."schoolId" = c."schoolId" and e."suId" = c."suId" and e."delFlag" = '0'
    )`

/**
 * A stamp above all that the school's rows have, by what has been refreshed so far and by chance: so that a process
 * that read rows before a backup was put back does not take later ones for those it knows.
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

/** Every rollup with the query that makes the rows of some people or courses from the raw rows. */
export async function queries(
  { db }: Pick<Reader, 'db'>,
  schoolId: string,
): Promise<Record<Rollup, (ids: readonly string[]) => RawBuilder<unknown>>> {
  const { totalHours } = await schoolSettings({ db }, schoolId)
  return {
    statPerson: (ids) => personTotals(schoolId, totalHours, are(ids, 'p'), are(ids, 'c')),
    statAbility: (ids) => abilityTotals(schoolId, ofPresent(ids)),
    statEarned: (ids) => earnedPacked(schoolId, ofPresent(ids)),
    statSignIn: (ids) => signInsPacked(schoolId, are(ids, 'd')),
    statSupplement: (ids) => supplementsPacked(schoolId, are(ids, 'u')),
    statLesson: (ids) => lessonTotals(schoolId, are(ids, 'l', 'liId')),
  }
}

/** Everybody, or every course, that a school has or that one of its rollups has rows of. */
export async function ownersIn(db: Db, schoolId: string, owner: Owner): Promise<string[]> {
  const tables = [owner === 'suId' ? 'person' : 'lesson', ...rollups.filter((table) => ownerOf(table) === owner)]
  const { rows } = await sql<{ id: string }>`
    ${sql.join(
      tables.map((table) => sql`select ${sql.ref(owner)} "id" from ${sql.table(table)} where "schoolId" = ${schoolId}`),
      sql` union `,
    )}`.execute(db)
  return rows.map(({ id }) => id)
}

async function rebuildIn(tx: Reader, run: Run, limits: Limits): Promise<void> {
  const { db, schoolId } = run
  const now = tx.clock.now()
  await sql`delete from "statChange" where "schoolId" = ${schoolId}`.execute(db)
  const [persons, lessons] = [await ownersIn(db, schoolId, 'suId'), await ownersIn(db, schoolId, 'liId')]
  await calculate(run, { lessons, persons, signedIn: persons, handedIn: persons }, limits)
  // the planner then knows how many people the school has
  await analyzeTables(db, 'statPerson')
  await sql`
    delete from "statPlace" l
    where l."schoolId" = ${schoolId}
      and not exists (select from "statPerson" s where s."schoolId" = l."schoolId" and s."plId" = l."plId")`.execute(db)
  await stampSchool(run, now, true)
}

/** Makes all rollups of a school anew from the raw rows. */
export const rebuildSchool = (ctx: Reader, schoolId: string, limits: Limits = {}): Promise<void> =>
  ctx.db.transaction().execute(async (db) => {
    await liftLimits(db)
    await sql`select pg_advisory_xact_lock(hashtextextended(${`statistics:${schoolId}`}::text, 0))`.execute(db)
    await rebuildIn({ ...ctx, db }, { db, schoolId, stamp: await nextStamp(db, schoolId) }, limits)
  })

type LoggingReader = Reader & Pick<PublicContext, 'log'>

/** The job that keeps all schools up to date. */
export async function refreshStatistics(ctx: LoggingReader): Promise<{ notes: number; failed: string[] }> {
  const { rows } = await sql<{
    schoolId: string
  }>`
    select "schoolId"
    from "school" s
    where "schoolId" in (select c."schoolId" from "statChange" c)
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
