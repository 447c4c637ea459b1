import { yesNo } from '../../../contract/core/codes/platform.ts'
import { Failure } from '../../../contract/core/failure.ts'
import type { ImportKind } from '../../../contract/platform/imports/imports.schema.ts'
import { from, ofWorkingSchool } from '../../core/database/tenant.ts'
import type { JobHandlers } from '../../core/jobs/job-runner.ts'
import { systemContext, type JobServices } from '../../core/request/system.ts'
import { inTransaction } from '../../core/request/transaction.ts'
import type { ActorFor } from '../../platform/imports/import-jobs.ts'
import type { Importers } from '../../platform/imports/importer.ts'
import { asOwner } from './decide-run.service.ts'
import { failRun, runSource } from './run-source.service.ts'
import { sourceJob, startRun, type SourceTask } from './source-runs.service.ts'
import { nextRunAfter } from './source-rules.ts'

/** Sources that are due begin their runs each minute; a run goes on by itself. */
export const sourceJobs = (services: JobServices, importers: Importers, actorFor: ActorFor): JobHandlers => ({
  'source:due': { every: 60, run: () => startDueSources(services) },
  [sourceJob]: {
    attempts: 3,
    // each waits for the import that it begins
    atOnce: 1,
    run: (job) => runAsOwner(services, importers, actorFor, job.schoolId, job.payload as SourceTask, job.signal),
    gaveUp: (claim) => giveUp(services, claim.schoolId, claim.payload as SourceTask),
  },
})

/** Begins the runs of all sources whose moment has come. @returns how many */
export async function startDueSources(services: JobServices): Promise<number> {
  const due = await services.db
    .selectFrom('importSource')
    .select(['schoolId', 'isId'])
    .where('nextRun', '<=', services.clock.now())
    .where(ofWorkingSchool('importSource'))
    .orderBy('nextRun')
    .limit(100)
    .execute()
  let started = 0
  for (const { schoolId, isId } of due) {
    try {
      if (await startOne(services, schoolId, isId)) started++
    } catch (err) {
      services.log.error({ err, schoolId, isId }, 'the run of a source could not be begun')
    }
  }
  return started
}

const startOne = (services: JobServices, schoolId: string, isId: string): Promise<boolean> =>
  inTransaction(systemContext(services, schoolId), async (tx) => {
    const now = tx.clock.now()
    const source = await from(tx, 'importSource')
      .select(['runAt', 'isEnabled'])
      .where('isId', '=', isId)
      .where('nextRun', '<=', now)
      .forUpdate()
      .executeTakeFirst()
    if (!source) return false
    await tx.db
      .updateTable('importSource')
      .set({ nextRun: source.isEnabled === yesNo.yes ? nextRunAfter(now, source.runAt) : null })
      .where('schoolId', '=', schoolId)
      .where('isId', '=', isId)
      .execute()
    try {
      await startRun(tx, isId, false)
      return true
    } catch (error) {
      // one that still waits for a person is not run a second time beside it
      if (error instanceof Failure && error.reason === 'source-running') return false
      throw error
    }
  })

async function runAsOwner(
  services: JobServices,
  importers: Importers,
  actorFor: ActorFor,
  schoolId: string,
  task: SourceTask,
  signal: AbortSignal,
): Promise<void> {
  const ctx = systemContext(services, schoolId)
  const source = await from(ctx, 'importSource').selectAll().where('isId', '=', task.isId).executeTakeFirst()
  if (!source) return
  const importer = importers[source.isKind as ImportKind]!
  const actor = await actorFor(services, schoolId, source.ownerId)
  if (!actor) return failRun(ctx, source, task, new Failure('source-owner-gone'))
  await runSource(asOwner(ctx, actor, importer), importers, task, signal)
}

/** Called when a run has broken off again and again: it must not look busy for ever. */
async function giveUp(services: JobServices, schoolId: string, task: SourceTask): Promise<void> {
  const ctx = systemContext(services, schoolId)
  const source = await from(ctx, 'importSource').selectAll().where('isId', '=', task.isId).executeTakeFirst()
  if (source) await failRun(ctx, source, task, new Failure('unexpected'))
}
