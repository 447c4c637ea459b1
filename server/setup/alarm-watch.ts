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
 * Looks after the job that tells what is wrong: where no runner has taken it for as long as any job may wait, or one
 * does not come to its end, it is done from here, outside of the runner. Otherwise that nobody begins a job would be
 * told by a job that nobody begins.
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
