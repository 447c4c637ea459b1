import { sql } from 'kysely'
import { jobStatus } from '../../../contract/core/codes/platform.ts'
import { addSeconds, type Clock } from '../base/clock.ts'
import type { Db } from '../database/pool.ts'
import { newId } from '../base/ids.ts'
import { ofWorkingSchool } from '../database/tenant.ts'

/** Channel on which runners are woken. */
export const jobChannel = 'job' as const

interface NewJob {
  /** Empty for work of the whole installation. */
  schoolId: string
  kind: string
  /** Of the jobs of a kind and school with the same key only one waits or runs. */
  key?: string
  payload?: unknown
  /** Wall-clock moment before which it does not run; now when left out. */
  runAt?: string
  createBy?: string
}

/** The condition of the index on keys, word for word: PostgreSQL compares it before it knows any parameter. */
const waitsOrRuns = sql<boolean>`"jobStatus" in (${sql.lit(jobStatus.waiting)}, ${sql.lit(jobStatus.running)})`

type Enqueuer = { db: Db; clock: Clock }

/**
 * Asks for work to be done later. In a transaction, it is asked for if and when that commits. With a key that waits
 * already, that job takes the new payload and moment; with a key that is running, it runs once more afterwards, so that
 * nothing that happened in between is missed.
 * @returns the job's id
 */
export async function enqueue(
  { db, clock }: Enqueuer,
  { schoolId, kind, key, payload = {}, runAt, createBy }: NewJob,
): Promise<string> {
  const now = clock.now()
  const values = {
    jobId: newId(),
    schoolId,
    jobKind: kind,
    jobKey: key ?? null,
    payload: JSON.stringify(payload),
    runAt: runAt ?? now,
    createTime: now,
    createBy: createBy ?? null,
  }
  const { jobId } = await db
    .insertInto('job')
    .values(values)
    .onConflict((conflict) =>
      conflict
        .columns(['schoolId', 'jobKind', 'jobKey'])
        .where(waitsOrRuns)
        .doUpdateSet((eb) => ({
          payload: eb.ref('excluded.payload') as never,
          runAt: eb.ref('excluded.runAt'),
          attempts: sql<number>`case job."jobStatus" when ${sql.lit(jobStatus.waiting)} then 0 else job.attempts end`,
          again: sql<boolean>`job."jobStatus" = ${sql.lit(jobStatus.running)}`,
        })),
    )
    .returning('jobId')
    .executeTakeFirstOrThrow()
  await sql`select pg_notify(${jobChannel}, '')`.execute(db)
  return jobId
}

/** Key of the one row of a recurring job. */
const everyKey = 'every'

/** Tries in a row at which a recurring job has broken off before that is told. */
const toldTries = 5

/**
 * Whether a job is a recurring one that has broken off at each of its latest tries: it is tried again for ever and
 * never counts as failed. While it runs once more it stays so, until it has come to its end.
 */
export const isFailing = sql<boolean>`(
  "schoolId" = ''
  and "jobKey" = ${sql.lit(everyKey)}
  and attempts > ${sql.lit(toldTries)}
  and ${waitsOrRuns}
)`

/** Sees to it that the one row of a recurring job is there; its moment is left alone when it is. */
export async function ensureRecurring({ db, clock }: Enqueuer, kind: string): Promise<void> {
  const now = clock.now()
  const values = { jobId: newId(), schoolId: '', jobKind: kind, jobKey: everyKey, runAt: now, createTime: now }
  await db
    .insertInto('job')
    .values(values)
    .onConflict((conflict) => conflict.columns(['schoolId', 'jobKind', 'jobKey']).where(waitsOrRuns).doNothing())
    .execute()
}

/**
 * Cancels what waits or runs; a running handler is told through its signal and can no longer finish. Returns how many.
 */
export async function cancelJobs(
  { db, clock }: Enqueuer,
  which: { schoolId: string; jobId: string } | { schoolId: string; kind: string; key: string },
): Promise<number> {
  let query = db
    .updateTable('job')
    .set({ jobStatus: jobStatus.cancelled, endTime: clock.now() })
    .where('schoolId', '=', which.schoolId)
    .where('jobStatus', 'in', [jobStatus.waiting, jobStatus.running])
  query =
    'jobId' in which
      ? query.where('jobId', '=', which.jobId)
      : query.where('jobKind', '=', which.kind).where('jobKey', '=', which.key)
  const { numUpdatedRows } = await query.executeTakeFirst()
  return Number(numUpdatedRows)
}

/** Thrown to a handler whose job was cancelled or taken over: what it did in this transaction is rolled back. */
export class JobLost extends Error {
  override readonly name = 'JobLost'
}

/** A claimed job. Whoever holds another `claim` than the row's has lost it. */
export interface Claim {
  jobId: string
  schoolId: string
  jobKind: string
  jobKey: string | null
  payload: unknown
  /** Which run this is, from 1, since it was asked for. */
  attempts: number
  claim: string
}

/** Due jobs of one school that a runner looks at: several runners look at the same ones at the same time. */
const seenOfSchool = 8

/**
 * Takes a job that is due, or one whose runner has not been heard of for `deadAfter` seconds. Of several schools with
 * due jobs it is the turn of the one of which fewest run, wherever they run, so that a school with thousands holds up
 * nobody; of one school the oldest. Two runners never take the same one.
 * @param full schools of which the runner has as many as it takes of one
 * @param runner the process that takes it, as its log names it
 */
export async function claimJob(
  db: Db,
  kinds: string[],
  now: string,
  deadAfter: number,
  full: readonly string[] = [],
  runner = '',
): Promise<Claim | undefined> {
  const waiting = sql.lit(jobStatus.waiting)
  const running = sql.lit(jobStatus.running)
  const isDead = sql<boolean>`heartbeat < clock_timestamp() - make_interval(secs => ${deadAfter})`
  const { rows } = await sql<Claim>`
      with recursive school_due("schoolId") as (
          (select "schoolId" from job where "jobStatus" = ${waiting} order by "schoolId" limit 1)
          union all
          select (
            select j."schoolId"
            from job j
            where j."jobStatus" = ${waiting} and j."schoolId" > d."schoolId"
            order by j."schoolId"
            limit 1
          )
          from school_due d
          where d."schoolId" is not null
        ),
        busy as (
          select "schoolId", count(*) as "running"
          from job
          where "jobStatus" = ${running}
          group by "schoolId"
        ),
        candidate as (
          select f."jobId", f."schoolId"
          from school_due d
          cross join lateral (
            select "jobId", "schoolId"
            from job
            where "schoolId" = d."schoolId"
              and "jobStatus" = ${waiting}
              and "runAt" <= ${now}
              and "jobKind" = any(${kinds})
            order by "runAt"
            limit ${sql.lit(seenOfSchool)}
          ) f
          union all
          select "jobId", "schoolId"
          from job
          where "jobStatus" = ${running} and ${isDead} and "jobKind" = any(${kinds})
        )
      update job
      set "jobStatus" = ${running},
        attempts = attempts + 1,
        claim = ${newId()},
        runner = ${runner},
        heartbeat = clock_timestamp(),
        progress = 0,
        again = false,
        error = ''
      where "jobId" = (
        select job."jobId"
        from job
        join candidate c on c."jobId" = job."jobId"
        left join busy b on b."schoolId" = job."schoolId"
        where ((job."jobStatus" = ${waiting} and job."runAt" <= ${now}) or (job."jobStatus" = ${running} and ${isDead}))
          and job."schoolId" <> all(${[...full]})
          and ${ofWorkingSchool('job')}
        order by coalesce(b."running", 0), job."runAt"
        limit 1
        for update of job skip locked
      )
      returning "jobId", "schoolId", "jobKind", "jobKey", payload, attempts, claim`.execute(db)
  return rows[0]
}

/**
 * Says that the claim is alive, with how far it is in per cent.
 * @returns `lost` when the job is no longer ours, `waits` when its school has been suspended meanwhile
 */
export async function heartbeat(
  db: Db,
  { jobId, claim }: Claim,
  progress?: number,
): Promise<'goes on' | 'lost' | 'waits'> {
  const row = await db
    .updateTable('job')
    .set({ heartbeat: sql`clock_timestamp()`, ...(progress === undefined ? {} : { progress: Math.round(progress) }) })
    .where('jobId', '=', jobId)
    .where('claim', '=', claim)
    .where('jobStatus', '=', jobStatus.running)
    .returning(ofWorkingSchool('job').as('goesOn'))
    .executeTakeFirst()
  return row ? (row.goesOn ? 'goes on' : 'waits') : 'lost'
}

/** Where a claim goes when its handler has ended. */
export type Outcome =
  | { status: typeof jobStatus.done; result: unknown }
  | { status: typeof jobStatus.failed; error: string }
  | { status: typeof jobStatus.waiting; runAt: string; error: string; attempts?: number }

/**
 * Ends a claim. A job asked for again while it ran waits anew instead.
 * @throws JobLost when it is no longer ours
 */
export async function settle(
  { db, clock }: Enqueuer,
  { jobId, claim, attempts }: Claim,
  outcome: Outcome,
): Promise<void> {
  const now = clock.now()
  const ended = outcome.status !== jobStatus.waiting
  const set = {
    error: outcome.status === jobStatus.done ? '' : outcome.error.slice(0, 2000),
    result: outcome.status === jobStatus.done ? JSON.stringify(outcome.result ?? null) : null,
    ...(outcome.status === jobStatus.done ? { progress: 100 } : {}),
    heartbeat: null,
    jobStatus: ended
      ? sql<string>`case when again then ${sql.lit(jobStatus.waiting)} else ${outcome.status} end`
      : jobStatus.waiting,
    endTime: ended ? sql<string | null>`case when again then null else ${now}::timestamptz end` : null,
    attempts: ended ? sql<number>`case when again then 0 else attempts end` : (outcome.attempts ?? attempts),
    ...(ended
      ? {}
      : { runAt: sql<string>`case when again then least("runAt", ${outcome.runAt}) else ${outcome.runAt} end` }),
    again: false,
  }
  const { numUpdatedRows } = await db
    .updateTable('job')
    .set(set)
    .where('jobId', '=', jobId)
    .where('claim', '=', claim)
    .where('jobStatus', '=', jobStatus.running)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) throw new JobLost(`job ${jobId} was cancelled or taken over`)
}

/** Seconds to wait before the next try: 5, 20, 80, 320, then 600. */
export const backOff = (attempts: number): number => Math.min(600, 5 * 4 ** (attempts - 1))

/** Removes jobs that ended more than thirty days ago. */
export async function removeOldJobs({ db, clock }: Enqueuer): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('job')
    .where('jobStatus', 'in', [jobStatus.done, jobStatus.failed, jobStatus.cancelled])
    .where('endTime', '<', addSeconds(clock.now(), -30 * 86_400))
    .executeTakeFirst()
  return Number(numDeletedRows)
}
