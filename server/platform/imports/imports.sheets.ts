import { Failure } from '../../../contract/core/failure.ts'
import { xlsxType, type FileAnswer } from '../../../contract/core/file.ts'
import type { SheetColumn } from '../../../contract/core/sheets.ts'
import type { ImportTarget } from '../../../contract/platform/imports/imports.schema.ts'
import type { Context } from '../../core/request/context.ts'
import { maxDataRows } from '../../core/sheets/limits.ts'
import type { SheetRecord } from '../../core/sheets/sheet-xml.ts'
import { writeXlsx } from '../../core/sheets/write-xlsx.ts'
import type { AnyImporter } from './importer.ts'
import { expiredBefore, ownBatches, selectBatch, type BatchRow } from './imports.queries.ts'
import { storedRows } from './import-rows.ts'

/** The empty workbook to fill in: headers, hints, drop-downs, and the hidden mark by which it is known again. */
export async function templateFile(ctx: Context, importer: AnyImporter, target: ImportTarget): Promise<FileAnswer> {
  const { sheet } = importer
  const body = writeXlsx({
    sheets: [
      {
        name: sheet.title,
        columns: sheet.columns,
        rows: [],
        hints: true,
        openRows: maxDataRows,
        choices: await wordsOf(ctx, importer, target),
      },
    ],
    template: sheet,
  })
  return { name: `${sheet.title}导入模板.xlsx`, type: xlsxType, body }
}

async function wordsOf(
  ctx: Context,
  importer: AnyImporter,
  target: ImportTarget,
): Promise<Record<string, readonly string[]>> {
  // without its target a template is still useful, only its drop-downs are shorter
  if (!importer.choices || (importer.needs ?? []).some((field) => !target[field])) return {}
  const words = await importer.choices(ctx, target)
  return Object.fromEntries(Object.entries(words).filter((entry) => entry[1] !== undefined)) as Record<
    string,
    readonly string[]
  >
}

const rowNoColumn: SheetColumn = { key: '行号', label: '行号', kind: 'integer', width: 8 }
const reasonColumn: SheetColumn = { key: '错误原因', label: '错误原因', max: 2000, width: 60 }

/**
 * The rows that were not or would not be imported, as they were uploaded, with all their faults; to be corrected and
 * uploaded again.
 * @throws Failure `not-found` for anybody else's, unknown or expired numbers alike
 */
export async function errorFile(ctx: Context, importer: AnyImporter, errorId: string): Promise<FileAnswer> {
  const batch = await selectBatch(ownBatches(ctx, importer.sheet.kind))
    .where('errorId', '=', errorId)
    .where('createTime', '>', expiredBefore(ctx.clock.now()))
    .executeTakeFirst()
  if (!batch || batch.faultCount + batch.conflictCount === 0) throw new Failure('not-found')
  const { sheet } = importer
  const columns = batch.heads
    .map(({ key }) => sheet.columns.find((column) => column.key === key))
    .filter((column) => column !== undefined)
  const choices = await wordsOf(ctx, importer, batch.target)
  const body = writeXlsx({
    sheets: [
      {
        name: sheet.title,
        columns: [rowNoColumn, ...columns, reasonColumn],
        rows: faultyRows(ctx, importer, batch),
        openRows: 200,
        choices,
      },
    ],
    template: sheet,
    maker: { name: ctx.actor.suNickname, time: ctx.clock.now() },
  })
  return { name: `${sheet.title}错误明细.xlsx`, type: xlsxType, body }
}

async function* faultyRows(
  ctx: Context,
  { sheet }: AnyImporter,
  { ibId, heads: headers }: BatchRow,
): AsyncGenerator<SheetRecord[]> {
  for await (const rows of storedRows(ctx, { ibId, heads: headers, sheet }, ['fault', 'conflict'])) {
    yield rows.map(({ rowNo, cells, faults }) => {
      const record: SheetRecord = { ...cells, 行号: rowNo, 错误原因: faults.map((fault) => fault.msg).join('；') }
      for (const { key } of faults) if (key) record[key] = { text: cells[key] ?? '', marked: true }
      return record
    })
  }
}
