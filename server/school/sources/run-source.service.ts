import { setTimeout as sleep } from 'node:timers/promises'
import { isOneOf } from '../../../contract/core/codes/code-list.ts'
import { importStatus } from '../../../contract/core/codes/platform.ts'
import { leaverRule, sourceKind, sourceRunStatus } from '../../../contract/core/codes/school.ts'
import { Failure } from '../../../contract/core/failure.ts'
import type { ImportBatch, ImportKind } from '../../../contract/platform/imports/imports.schema.ts'
import { from } from '../../core/database/tenant.ts'
import type { Context } from '../../core/request/context.ts'
import { unseal } from '../../core/secrets/field-crypto.ts'
import { commitBatch, undoBatch } from '../../platform/imports/commit.service.ts'
import type { AnyImporter, Importers } from '../../platform/imports/importer.ts'
import { readBatch, uploadFile } from '../../platform/imports/imports.service.ts'
import { fetchSource } from './fetch-source.ts'
import type { SourceConnection } from './source-connection.ts'
import { applyLeavers, findLeavers, restoreLeavers } from './leavers.service.ts'
import { reasonsToWait, type RunCounts } from './source-rules.ts'
import { endRun, type Source, type SourceTask } from './source-runs.service.ts'
import type { Leaver } from './sources.queries.ts'

/** What a run has found out so far, as its row keeps it. */
interface Progress {
  ibId: string | null
  counts: RunCounts | null
  leavers: readonly Leaver[]
}

/** A run in the hands of a job: its source, the importer of its kind, and what stops it. */
interface Run {
  runId: string
  source: Source
  importer: AnyImporter
  signal: AbortSignal
}

/**
 * One run, or what a person has decided about it, with the rights of the source's owner. Each step is kept before the
 * next begins, so that a run that broke off goes on where it stood: rows that are written are not looked at again, and
 * the standing of those who left is that of before.
 */
export async function runSource(
  ctx: Context,
  importers: Importers,
  { runId, isId, act }: SourceTask,
  signal: AbortSignal,
): Promise<void> {
  const source = await from(ctx, 'importSource').selectAll().where('isId', '=', isId).executeTakeFirst()
  const row = await from(ctx, 'importSourceRun')
    .select(['runStatus', 'ibId', 'counts', 'leavers'])
    .where('runId', '=', runId)
    .executeTakeFirst()
  if (!source || row?.runStatus !== sourceRunStatus.running) return
  const progress = row as unknown as Progress
  const run: Run = { runId, source, importer: importers[source.isKind as ImportKind]!, signal }
  try {
    if (!ctx.actor.permits.has(run.importer.permit)) throw new Failure('source-owner-gone')
    if (act === 'undo') return await undo(ctx, run, progress)
    const ibId =
      progress.ibId ??
      (await fetchInto(ctx, run, { way: source.isWay, kind: source.isKind }, source.place, source.secret))
    if (!ibId) return await endRun(ctx, source, runId, sourceRunStatus.unchanged, '')
    await writeOrWait(ctx, run, { ...progress, ibId }, act === 'write')
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    await failRun(ctx, source, { runId, isId, act }, error)
  }
}

/** Ends what could not be done: a run has failed; one that could not be taken back is as it was. */
export const failRun = (ctx: Context, source: Source, { runId, act }: SourceTask, { msg }: Failure): Promise<void> =>
  act === 'undo'
    ? endRun(ctx, source, runId, sourceRunStatus.done, `未能撤销：${msg}`, false)
    : endRun(ctx, source, runId, sourceRunStatus.failed, msg)

/** Fetches a source into an import whose rows are checked. @returns its id; undefined where the data are known */
async function fetchInto(
  ctx: Context,
  { runId, source, importer, signal }: Run,
  how: { way: string; kind: string },
  place: unknown,
  secret: Buffer | null,
): Promise<string | undefined> {
  const fetched = await fetchSource(ctx, how, place as SourceConnection, unseal(secret, ctx.secrets), signal)
  try {
    await keep(ctx, runId, { fileName: fetched.name, digest: fetched.digest })
    if (await isKnown(ctx, source.isId, fetched.digest)) return undefined
    const { ibId } = await uploadFile({ ...ctx, upload: fetched }, importer, {}, { wait: 0 })
    await keep(ctx, runId, { ibId })
    return ibId
  } finally {
    await fetched.remove()
  }
}

/** Writes what a checked file brings, unless the limits leave it to a person who has not confirmed it yet. */
async function writeOrWait(
  ctx: Context,
  run: Run,
  { ibId, counts, leavers }: Progress & { ibId: string },
  isConfirmed: boolean,
): Promise<void> {
  const { runId, source } = run
  const batch = await whenSettled(ctx, run, ibId)
  if (batch.fault) throw new Failure('source-unreachable', { why: batch.fault })
  const found = counts ? { counts, leavers } : await compare(ctx, run, batch)
  const reasons = reasonsToWait(found.counts, { ...source, changesLeavers: source.leaverRule !== leaverRule.tell })
  // what is written already was within the limits when that began
  if (reasons.length > 0 && !isConfirmed && batch.ibStatus === importStatus.ready)
    return endRun(ctx, source, runId, sourceRunStatus.waiting, reasons.join('；'))
  await write(ctx, run, batch)
  if (found.leavers.length > 0 && source.leaverRule !== leaverRule.tell)
    await applyLeavers(ctx, runId, source.leaverRule, found.leavers)
  const unwritten = found.counts.conflict + found.counts.fault
  return endRun(ctx, source, runId, sourceRunStatus.done, unwritten > 0 ? `有 ${unwritten} 行未写入，请查看明细` : '')
}

/** Compares a checked file with what is here, and keeps the outcome before anything is written. */
async function compare(ctx: Context, { runId, source }: Run, batch: ImportBatch) {
  const leavers = source.isKind === sourceKind.student ? await findLeavers(ctx, batch.ibId) : []
  const counts: RunCounts = {
    rows: batch.rowCount,
    new: batch.newCount,
    update: batch.updateCount,
    same: batch.sameCount,
    conflict: batch.conflictCount,
    fault: batch.faultCount,
    leavers: leavers.length,
  }
  await keep(ctx, runId, { counts: JSON.stringify(counts), leavers: JSON.stringify(leavers) })
  return { counts, leavers }
}

async function write(ctx: Context, run: Run, { ibId, ibStatus, newCount, updateCount }: ImportBatch): Promise<void> {
  if (ibStatus !== importStatus.ready || newCount + updateCount === 0) return
  await commitBatch(ctx, run.importer, ibId, { skipFaults: true, newOnly: false }, 0)
  const batch = await whenSettled(ctx, run, ibId)
  if (batch.ibStatus !== importStatus.imported)
    throw new Failure('source-unreachable', { why: batch.fault || '导入没有完成，请重试' })
}

/** Takes back what a run has written, as far as nothing later stands upon it. */
async function undo(ctx: Context, run: Run, { ibId, leavers }: Progress): Promise<void> {
  const { runId, source, importer } = run
  if (ibId) {
    const written = await whenSettled(ctx, run, ibId)
    if (written.ibStatus === importStatus.imported) {
      await undoBatch(ctx, importer, ibId, 0)
      const batch = await whenSettled(ctx, run, ibId)
      if (batch.ibStatus === importStatus.imported) throw new Failure('source-not-undone', { why: batch.fault })
    }
  }
  await restoreLeavers(ctx, source.leaverRule, leavers)
  await endRun(ctx, source, runId, sourceRunStatus.undone, '')
}

/** Waits for work on an import that a job of its own does. */
async function whenSettled(ctx: Context, { importer, signal }: Run, ibId: string): Promise<ImportBatch> {
  for (let pause = 50; ; pause = Math.min(pause * 1.5, 1000)) {
    const batch = await readBatch(ctx, importer, ibId)
    if (!isOneOf(batch.ibStatus, importStatus.checking, importStatus.importing, importStatus.undoing)) return batch
    await sleep(pause, undefined, { signal })
  }
}

/** Whether the last run that was written or found nothing new had the same data. */
async function isKnown(ctx: Context, isId: string, digest: string): Promise<boolean> {
  const last = await from(ctx, 'importSourceRun')
    .select(['digest', 'runStatus'])
    .where('isId', '=', isId)
    .where('runStatus', '!=', sourceRunStatus.running)
    .orderBy('startTime', 'desc')
    .orderBy('runId', 'desc')
    .limit(1)
    .executeTakeFirst()
  return (
    last?.digest === digest &&
    [sourceRunStatus.done, sourceRunStatus.unchanged].some((status) => status === last.runStatus)
  )
}

/** Keeps what a run has found out. */
async function keep(
  ctx: Context,
  runId: string,
  values: Partial<Record<'fileName' | 'digest' | 'ibId' | 'counts' | 'leavers', string>>,
): Promise<void> {
  await ctx.db
    .updateTable('importSourceRun')
    .set(values)
    .where('schoolId', '=', ctx.actor.schoolId)
    .where('runId', '=', runId)
    .execute()
}
