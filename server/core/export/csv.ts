import { Readable } from 'node:stream'
import { stringify } from 'csv-stringify/sync'
import { fromHundredths } from '../../../contract/core/fields.ts'
import type { CellKind } from '../../../contract/core/sheets.ts'
import type { CellValue } from '../sheets/cell-xml.ts'
import type { ExportColumn } from './columns.ts'

/**
 * A list as comma-separated text in UTF-8 with its mark, streamed batch by batch: for programs that read no workbooks.
 * A text that a spreadsheet program would take for a formula gets an apostrophe before it.
 */
export function writeCsv<R>(columns: readonly ExportColumn<R>[], batches: AsyncIterable<readonly R[]>): Readable {
  return Readable.from(piecesOf(columns, batches), { objectMode: false, highWaterMark: 65_536 })
}

async function* piecesOf<R>(columns: readonly ExportColumn<R>[], batches: AsyncIterable<readonly R[]>) {
  yield linesOf([columns.map(({ label }) => label)], true)
  for await (const rows of batches)
    if (rows.length > 0)
      yield linesOf(rows.map((row) => columns.map(({ kind = 'text', valueOf }) => cellOf(kind, valueOf(row)))))
}

/**
 * RFC 4180 wants lines to end so, and spreadsheet programs on Windows do. A cell of several lines is quoted: by itself
 * the library looks for the whole end of a line alone, and texts that people write have half of it.
 */
const linesOf = (rows: unknown[][], isFirst = false): Buffer =>
  Buffer.from(
    stringify(rows, { bom: isFirst, record_delimiter: 'windows', escape_formulas: true, quoted_match: /[\r\n]/ }),
  )

/** Numbers stay numbers: a negative one is no formula. */
function cellOf(kind: CellKind, value: CellValue): string | number {
  if (value === null || value === undefined) return ''
  if (typeof value === 'object') return value.text
  return typeof value === 'number' && kind === 'amount' ? Number(fromHundredths(value)) : value
}
