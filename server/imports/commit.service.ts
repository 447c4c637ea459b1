import { Failure } from '../../contract/core/failure.ts'
import { batchStates, type ImportBatch } from '../../contract/imports/imports.schema.ts'
import { audit } from '../core/audit.ts'
import { addSeconds } from '../core/clock.ts'
import type { Context, PublicContext } from '../core/context.ts'
import { inTransaction } from '../core/transaction.ts'
import type { AnyImporter, CommitRow } from './importer.ts'
import { expiredBefore, ownBatches, recount, selectBatch, visibleBatches, type BatchRow } from './imports.queries.ts'
import { readBatch } from './imports.service.ts'
import { keepUndo, storedRows, undoOf, updateRows, type StoredRow } from './import-rows.ts'
import { judge, type Judged } from './judge.ts'

/** Rows that may not be written stand in the way: nothing is, and what is new about them is kept for the preview. */
class Unfit extends Error {
  constructor(
    readonly count: number,
    readonly changed: Judged[],
  ) {
    super('rows unfit')
  }
}

/**
 * Writes an import in one transaction. Every row is weighed again first, because the school may have changed since the
 * preview. A second commit, at the same time or later, is refused.
 */
export async function commitBatch(ctx: Context, importer: AnyImporter, ibId: string, skipFaults: boolean): Promise<ImportBatch> {
  try {
    await inTransaction(ctx, (tx) => write(tx, importer, ibId, skipFaults))
  } catch (error) {
    if (!(error instanceof Unfit)) throw error
    await keepVerdicts(ctx, importer, ibId, error.changed)
    throw new Failure('import-has-faults', { n: error.count })
  }
  return readBatch(ctx, importer, ibId)
}

async function write(ctx: Context, importer: AnyImporter, ibId: string, skipFaults: boolean): Promise<void> {
  const batch = await claim(ctx, importer, ibId, 'waiting', 'committed')
  const of = { ibId, heads: batch.heads, sheet: importer.sheet }
  const stored: StoredRow[] = []
  for await (const rows of storedRows(ctx, of)) for (const row of rows) stored.push(row)

  const judged = await judge(ctx, importer, batch.target, stored)
  const changed = judged.filter((row, at) => row.verdict !== stored[at]!.verdict)
  const unfit = judged.filter((row) => row.verdict === 'fault' || row.verdict === 'conflict').length
  if (unfit > 0 && !skipFaults) throw new Unfit(unfit, changed)

  const rows = judged.flatMap(({ rowNo, verdict, row, found }) => (verdict === 'new' || verdict === 'update' ? [{ rowNo, verdict, row, found } satisfies CommitRow<never, unknown>] : []))
  const undo = rows.length > 0 ? await importer.commit(ctx, batch.target, rows, ibId) : []
  await keepUndo(ctx, ibId, rows.map(({ rowNo }, at) => ({ rowNo, undo: undo[at] })))
  if (changed.length > 0) {
    await updateRows(ctx, of, changed)
    await recount(ctx.db, ctx.actor.schoolId, ibId)
  }
  const count = (verdict: CommitRow<never, unknown>['verdict']) => rows.filter((row) => row.verdict === verdict).length
  await audit(ctx, { action: '确认导入', bizType: 'import', bizId: ibId, bizName: `${importer.sheet.title}：${batch.fileName}`, after: { new: count('new'), update: count('update'), skipped: unfit } })
}

async function keepVerdicts(ctx: Context, importer: AnyImporter, ibId: string, changed: Judged[]): Promise<void> {
  if (changed.length === 0) return
  await inTransaction(ctx, async (tx) => {
    const batch = await selectBatch(ownBatches(tx, importer.sheet.kind)).where('ibId', '=', ibId).where('ibStatus', '=', batchStates.waiting).forUpdate().executeTakeFirst()
    if (!batch) return
    await updateRows(tx, { ibId, heads: batch.heads, sheet: importer.sheet }, changed)
    await recount(tx.db, tx.actor.schoolId, ibId)
  })
}

/** Takes a committed import back, in one transaction; refused when its records have been used since. */
export async function undoBatch(ctx: Context, importer: AnyImporter, ibId: string): Promise<ImportBatch> {
  await inTransaction(ctx, async (tx) => {
    const batch = await claim(tx, importer, ibId, 'committed', 'undone')
    const rows = await undoOf(tx, ibId)
    if (rows.length > 0) await importer.undo(tx, batch.target, rows, ibId)
    await audit(tx, { action: '撤销导入', bizType: 'import', bizId: ibId, bizName: `${importer.sheet.title}：${batch.fileName}`, before: { rows: rows.length } })
  })
  return readBatch(ctx, importer, ibId)
}

/** Drops a waiting import and its rows. */
export async function discardBatch(ctx: Context, importer: AnyImporter, ibId: string): Promise<ImportBatch> {
  await inTransaction(ctx, async (tx) => {
    await claim(tx, importer, ibId, 'waiting', 'discarded')
    await tx.db.deleteFrom('importRow').where('schoolId', '=', tx.actor.schoolId).where('ibId', '=', ibId).execute()
  })
  return readBatch(ctx, importer, ibId)
}

/** Moves an import from one state to the next, so that of two callers only one goes on. */
async function claim(ctx: Context, importer: AnyImporter, ibId: string, from: keyof typeof batchStates, to: keyof typeof batchStates): Promise<BatchRow> {
  const { db, actor, clock } = ctx
  const within = from === 'waiting' ? ownBatches(ctx, importer.sheet.kind) : visibleBatches(ctx, importer.sheet.kind)
  const batch = await selectBatch(within).where('ibId', '=', ibId).forUpdate().executeTakeFirst()
  if (!batch) throw new Failure('not-found')
  if (batch.ibStatus !== batchStates[from]) throw from === 'waiting' ? new Failure('import-finished') : new Failure('wrong-state', { act: '撤销' })
  if (from === 'waiting' && batch.createTime <= expiredBefore(clock.now())) throw new Failure('import-finished')
  const stamp = to === 'committed' ? { commitTime: clock.now() } : to === 'undone' ? { undoTime: clock.now() } : {}
  await db.updateTable('importBatch').set({ ibStatus: batchStates[to], ...stamp }).where('schoolId', '=', actor.schoolId).where('ibId', '=', ibId).execute()
  return batch
}

/** Days an import can be undone. */
const undoDays = 30

/**
 * Removes what imports no longer need: after 24 hours waiting ones and all texts of uploaded files, after 30 days what undoing
 * needs. A job calls it about hourly, for all schools.
 */
export async function sweepImports({ db, clock }: PublicContext): Promise<void> {
  const expired = expiredBefore(clock.now())
  await db.updateTable('importBatch').set({ ibStatus: batchStates.discarded }).where('ibStatus', '=', batchStates.waiting).where('createTime', '<=', expired).execute()
  const gone = db.selectFrom('importBatch').select(['schoolId', 'ibId'])
  const ended = gone.where((eb) =>
    eb.or([
      eb('ibStatus', 'in', [batchStates.discarded, batchStates.undone]).and('createTime', '<=', expired),
      eb('createTime', '<=', addSeconds(clock.now(), -undoDays * 86_400)),
    ]),
  )
  await db.deleteFrom('importRow').where((eb) => eb(eb.refTuple('schoolId', 'ibId'), 'in', ended.$asTuple('schoolId', 'ibId'))).execute()
  const committed = gone.where('ibStatus', '=', batchStates.committed).where('createTime', '<=', expired)
  const inCommitted = db.deleteFrom('importRow').where((eb) => eb(eb.refTuple('schoolId', 'ibId'), 'in', committed.$asTuple('schoolId', 'ibId')))
  await inCommitted.where('undo', 'is', null).execute()
  await db
    .updateTable('importRow')
    .set({ cells: '[]', changes: '[]', row: JSON.stringify({ keys: [] }) })
    .where((eb) => eb(eb.refTuple('schoolId', 'ibId'), 'in', committed.$asTuple('schoolId', 'ibId')))
    .where('cells', '!=', '[]')
    .execute()
}
