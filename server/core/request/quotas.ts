import { sql, type RawBuilder } from 'kysely'
import { accountStatus, personType, studentStatus } from '../../../contract/core/codes/school.ts'
import { Failure } from '../../../contract/core/failure.ts'
import { dayOf, type Clock } from '../base/clock.ts'
import type { Db } from '../database/pool.ts'
import { from } from '../database/tenant.ts'

/** What of a school grows until its quota is reached: accounts in use, bytes of files, copies of messages a day. */
type Grown = 'people' | 'bytes' | 'messages'

/** What a request is told of its school's quotas when it is known who asks; null for no bound. */
export interface RequestQuota {
  maxConcurrent: number | null
  maxPerMinute: number | null
  maxTasks: number | null
}

/** Columns of a school's quotas for whoever looks up who asks, from `school` joined with `schoolQuota`. */
export const quotaColumns = ['maxConcurrent', 'maxPerMinute', 'maxTasks'] as const

/** The quotas as an actor has them; nothing where no bound is set, as in most schools. */
export function quotaOf({ maxConcurrent, maxPerMinute, maxTasks }: RequestQuota): { quota?: RequestQuota } {
  if (maxConcurrent === null && maxPerMinute === null && maxTasks === null) return {}
  return { quota: { maxConcurrent, maxPerMinute, maxTasks } }
}

interface Reader {
  db: Db
  clock: Clock
}

/** Milliseconds between two counts that refusals cause, of one school and process: files are many. */
const recountEveryMs = { people: 0, bytes: 60_000 }
const recounted = new Map<string, number>()

/** Whether an account is one of those that a quota bounds: it is on, and not that of a graduate, which only reads. */
export const isCounted = (account: string): RawBuilder<boolean> => sql<boolean>`(
  ${sql.ref(`${account}.suStatus`)} = ${sql.lit(accountStatus.active)}
  and not exists (
    select
    from "person" g
    where g."schoolId" = ${sql.ref(`${account}.schoolId`)}
      and g."suId" = ${sql.ref(`${account}.suId`)}
      and g."suiType" = ${sql.lit(personType.student)}
      and g."suiStatus" = ${sql.lit(studentStatus.graduated)}
  )
)`

const counts: Record<'people' | 'bytes', (schoolId: string) => RawBuilder<{ used: number }>> = {
  people: (schoolId) => sql`
    select count(*)::float8 as "used"
    from "account" a
    where a."schoolId" = ${schoolId} and ${isCounted('a')}`,
  bytes: (schoolId) => sql`
    select coalesce(sum("size"), 0)::float8 as "used"
    from "file"
    where "schoolId" = ${schoolId}`,
}

const columns = {
  people: ['maxPeople', 'usedPeople'],
  bytes: ['maxBytes', 'usedBytes'],
  messages: ['maxMessages', 'usedMessages'],
} as const

/**
 * Counts what a transaction has just added to a school, where its operator has set a bound: one statement, by the key
 * of a row that most schools do not have. What was taken away since the last count is found before anything is refused.
 * @param n how much was added; it stands in the database already, and goes with the transaction if this throws
 * @throws Failure `quota-people`, `quota-bytes` or `quota-messages`, with how much still fits
 */
export async function takeQuota(ctx: Reader, schoolId: string, grown: Grown, n: number): Promise<void> {
  if (n <= 0) return
  const [max, used] = columns[grown]
  const day = dayOf(ctx.clock.now())
  const sum =
    grown === 'messages'
      ? sql`case when "messageDay" = ${day}::date then "usedMessages" + ${n} else ${n} end, "messageDay" = ${day}::date`
      : sql`${sql.ref(used)} + ${n}`
  const { rows } = await sql<{ max: number; used: number }>`
    update "schoolQuota"
    set ${sql.ref(used)} = ${sum}
    where "schoolId" = ${schoolId} and ${sql.ref(max)} is not null
    returning ${sql.ref(max)}::float8 as "max", ${sql.ref(used)}::float8 as "used"`.execute(ctx.db)
  const row = rows[0]
  if (!row || row.used <= row.max) return
  const total = grown === 'messages' ? row.used : await recount(ctx, schoolId, grown, row.used)
  if (total > row.max) throw refusal(grown, row.max, total - n, n)
}

/**
 * How many of a school's things still fit; undefined where there is no bound. @param grown as they were last counted
 */
export async function roomLeft(
  { db }: Pick<Reader, 'db'>,
  schoolId: string,
  grown: 'people',
): Promise<number | undefined> {
  const [max] = columns[grown]
  const row = await from({ db, schoolId }, 'schoolQuota').select(max).executeTakeFirst()
  if (!row || row[max] === null) return undefined
  const { rows } = await counts[grown](schoolId).execute(db)
  return Math.max(0, row[max] - rows[0]!.used)
}

async function recount({ db }: Reader, schoolId: string, grown: 'people' | 'bytes', known: number): Promise<number> {
  const key = `${schoolId} ${grown}`
  const now = performance.now()
  if (now - (recounted.get(key) ?? -Infinity) < recountEveryMs[grown]) return known
  if (recounted.size > 10_000) recounted.clear()
  recounted.set(key, now)
  const { rows } = await counts[grown](schoolId).execute(db)
  const { used } = rows[0]!
  await db
    .updateTable('schoolQuota')
    .set({ [columns[grown][1]]: used })
    .where('schoolId', '=', schoolId)
    .execute()
  return used
}

const megabytes = (bytes: number): string => `${Math.floor(bytes / 1_048_576)} MB`

function refusal(grown: Grown, max: number, used: number, n: number): Failure {
  const free = Math.max(0, max - used)
  if (grown === 'people') return new Failure('quota-people', { max, free, n })
  if (grown === 'messages') return new Failure('quota-messages', { max, free, n })
  return new Failure('quota-bytes', { max: megabytes(max), free: megabytes(free) })
}

/**
 * Counts anew what a school uses of its quotas, in a transaction. The row is locked first: what is added meanwhile is
 * counted along after it.
 */
export async function countQuota(db: Db, schoolId: string): Promise<void> {
  const locked = await from({ db, schoolId }, 'schoolQuota').select('schoolId').forUpdate().skipLocked().execute()
  // somebody is adding to it, and the next count finds what has gone
  if (locked.length === 0) return
  const people = await counts.people(schoolId).execute(db)
  const bytes = await counts.bytes(schoolId).execute(db)
  await db
    .updateTable('schoolQuota')
    .set({ usedPeople: people.rows[0]!.used, usedBytes: bytes.rows[0]!.used, countTime: sql<string>`now()` })
    .where('schoolId', '=', schoolId)
    .execute()
}

/**
 * Counts what every school with bounds uses; the recurring job, by which what went away unnoticed is found within an
 * hour.
 */
export async function countQuotas({ db }: Pick<Reader, 'db'>): Promise<void> {
  const schools = await db.selectFrom('schoolQuota').select('schoolId').orderBy('schoolId').execute()
  for (const { schoolId } of schools) await db.transaction().execute((tx) => countQuota(tx, schoolId))
}

/** Share of a quota from which on people are told. */
const nearly = 0.9
const names = { people: '账号', bytes: '文件', messages: '今天的站内消息' }

/** Which quotas of which schools are nearly used up, in words. */
export async function nearlyUsed({
  db,
  clock,
}: Reader): Promise<{ schoolId: string; schName: string; names: string }[]> {
  const { rows } = await sql<{ schoolId: string; schName: string } & Record<Grown, boolean | null>>`
    select q."schoolId", s."schName",
      q."usedPeople" >= q."maxPeople" * ${nearly}::float8 as "people",
      q."usedBytes" >= q."maxBytes" * ${nearly}::float8 as "bytes",
      q."usedMessages" >= q."maxMessages" * ${nearly}::float8 and q."messageDay" = ${dayOf(clock.now())}::date as "messages"
    from "schoolQuota" q
    join "school" s on s."schoolId" = q."schoolId"
    where s."suspendedTime" is null
    order by 1`.execute(db)
  return rows
    .map(({ schoolId, schName, ...figures }) => ({
      schoolId,
      schName,
      names: (Object.keys(names) as Grown[])
        .filter((grown) => figures[grown] === true)
        .map((grown) => names[grown])
        .join('、'),
    }))
    .filter((one) => one.names !== '')
}
