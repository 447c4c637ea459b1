import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { isOneOf } from '../../../contract/core/codes/code-list.ts'
import { importStatus, messageType, yesNo } from '../../../contract/core/codes/platform.ts'
import { leaverRule, sourceKind, sourceRunStatus, type SourceRunStatus } from '../../../contract/core/codes/school.ts'
import { Failure } from '../../../contract/core/failure.ts'
import type { ImportBatch, ImportKind } from '../../../contract/platform/imports/imports.schema.ts'
import { audit } from '../../core/audit/audit.ts'
import { newId } from '../../core/base/ids.ts'
import { from } from '../../core/database/tenant.ts'
import { enqueue } from '../../core/jobs/jobs.ts'
import type { Context } from '../../core/request/context.ts'
import { inTransaction } from '../../core/request/transaction.ts'
import { unseal } from '../../core/secrets/field-crypto.ts'
import { commitBatch } from '../../platform/imports/commit.service.ts'
import type { AnyImporter, Importers } from '../../platform/imports/importer.ts'
import { readBatch, uploadFile } from '../../platform/imports/imports.service.ts'
import { notify } from '../../platform/notifications/notify.service.ts'
import { fetchSource, type SourcePlace } from './fetch-source.ts'
import { applyLeavers, findLeavers } from './leavers.service.ts'
import { reasonsToWait, type RunCounts } from './source-rules.ts'
import { visibleSources, type Leaver } from './sources.queries.ts'

/** The kind of the jobs that fetch a source; the run's id is their key. */
export const sourceJob = 'source:run'

/** What such a job is to do. */
export interface SourceTask {
  runId: string
  isId: string
}

export const sourceScreen = '/personnelAdmin/dataSources'

const superseded = '没有人确认，已由下一次同步取代'

/** Begins a run, in the caller's transaction: one at a time of a source. @throws Failure `source-running` */
export async function startRun(tx: Context, isId: string, isByHand: boolean): Promise<string> {
  const source = await from(tx, 'importSource').select('isId').where('isId', '=', isId).forUpdate().executeTakeFirst()
  if (!source) throw new Failure('not-found')
  // what waited for a person since the last time is as old as its data
  if (!isByHand)
    await tx.db
      .updateTable('importSourceRun')
      .set({ runStatus: sourceRunStatus.discarded, fault: superseded })
      .where('schoolId', '=', tx.actor.schoolId)
      .where('isId', '=', isId)
      .where('runStatus', '=', sourceRunStatus.waiting)
      .execute()
  const open = await from(tx, 'importSourceRun')
    .select('runId')
    .where('isId', '=', isId)
    .where('runStatus', 'in', [sourceRunStatus.running, sourceRunStatus.waiting])
    .executeTakeFirst()
  if (open) throw new Failure('source-running')
  const runId = newId()
  await tx.db
    .insertInto('importSourceRun')
    .values({
      schoolId: tx.actor.schoolId,
      runId,
      isId,
      runStatus: sourceRunStatus.running,
      isByHand: isByHand ? yesNo.yes : yesNo.no,
      createName: tx.actor.suNickname,
      startTime: tx.clock.now(),
    })
    .execute()
  await enqueue(tx, {
    schoolId: tx.actor.schoolId,
    kind: sourceJob,
    key: runId,
    payload: { runId, isId } satisfies SourceTask,
    createBy: tx.actor.suId,
  })
  return runId
}

/** A person asks for a run. */
export const runByHand = (ctx: Context, isId: string) =>
  inTransaction(ctx, async (tx) => {
    const source = await visibleSources(tx).select('isName').where('isId', '=', isId).executeTakeFirst()
    if (!source) throw new Failure('not-found')
    const runId = await startRun(tx, isId, true)
    await audit(tx, { action: '立即同步', bizType: 'importSource', bizId: isId, bizName: source.isName })
    return { runId }
  })

/**
 * One run, with the rights of the source's owner: fetches, checks by the importer of the kind, and writes where the
 * limits allow, else waits for a person. Begun anew after a broken process it does the same again, which finds nothing
 * left to change where the former one had written.
 */
export async function runSource(
  ctx: Context,
  importers: Importers,
  { runId, isId }: SourceTask,
  signal: AbortSignal,
): Promise<void> {
  const source = await from(ctx, 'importSource').selectAll().where('isId', '=', isId).executeTakeFirst()
  if (!source) return
  const importer = importers[source.isKind as ImportKind]!
  try {
    if (!ctx.actor.permits.has(importer.permit)) throw new Failure('source-owner-gone')
    const fetched = await fetchSource(
      ctx,
      source.isWay,
      source.place as unknown as SourcePlace,
      unseal(source.secret, ctx.secrets),
      signal,
    )
    try {
      await setRun(ctx, runId, { fileName: fetched.name, digest: fetched.digest })
      if (await isKnown(ctx, isId, fetched.digest)) {
        await endRun(ctx, source, runId, sourceRunStatus.unchanged, '')
        return
      }
      const asked = await uploadFile({ ...ctx, upload: fetched }, importer, {}, { wait: 0 })
      await setRun(ctx, runId, { ibId: asked.ibId })
      const batch = await whenSettled(ctx, importer, asked.ibId, signal)
      if (batch.fault) throw new Failure('source-unreachable', { why: batch.fault })
      await decide(ctx, importer, source, runId, batch)
    } finally {
      await fetched.remove()
    }
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    await endRun(ctx, source, runId, sourceRunStatus.failed, error.msg)
  }
}

type Source = {
  isId: string
  isName: string
  isKind: string
  ownerId: string
  changeLimit: number
  leaverRule: string
  leaverLimit: number
}

/** Writes what a checked file brings, or leaves it to a person. */
async function decide(ctx: Context, importer: AnyImporter, source: Source, runId: string, batch: ImportBatch) {
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
  await setRun(ctx, runId, { counts: JSON.stringify(counts), leavers: JSON.stringify(leavers) })
  const reasons = reasonsToWait(counts, { ...source, changesLeavers: source.leaverRule !== leaverRule.tell })
  if (reasons.length > 0) {
    await endRun(ctx, source, runId, sourceRunStatus.waiting, reasons.join('；'))
    return
  }
  await writeRun(ctx, importer, source, runId, batch, leavers)
}

/** Writes the rows and the leavers of a run, and ends it. */
export async function writeRun(
  ctx: Context,
  importer: AnyImporter,
  source: Source,
  runId: string,
  { ibId, newCount, updateCount }: Pick<ImportBatch, 'ibId' | 'newCount' | 'updateCount'>,
  leavers: readonly Leaver[],
): Promise<void> {
  if (newCount + updateCount > 0) {
    await commitBatch(ctx, importer, ibId, { skipFaults: true, newOnly: false }, 0)
    const batch = await whenSettled(ctx, importer, ibId, new AbortController().signal)
    if (batch.ibStatus !== importStatus.imported)
      throw new Failure('source-unreachable', { why: batch.fault || '导入没有完成，请重试' })
  }
  const rule = source.leaverRule
  if (leavers.length > 0 && rule !== leaverRule.tell) await applyLeavers(ctx, rule, leavers)
  const left = await from(ctx, 'importSourceRun').select('counts').where('runId', '=', runId).executeTakeFirst()
  const { conflict = 0, fault = 0 } = (left?.counts ?? {}) as Partial<RunCounts>
  const unwritten = conflict + fault > 0 ? `有 ${conflict + fault} 行未写入，请查看明细` : ''
  await endRun(ctx, source, runId, sourceRunStatus.done, unwritten)
}

/** Waits for work on an import that a job of its own does. */
async function whenSettled(ctx: Context, importer: AnyImporter, ibId: string, signal: AbortSignal) {
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

async function setRun(
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

/**
 * Ends a run, and tells the owner what they have to see: that it waits for them, and the first time that it fails or
 * succeeds again.
 */
export async function endRun(
  ctx: Context,
  { isId, isName, ownerId }: Pick<Source, 'isId' | 'isName' | 'ownerId'>,
  runId: string,
  status: SourceRunStatus,
  fault: string,
): Promise<void> {
  // of two who decide at once, the second finds it over
  const before =
    status === sourceRunStatus.undone ? [sourceRunStatus.done] : [sourceRunStatus.running, sourceRunStatus.waiting]
  await inTransaction(ctx, async (tx) => {
    const { rows } = await sql<{ before: { runStatus: string; fault: string } | null }>`
      update "importSourceRun" r
      set "runStatus" = ${status}, "endTime" = ${tx.clock.now()}::timestamptz, "fault" = ${fault}
      where r."schoolId" = ${tx.actor.schoolId}
        and r."runId" = ${runId}::uuid
        and r."runStatus" = any(${before}::text[])
      returning (
        select jsonb_build_object('runStatus', b."runStatus", 'fault', b."fault")
        from "importSourceRun" b
        where b."schoolId" = ${tx.actor.schoolId} and b."isId" = ${isId}::uuid and b."runId" <> ${runId}::uuid
        order by b."startTime" desc, b."runId" desc
        limit 1
      ) as "before"`.execute(tx.db)
    if (rows.length === 0) throw new Failure('source-run-over')
    const told = tidings(isName, status, fault, rows[0]!.before)
    await audit(tx, {
      action: '数据同步',
      bizType: 'importSource',
      bizId: isId,
      bizName: isName,
      after: { runStatus: status, ...(fault && { fault }) },
    })
    if (told)
      await notify(tx, {
        suIds: [ownerId],
        ...told,
        type: messageType.system,
        bizType: 'importSource',
        bizId: isId,
        link: sourceScreen,
        evenWhoDidIt: true,
      })
  })
}

/** What the owner is told; nothing where they know it already from the run before. */
function tidings(
  name: string,
  status: SourceRunStatus,
  fault: string,
  before: { runStatus: string; fault: string } | null,
) {
  const hadFailed = before?.runStatus === sourceRunStatus.failed
  if (status === sourceRunStatus.waiting && before?.fault !== superseded)
    return { title: `数据来源“${name}”待您确认`, content: `${fault}。请在“数据同步”中查看明细后确认或放弃。` }
  if (status === sourceRunStatus.failed && !hadFailed)
    return { title: `数据来源“${name}”没有同步成功`, content: `${fault}。将按计划继续尝试，恢复后另行通知。` }
  if (hadFailed && isOneOf(status, sourceRunStatus.done, sourceRunStatus.unchanged))
    return { title: `数据来源“${name}”已恢复`, content: '最近一次同步成功。' }
  return undefined
}
