import { sql } from 'kysely'
import { backgroundKind, backgroundStatus } from '../../../contract/core/codes/platform.ts'
import { Failure } from '../../../contract/core/failure.ts'
import { fileDays, taskDays } from '../../../contract/platform/background/background.calls.ts'
import { addDays, addSeconds } from '../../core/base/clock.ts'
import { from } from '../../core/database/tenant.ts'
import type { AppServices } from '../../core/http/http.ts'
import type { Job, JobHandler, JobHandlers } from '../../core/jobs/job-runner.ts'
import { JobLost } from '../../core/jobs/jobs.ts'
import type { Actor, Context, Origin, PublicContext } from '../../core/request/context.ts'
import { runAct, undoableUntil, type TaskToRun } from './act-job.ts'
import { backgroundJobs } from './background.service.ts'
import { runExport } from './export-job.ts'
import type { Registry } from './registry.ts'
import { openStatuses } from './tasks.queries.ts'

/** Who a person is now, with their rights; undefined when their account is switched off. */
type ActorFor = (ctx: Pick<PublicContext, 'db' | 'clock'>, schoolId: string, suId: string) => Promise<Actor | undefined>

interface Task {
  btId: string
  suId: string
}

/** Runs of a job, in case the program is ended in the middle of one. */
const attempts = 5

/** Actions on all and long exports, and the end of what they leave. */
export function backgroundHandlers(services: AppServices, registry: Registry, actorFor: ActorFor): JobHandlers {
  const handler: JobHandler = {
    attempts,
    atOnce: 2,
    run: (job) => run(services, registry, actorFor, job as Job<Task>),
    gaveUp: ({ schoolId, payload }) => fail(services, schoolId, (payload as Task).btId, '多次运行中断，已放弃'),
  }
  return {
    [backgroundJobs.act]: handler,
    [backgroundJobs.export]: handler,
    'background:sweep': { every: 3600, run: () => sweepTasks(services) },
  }
}

async function run(services: AppServices, registry: Registry, actorFor: ActorFor, job: Job<Task>): Promise<void> {
  const {
    schoolId,
    payload: { btId, suId },
  } = job
  const row = await from({ db: services.db, schoolId }, 'backgroundTask')
    .select(['btId', 'btKind', 'callPath', 'listPath', 'undoOf', 'btInput', 'total', 'origin'])
    .where('btId', '=', btId)
    .where('btStatus', 'in', openStatuses)
    .executeTakeFirst()
  if (!row) return
  await services.db
    .updateTable('backgroundTask')
    .set({
      btStatus: backgroundStatus.running,
      beginTime: sql<string>`coalesce("beginTime", ${services.clock.now()}::timestamptz)`,
    })
    .where('schoolId', '=', schoolId)
    .where('btId', '=', btId)
    .where('btStatus', 'in', openStatuses)
    .execute()
  const task: TaskToRun = {
    ...row,
    listPath: row.listPath ?? '',
    btInput: row.btInput as Record<string, unknown>,
  }
  const asNow = async (): Promise<Context> => {
    const actor = await actorFor(services, schoolId, suId)
    if (!actor) throw new Failure('not-permitted')
    return {
      ...services,
      origin: { ...(row.origin as unknown as Origin), undoUntil: undoableUntil(services.clock.now()) },
      actor,
      scope: actor.scopeFor('signed-in'),
    }
  }
  try {
    if (row.btKind === backgroundKind.export) await runExport(registry, task, await asNow(), job)
    else await runAct(registry, task, asNow, job)
  } catch (error) {
    if (error instanceof JobLost || job.signal.aborted) throw error
    if (!(error instanceof Failure) && job.attempts < attempts) throw error
    if (!(error instanceof Failure)) services.log.error({ err: error, btId }, 'work in the background given up')
    await fail(services, schoolId, btId, error instanceof Failure ? error.msg : new Failure('unexpected').msg)
  }
}

const fail = async ({ db, clock }: AppServices, schoolId: string, btId: string, fault: string): Promise<void> => {
  await db
    .updateTable('backgroundTask')
    .set({ btStatus: backgroundStatus.failed, fault, endTime: clock.now() })
    .where('schoolId', '=', schoolId)
    .where('btId', '=', btId)
    .where('btStatus', 'in', openStatuses)
    .execute()
}

/**
 * Removes the files of exports after their days and of those that ended otherwise an hour ago, and tasks as a whole
 * after theirs. Content first, so that an interrupted sweep leaves nothing that the next one would not find.
 * @returns how many files
 */
export async function sweepTasks({
  db,
  files,
  clock,
  log,
}: Pick<AppServices, 'db' | 'files' | 'clock' | 'log'>): Promise<number> {
  const rows = await db
    .selectFrom('backgroundTask')
    .select(['schoolId', 'btId', 'storeKey'])
    .where('storeKey', 'is not', null)
    .where((or) =>
      or.or([
        or('endTime', '<', addDays(clock.now(), -fileDays)),
        or.and([or('btStatus', '<>', backgroundStatus.done), or('endTime', '<', addSeconds(clock.now(), -3600))]),
      ]),
    )
    .limit(1000)
    .execute()
  const gone: string[] = []
  for (const { btId, storeKey } of rows) {
    try {
      await files.remove(storeKey!)
      gone.push(btId)
    } catch (err) {
      log.warn({ err, storeKey }, 'the file of an export could not be removed; the next sweep tries again')
    }
  }
  await sql`
    update "backgroundTask"
    set "btStatus" = case "btStatus"
        when ${sql.lit(backgroundStatus.done)} then ${sql.lit(backgroundStatus.removed)}
        else "btStatus"
      end,
      "storeKey" = null
    where "btId" = any(${gone}::uuid[])`.execute(db)
  await db
    .deleteFrom('backgroundTask')
    .where('endTime', '<', addDays(clock.now(), -taskDays))
    .where('storeKey', 'is', null)
    .execute()
  return gone.length
}
