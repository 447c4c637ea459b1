import { sql } from 'kysely'
import { jobStatus } from '../../contract/core/codes/platform.ts'
import { atMost } from '../core/base/at-most.ts'
import type { JobServices } from '../core/request/system.ts'
import { watchJob, watchRuntime } from '../school/runtime/alarms.service.ts'

/** Milliseconds between looks whether the watch itself is still looked after. */
const lookEveryMs = 60_000
/** Milliseconds that a look may take to end when the program stops. */
const endMs = 1000

/**
 * Runs the alarm watch from outside of the job runner when its own job is overdue: not taken by any runner for as long
 * as jobs may wait, or running without end. Otherwise a stuck runner would be told of by a job that it never begins.
 * @returns how to stop
 */
export function startAlarmWatch(services: JobServices, everyMs = lookEveryMs): () => Promise<void> {
  let looking: Promise<void> | undefined
  const look = async (): Promise<void> => {
    if (await isWatchLate(services)) await watchRuntime(services)
  }
  const timer = setInterval(() => {
    looking ??= look()
      .catch((err: unknown) => services.log.warn({ err }, 'the watch of the runtime could not be looked after'))
      .finally(() => (looking = undefined))
  }, everyMs)
  timer.unref()
  return async () => {
    clearInterval(timer)
    // a database that does not answer keeps the program from nothing
    await atMost(endMs, Promise.resolve(looking))
  }
}

/** Whether the job has been due, or at work, for longer than the alarm allows. */
async function isWatchLate({ db, config }: JobServices): Promise<boolean> {
  const { rows } = await sql<{ is: boolean }>`
    select exists (
      select
      from "job"
      where "jobKind" = ${watchJob}
        and "jobStatus" in (${sql.lit(jobStatus.waiting)}, ${sql.lit(jobStatus.running)})
        and "runAt" < now() - make_interval(mins => ${config.alarms.jobMinutes})
    ) "is"`.execute(db)
  return rows[0]!.is
}
