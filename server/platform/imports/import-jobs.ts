import { importStatus } from '../../../contract/core/codes/platform.ts'
import { Failure } from '../../../contract/core/failure.ts'
import { nothingVisible } from '../../../contract/core/scope.ts'
import type { ImportKind } from '../../../contract/platform/imports/imports.schema.ts'
import type { Actor, Context, PublicContext } from '../../core/request/context.ts'
import { flushTableStatistics, analyzeGrownTables } from '../../core/database/analyze.ts'
import type { AppServices } from '../../core/http/http.ts'
import type { Job, JobHandlers } from '../../core/jobs/job-runner.ts'
import { JobLost } from '../../core/jobs/jobs.ts'
import { from } from '../../core/database/tenant.ts'
import { inTransaction } from '../../core/request/transaction.ts'
import { endWork, keptFault } from './batch-state.ts'
import { readUpload, validateAndStore } from './check.service.ts'
import { commitAsJob, takeBack } from './commit.service.ts'
import { sweepImports } from './ending.service.ts'
import type { AnyImporter, Importers } from './importer.ts'
import { findBatch, type BatchRow } from './imports.queries.ts'
import { dropFile, withFile } from './import-file.ts'
import { importJob, startWork, type Task, type Work } from './work.ts'

/** Who a person is now, with their rights; undefined when their account is switched off. */
export type ActorFor = (
  ctx: Pick<PublicContext, 'db' | 'clock'>,
  schoolId: string,
  suId: string,
) => Promise<Actor | undefined>

/** Runs of a job, in case the program is ended in the middle of one. */
const attempts = 3

/**
 * The jobs of large imports: checking, committing and undoing, each of which ends in one transaction or leaves
 * everything as it was.
 */
export const importJobs = (services: AppServices, importers: Importers, actorFor: ActorFor): JobHandlers => ({
  [importJob]: {
    attempts,
    atOnce: 2,
    run: (job) => run(services, importers, actorFor, job as Job<Task>),
    gaveUp: (claim) => giveUp(services, claim.schoolId, claim.payload as Task),
  },
  'import:sweep': {
    every: 3600,
    run: () => sweepImports({ ...services, origin: { requestId: 'import:sweep', ip: '', agent: '' } }),
  },
})

async function run(services: AppServices, importers: Importers, actorFor: ActorFor, job: Job<Task>): Promise<void> {
  const { payload: task, schoolId } = job
  const importer = importers[task.kind as ImportKind]
  const actor = await actorFor(services, schoolId, task.suId)
  const ctx = {
    ...services,
    origin: task.origin,
    actor: actor ?? nobody(schoolId, task.suId),
    scope: actor && importer ? actor.scopeFor(importer.permit) : nothingVisible,
  } satisfies Context
  const work = workOf(job)
  try {
    if (!importer || !actor?.permits.has(importer.permit)) throw new Failure('not-permitted')
    await actions[task.act](ctx, importer, await findBatch(ctx, task.kind, task.ibId), task, work)
    await analyzeGrownTables(ctx)
  } catch (error) {
    if (error instanceof JobLost || job.signal.aborted) throw error
    // what another try may cure is tried again; what it will not is told
    const isPassing = !(error instanceof Failure) && job.attempts < attempts
    if (isPassing) throw error
    if (!(error instanceof Failure))
      services.log.error({ err: error, jobId: job.jobId, kind: task.kind, act: task.act }, 'import given up')
    await inTransaction(ctx, (tx) => endRefused(tx, task, work, error))
  }
}

const actions: Record<
  Task['act'],
  (ctx: Context, importer: AnyImporter, batch: BatchRow, task: Task, work: Work) => Promise<void>
> = {
  async check(ctx, importer, batch, { ibId, match, columns, commit }, work) {
    await work.report(2)
    const content = await withFile(ctx, ibId, (path) =>
      readUpload(ctx, importer, path, { asks: match, match: columns }),
    )
    await work.report(30)
    // asked for while this job runs, the next one is the same job once more
    const next = (tx: Context) => startWork(tx, importer, ibId, { act: 'commit', skipFaults: true })
    await validateAndStore(ctx, importer, { ibId, target: batch.target }, content, work, commit ? { commit: next } : {})
  },
  commit: (ctx, importer, batch, { skipFaults = false }, work) => commitAsJob(ctx, importer, batch, skipFaults, work),
  undo: (ctx, importer, batch, _, work) =>
    inTransaction(ctx, async (tx) => {
      await takeBack(tx, importer, batch, work)
      await flushTableStatistics(tx)
    }),
}

/** The state that work which was refused leaves an import in. */
async function endRefused(tx: Context, { act, ibId }: Task, work: Work, error: unknown): Promise<void> {
  const fault = keptFault(error)
  if (act === 'commit') return endWork(tx, work, ibId, importStatus.importing, importStatus.ready, fault)
  if (act === 'undo') return endWork(tx, work, ibId, importStatus.undoing, importStatus.imported, fault)
  const { top } = await from(tx, 'importBatch').select('top').where('ibId', '=', ibId).executeTakeFirstOrThrow()
  // a match that did not fit may be tried again
  await endWork(
    tx,
    work,
    ibId,
    importStatus.checking,
    top ? importStatus.awaitingColumns : importStatus.checkFailed,
    fault,
  )
  if (!top) await dropFile(tx, ibId)
}

/** Called when a job has broken off again and again: the import must not look busy for ever. */
async function giveUp(services: AppServices, schoolId: string, task: Task): Promise<void> {
  const ctx = {
    ...services,
    origin: task.origin,
    actor: nobody(schoolId, task.suId),
    scope: nothingVisible,
  } satisfies Context
  await endRefused(ctx, task, { report: async () => {}, finish: async () => {} }, new Failure('unexpected'))
}

/** Work as its job sees it: what it tells goes to the job's row, twice a second at most. */
function workOf(job: Job<Task>): Work {
  let last = -Infinity
  return {
    async report(percent) {
      job.signal.throwIfAborted()
      if (performance.now() - last < 500) return
      last = performance.now()
      await job.progress(percent)
    },
    finish: (tx) => job.finish(tx.db),
  }
}

const nobody = (schoolId: string, suId: string): Actor => ({
  schoolId,
  suId,
  suNickname: '',
  suLoginName: '',
  sessionId: '',
  mustChangePwd: false,
  permits: new Set(),
  roleIds: [],
  scopeFor: () => nothingVisible,
})
