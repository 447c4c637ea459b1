import type { Checked } from '../../../contract/core/call.ts'
import { sourceRunStatus, type SourceRunStatus } from '../../../contract/core/codes/school.ts'
import { importStatus } from '../../../contract/core/codes/platform.ts'
import { Failure } from '../../../contract/core/failure.ts'
import type { ImportKind } from '../../../contract/platform/imports/imports.schema.ts'
import type { sourceApi } from '../../../contract/school/sources/sources.calls.ts'
import { asPage, offsetOf } from '../../core/database/paging.ts'
import { from } from '../../core/database/tenant.ts'
import type { Actor, Context } from '../../core/request/context.ts'
import type { ActorFor } from '../../platform/imports/import-jobs.ts'
import { discardBatch } from '../../platform/imports/ending.service.ts'
import type { AnyImporter, Importers } from '../../platform/imports/importer.ts'
import { previewRows, readBatch } from '../../platform/imports/imports.service.ts'
import { endRun, resumeRun } from './source-runs.service.ts'
import { visibleRuns, type Leaver } from './sources.queries.ts'

type Input = Checked<typeof sourceApi.accept>

/**
 * A person lets a job write what a run has left to them. It is checked again as it is written, with the rights of the
 * source's owner; that it was decided, and by whom, is on the trail.
 */
export const acceptRun =
  (importers: Importers, actorFor: ActorFor) =>
  async (ctx: Context, { runId }: Input) => {
    const { run, source, importer, owner } = await runInState(ctx, importers, actorFor, runId, sourceRunStatus.waiting)
    const batch = await readBatch(owner, importer, run.ibId!)
    if (!batch.can.includes('commit')) throw new Failure('source-run-expired')
    await resumeRun(ctx, source, runId, 'write')
    return { affected: 1 }
  }

/** A person leaves a run alone; the next one begins anew. */
export const discardRun =
  (importers: Importers, actorFor: ActorFor) =>
  async (ctx: Context, { runId }: Input) => {
    const { run, source, importer, owner } = await runInState(ctx, importers, actorFor, runId, sourceRunStatus.waiting)
    const { ibStatus } = await readBatch(owner, importer, run.ibId!)
    if (ibStatus === importStatus.ready) await discardBatch(owner, importer, run.ibId!)
    await endRun(ctx, source, runId, sourceRunStatus.discarded, '')
    return { affected: 1 }
  }

/** A person lets a job take back what a run has written. */
export const undoRun =
  (importers: Importers, actorFor: ActorFor) =>
  async (ctx: Context, { runId }: Input) => {
    const { source } = await runInState(ctx, importers, actorFor, runId, sourceRunStatus.done)
    await resumeRun(ctx, source, runId, 'undo')
    return { affected: 1 }
  }

/** A run in the state told, its source, and the context in which that is done: of its owner. */
async function runInState(
  ctx: Context,
  importers: Importers,
  actorFor: ActorFor,
  runId: string,
  status: SourceRunStatus,
) {
  const found = await findRun(ctx, runId)
  if (found.run.runStatus !== status) throw new Failure('source-run-over')
  const actor = await actorFor(ctx, ctx.actor.schoolId, found.source.ownerId)
  const importer = importers[found.source.isKind as ImportKind]!
  if (!actor?.permits.has(importer.permit)) throw new Failure('source-owner-gone')
  return { ...found, importer, owner: asOwner(ctx, actor, importer) }
}

/** The context of a source's owner, under the right of what it brings. */
export const asOwner = (ctx: Context, actor: Actor, { permit }: AnyImporter): Context => ({
  ...ctx,
  actor,
  scope: actor.scopeFor(permit),
})

async function findRun(ctx: Context, runId: string) {
  const run = await visibleRuns(ctx)
    .select(['runId', 'isId', 'runStatus', 'ibId', 'leavers'])
    .where('runId', '=', runId)
    .executeTakeFirst()
  if (!run) throw new Failure('not-found')
  const source = await from(ctx, 'importSource').selectAll().where('isId', '=', run.isId).executeTakeFirstOrThrow()
  return { run: { ...run, leavers: run.leavers as unknown as Leaver[] }, source }
}

/** A page of the rows of a run; empty before it was checked and after its rows have gone. */
export const runRows =
  (importers: Importers) =>
  async (ctx: Context, { runId, ...input }: Checked<typeof sourceApi.rows>) => {
    const { run, source } = await findRun(ctx, runId)
    if (!run.ibId) return { ...asPage([], 0, input), columns: [] }
    // the rows are the owner's; whoever may see the runs of the school sees them as the owner does
    const importer = importers[source.isKind as ImportKind]!
    const owner = { ...ctx, actor: { ...ctx.actor, suId: source.ownerId } }
    const { batch: _batch, ...page } = await previewRows(owner, importer, { ...input, ibId: run.ibId })
    // the right to see runs is not the right to see numbers of identity cards: no sensitive cell, nor what is said of
    // it
    const hidden = new Set(importer.sheet.columns.filter(({ sensitive }) => sensitive).map(({ key }) => key as string))
    const isShown = ({ key }: { key?: string | undefined }) => key === undefined || !hidden.has(key)
    const records = page.records.map((row) => ({
      ...row,
      cells: Object.fromEntries(Object.entries(row.cells).filter(([key]) => !hidden.has(key))),
      faults: row.faults.map((fault) => (isShown(fault) ? fault : { ...fault, msg: '敏感信息有误，请在来源系统核对' })),
      hints: row.hints.filter(isShown),
    }))
    return { ...page, records, columns: page.columns.filter(isShown) }
  }

/** A page of the students who were no longer in the source. */
export async function runLeavers(ctx: Context, { runId, ...input }: Checked<typeof sourceApi.leavers>) {
  const { run } = await findRun(ctx, runId)
  const page = run.leavers.slice(offsetOf(input), offsetOf(input) + input.pageSize)
  return asPage(
    page.map(({ suId, suiNumber, suiName }) => ({ suId, suiNumber, suiName })),
    run.leavers.length,
    input,
  )
}
