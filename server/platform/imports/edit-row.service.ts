import { importStatus } from '../../../contract/core/codes/platform.ts'
import { Failure, invalidInput } from '../../../contract/core/failure.ts'
import type { Context } from '../../core/request/context.ts'
import { plainText } from '../../core/sheets/cell-text.ts'
import type { CellMark } from '../../core/sheets/limits.ts'
import { inTransaction } from '../../core/request/transaction.ts'
import type { Header } from './headers.ts'
import type { AnyImporter } from './importer.ts'
import { expiredBefore, ownBatches, recount, selectBatch } from './imports.queries.ts'
import { asRow, readBatch } from './imports.service.ts'
import { rowsWithKeys, updateRows, duplicatesOf } from './import-rows.ts'
import { validateFew, keysOfText, type RowText } from './validate-rows.ts'

interface Place {
  ibId: string
  rowNo: number
}

/** Replaces the cells of one row and checks it again, with every row that repeats it or did so before. */
export const editRow = (
  ctx: Context,
  importer: AnyImporter,
  { cells, ...place }: Place & { cells: Record<string, string> },
) => change(ctx, importer, place, (headers, before) => newText(headers, cells, before))

/** Leaves one row out, or takes it in again; rows that repeated it are checked again. */
export const skipRow = (ctx: Context, importer: AnyImporter, { skip, ...place }: Place & { skip: boolean }) =>
  change(ctx, importer, place, (_, { rowNo, cells, marks }) => ({ rowNo, cells, marks }), skip)

/** Changes one row of a waiting import. */
async function change(
  ctx: Context,
  importer: AnyImporter,
  { ibId, rowNo }: Place,
  lineOf: (headers: readonly Header[], before: RowText) => RowText,
  skip = false,
) {
  const edited = await inTransaction(ctx, async (tx) => {
    const batch = await selectBatch(ownBatches(tx, importer.sheet.kind))
      .where('ibId', '=', ibId)
      .forUpdate()
      .executeTakeFirst()
    if (!batch || batch.createTime <= expiredBefore(tx.clock.now())) throw new Failure('not-found')
    if (batch.ibStatus !== importStatus.ready) throw new Failure('import-finished')
    const of = { ibId, heads: batch.heads, sheet: importer.sheet }

    const [before] = (await rowsWithKeys(tx, of, rowNo, [])).filter((row) => row.rowNo === rowNo)
    if (!before) throw new Failure('not-found')
    const line = lineOf(batch.heads, before)
    const touched = await rowsWithKeys(tx, of, rowNo, [...before.keys, ...(skip ? [] : keysOfText(tx, importer, line))])
    // a row that is left out has no keys, so that it repeats nothing
    const lines = touched
      .map((row): RowText => (row.rowNo === rowNo ? line : row))
      .filter((row) => !skip || row.rowNo !== rowNo)
    const among = new Set(lines.map((row) => row.rowNo))
    const duplicates = await duplicatesOf(
      tx,
      ibId,
      lines.flatMap((row) => keysOfText(tx, importer, row)),
    )
    const results = await validateFew(
      tx,
      importer,
      batch.target,
      lines,
      duplicates.filter((duplicate) => !among.has(duplicate.rowNo) && duplicate.rowNo !== rowNo),
    )
    if (skip)
      results.push({ rowNo, verdict: 'skip', keys: [], faults: [], hints: [], changes: [], row: {}, found: undefined })

    await updateRows(tx, of, results, [line])
    await recount(tx.db, tx.actor.schoolId, ibId)
    const { verdict, faults, hints, changes } = results.find((row) => row.rowNo === rowNo)!
    return asRow({ rowNo, cells: line.cells, verdict, faults, hints, changes })
  })
  return { row: edited, batch: await readBatch(ctx, importer, ibId) }
}

/**
 * The new texts. A formula's value counts as confirmed once its row was edited; other marks go when the cell changes.
 */
function newText(headers: readonly Header[], given: Record<string, string>, before: RowText): RowText {
  const unknown = Object.keys(given).filter((key) => !headers.some((header) => header.key === key))
  if (unknown.length > 0)
    throw invalidInput(
      unknown.slice(0, 10).map((key) => ({ field: `cells.${key.slice(0, 30)}`, msg: '文件中没有这一列' })),
    )
  const cells: Record<string, string> = {}
  const marks: Record<string, CellMark> = {}
  for (const { key } of headers) {
    const { text, mark } = plainText(given[key] ?? '', false)
    cells[key] = text
    const kept = text === before.cells[key] ? before.marks?.[key] : undefined
    const now = mark ?? (kept === 'formula' ? undefined : kept)
    if (now) marks[key] = now
  }
  return { rowNo: before.rowNo, cells, ...(Object.keys(marks).length > 0 ? { marks } : {}) }
}
