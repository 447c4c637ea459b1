import { importStatus, yesNo } from '../../../contract/core/codes/platform.ts'
import { Failure } from '../../../contract/core/failure.ts'
import type { ImportBatch } from '../../../contract/platform/imports/imports.schema.ts'
import { audit } from '../../core/audit/audit.ts'
import type { Context } from '../../core/request/context.ts'
import { flushTableStatistics } from '../../core/database/analyze.ts'
import { maxDataRows } from '../../core/sheets/limits.ts'
import { because } from '../../core/request/cause.ts'
import { inTransaction } from '../../core/request/transaction.ts'
import { claim, endWork, moveTo } from './batch-state.ts'
import type { AnyImporter, CommitRow } from './importer.ts'
import { recount, selectBatch, visibleBatches, type BatchRow } from './imports.queries.ts'
import { dropFile } from './import-file.ts'
import { readBatch } from './imports.service.ts'
import { repeatedKeys, storedRows, updateRows } from './import-rows.ts'
import { readLine, validateRows, type RowResult } from './validate-rows.ts'
import { keepUndo, passVersionsOn, undoOf } from './undo-rows.ts'
import { immediateWork, maxAtOnce, between, startWork, whenDone, type Work } from './work.ts'

/** Rows that may not be written stand in the way: nothing is, and what is new about them is kept for the preview. */
class Unfit extends Error {
  constructor(
    readonly count: number,
    readonly changed: RowResult[],
  ) {
    super('rows unfit')
  }
}

interface CommitOptions {
  /** Leaves out what may not be written, instead of writing nothing. */
  skipFaults: boolean
  /** Leaves records that exist already as they are. */
  newOnly: boolean
}

/**
 * Writes an import: a small one at once, a large one by a job, whose end is awaited for some seconds. A second commit,
 * at the same time or later, is refused.
 */
export async function commitBatch(
  ctx: Context,
  importer: AnyImporter,
  ibId: string,
  { skipFaults, newOnly }: CommitOptions,
  wait: number,
): Promise<ImportBatch> {
  const options = { newOnly: newOnly ? yesNo.yes : yesNo.no } as const
  const small = (await rowsOf(ctx, importer, ibId)) <= maxAtOnce.rows
  if (!small) {
    await inTransaction(ctx, async (tx) => {
      await claim(tx, importer, ibId, [importStatus.ready], importStatus.importing, options)
      await startWork(tx, importer, ibId, { act: 'commit', skipFaults })
    })
    return whenDone(ctx, importer, ibId, wait)
  }
  const write = () =>
    inTransaction(ctx, async (tx) =>
      writeBatch(
        tx,
        importer,
        await claim(tx, importer, ibId, [importStatus.ready], importStatus.importing, options),
        skipFaults,
        immediateWork,
      ),
    )
  try {
    // somebody else may write the same number at the same moment; checked again, the row is then a conflict
    await write().catch((error: unknown) => (isDuplicate(error) ? write() : Promise.reject(error)))
  } catch (error) {
    if (!(error instanceof Unfit)) throw error
    await inTransaction(ctx, async (tx) => {
      if (await moveTo(tx, ibId, [importStatus.ready], importStatus.ready))
        await keepVerdicts(tx, importer, ibId, error)
    })
    throw new Failure('import-has-faults', { n: error.count })
  }
  return readBatch(ctx, importer, ibId)
}

const rowsOf = async (ctx: Context, importer: AnyImporter, ibId: string): Promise<number> =>
  (await readBatch(ctx, importer, ibId)).rowCount
const isDuplicate = (error: unknown): boolean => (error as { code?: string }).code === '23505'

/** A commit as a job does it, where rows that do not fit end it with its state as before. */
export async function commitAsJob(
  ctx: Context,
  importer: AnyImporter,
  batch: BatchRow,
  skipFaults: boolean,
  work: Work,
): Promise<void> {
  try {
    await inTransaction(ctx, async (tx) => {
      await writeBatch(tx, importer, batch, skipFaults, work)
      await flushTableStatistics(tx)
    })
  } catch (error) {
    if (!(error instanceof Unfit)) throw error
    await inTransaction(ctx, async (tx) => {
      await endWork(tx, work, batch.ibId, importStatus.importing, importStatus.ready, {
        reason: 'import-has-faults',
        values: { n: error.count },
      })
      await keepVerdicts(tx, importer, batch.ibId, error)
    })
  }
}

/**
 * Writes an import in one transaction. Every row is checked again first, because the school may have changed since the
 * preview.
 */
async function writeBatch(
  tx: Context,
  importer: AnyImporter,
  batch: BatchRow,
  skipFaults: boolean,
  work: Work,
): Promise<void> {
  const { ibId, target, rowCount } = batch
  await because(tx, 'import', ibId)
  const of = { ibId, heads: batch.heads, sheet: importer.sheet }
  const keyOwners = await repeatedKeys(tx, ibId)
  const changed: RowResult[] = []
  const written = { new: 0, update: 0 }
  const progress = between(work, 1, 97)
  let [done, unfit] = [0, 0]
  for await (const stored of storedRows(
    tx,
    of,
    ['new', 'update', 'same', 'conflict', 'fault'],
    importer.rowsAtOnce ?? maxDataRows,
  )) {
    const lines = stored.map((row) => readLine(tx, importer, row, row.keys))
    const rows: CommitRow<never, unknown>[] = []
    let at = 0
    for await (const results of validateRows(tx, importer, target, lines, keyOwners)) {
      for (const one of results) {
        const { rowNo, verdict, row, found } = one
        if (verdict !== stored[at++]!.verdict) changed.push(one)
        if (verdict === 'fault' || verdict === 'conflict') unfit++
        if (verdict === 'new' || (verdict === 'update' && batch.newOnly !== yesNo.yes))
          rows.push({ rowNo, verdict, row: row as never, found })
      }
    }
    // once a row stands in the way the others are only checked, so that the preview tells all that do
    if (rows.length > 0 && (unfit === 0 || skipFaults)) {
      const undo = await importer.commit(tx, target, rows, ibId)
      await keepUndo(
        tx,
        ibId,
        rows.map(({ rowNo }, index) => ({ rowNo, undo: undo[index] })),
      )
      for (const { verdict } of rows) written[verdict]++
    }
    await progress((done += stored.length) / rowCount)
  }
  if (unfit > 0 && !skipFaults) throw new Unfit(unfit, changed)
  await audit(tx, {
    action: '确认导入',
    bizType: 'import',
    bizId: ibId,
    bizName: `${importer.sheet.title}：${batch.fileName}`,
    after: { ...written, skipped: unfit + batch.skipCount },
  })
  await endWork(tx, work, ibId, importStatus.importing, importStatus.imported)
  await dropFile(tx, ibId)
  if (changed.length > 0) await keepVerdicts(tx, importer, ibId, { changed })
}

async function keepVerdicts(
  tx: Context,
  importer: AnyImporter,
  ibId: string,
  { changed }: { changed: RowResult[] },
): Promise<void> {
  const batch = await selectBatch(visibleBatches(tx, importer.sheet.kind))
    .where('ibId', '=', ibId)
    .executeTakeFirstOrThrow()
  await updateRows(tx, { ibId, heads: batch.heads, sheet: importer.sheet }, changed)
  await recount(tx.db, tx.actor.schoolId, ibId)
}

/** Takes a committed import back, all of it or nothing; refused when its records have been used since. */
export async function undoBatch(ctx: Context, importer: AnyImporter, ibId: string, wait: number): Promise<ImportBatch> {
  const small = (await rowsOf(ctx, importer, ibId)) <= maxAtOnce.rows
  await inTransaction(ctx, async (tx) => {
    const batch = await claim(tx, importer, ibId, [importStatus.imported], importStatus.undoing)
    if (small) await takeBack(tx, importer, batch, immediateWork)
    else await startWork(tx, importer, ibId, { act: 'undo' })
  })
  return whenDone(ctx, importer, ibId, wait)
}

/** Takes an import back inside a transaction. */
export async function takeBack(tx: Context, importer: AnyImporter, batch: BatchRow, work: Work): Promise<void> {
  const { ibId, target, fileName, rowCount } = batch
  await because(tx, 'undo', ibId)
  const progress = between(work, 1, 95)
  let rows = 0
  for await (const some of undoOf(tx, ibId, importer.rowsAtOnce ?? maxDataRows)) {
    await importer.undo(tx, target, some, ibId)
    await progress(Math.min(1, (rows += some.length) / rowCount))
  }
  await passVersionsOn(tx, ibId)
  await audit(tx, {
    action: '撤销导入',
    bizType: 'import',
    bizId: ibId,
    bizName: `${importer.sheet.title}：${fileName}`,
    before: { rows },
  })
  await endWork(tx, work, ibId, importStatus.undoing, importStatus.undone)
}
