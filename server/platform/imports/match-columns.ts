import { createHash } from 'node:crypto'
import { Failure } from '../../../contract/core/failure.ts'
import { hintOf, type Sheet, type SheetColumn } from '../../../contract/core/sheets.ts'
import type { ColumnMatch, FileColumns } from '../../../contract/platform/imports/imports.schema.ts'
import { letters } from '../../core/sheets/cell-xml.ts'
import type { SheetContent, SheetLine } from '../../core/sheets/limits.ts'
import {
  bareHeader,
  candidates,
  columnOf,
  columnsByLabel,
  dataBelow,
  headersAt,
  isIgnored,
  likelyHeaders,
  missingOf,
  plainHeader,
  quoted,
  assertTemplate,
  type Header,
  type HeaderRow,
} from './headers.ts'

/** How a person said, for headers like these, which column means which field. */
export interface Match {
  headNo: number
  columns: readonly ColumnMatch[]
}

/** The lines above and at the top of the data that matching needs: enough for headers and samples, cells shortened. */
export const topOf = ({ lines }: SheetContent): SheetLine[] =>
  lines.slice(0, 20).map(({ no, cells }) => ({ no, cells: cells.map((cell) => cell.slice(0, 60)) }))

/**
 * The columns and the data of a file whose headers are not those of the template, as a person matched them.
 * @throws Failure where the match does not fit the file, names a field twice or leaves a required one out
 */
export function matchedColumns(
  sheet: Sheet,
  content: SheetContent,
  { headNo: headerNo, columns }: Match,
): { heads: Header[]; data: SheetLine[] } {
  assertTemplate(sheet, content)
  const row = headersAt(sheet, content.lines, headerNo)
  const headers = columns.flatMap(({ at, key }) =>
    sheet.columns.filter((column) => column.key === key).map(({ label }) => ({ at, key, label })),
  )
  const distinct = (of: (header: Header) => unknown) => new Set(headers.map(of)).size === headers.length
  if (!row || headers.length !== columns.length || !distinct(({ at }) => at) || !distinct(({ key }) => key))
    throw new Failure('bad-request')
  const missing = missingOf(sheet, headers)
  if (missing.length > 0) throw new Failure('import-columns-missing', { what: quoted(missing) })
  return { heads: headers.toSorted((a, b) => a.at - b.at), data: dataBelow(content, row) }
}

/**
 * By what headers are known again, however they are spaced: the same for files that one program exports again and
 * again.
 */
export const headerKey = ({ cells }: Pick<HeaderRow, 'cells'>): string =>
  createHash('sha256').update(cells.map(plainHeader).join('\n').trimEnd()).digest('base64url').slice(0, 32)

/** The rows that may be headers, and the keys by which a match for them would be known. */
export const headerKeys = (sheet: Sheet, lines: readonly SheetLine[]): { no: number; key: string }[] =>
  candidates(lines).flatMap((at) => {
    const row = headersAt(sheet, lines, lines[at]!.no)
    return row && row.cells.some((cell) => cell.trim() !== '') ? [{ no: row.no, key: headerKey(row) }] : []
  })

/** The columns of a file as they stand, each with the field it seems to mean or was matched with. */
export function fileColumnsOf(
  sheet: Sheet,
  top: readonly SheetLine[],
  headerNo: number | undefined,
  matched?: readonly ColumnMatch[],
): FileColumns {
  const row = (headerNo && headersAt(sheet, top, headerNo)) || likelyHeaders(sheet, top)
  const below = top.filter((line) => line.no > row.no)
  const width = Math.max(row.cells.length, ...below.map((line) => line.cells.length))
  const means = matched ? new Map(matched.map(({ at, key }) => [at, key])) : suggested(sheet, row.cells)
  const columns = Array.from({ length: width }, (_, at) => ({
    at,
    letter: letters(at),
    head: (row.cells[at] ?? '').trim(),
    samples: [...new Set(below.map((line) => (line.cells[at] ?? '').trim()).filter(Boolean))].slice(0, 3),
    key: means.get(at) ?? '',
  }))
  return {
    headNo: row.no,
    headNos: candidates(top).map((at) => top[at]!.no),
    columns: columns.filter(({ head: header, samples }) => header !== '' || samples.length > 0),
    fields: sheet.columns.map((column) => ({
      key: column.key,
      label: column.label,
      required: column.required === true,
      hint: hintOf(column),
    })),
  }
}

/** The fields that headers seem to mean: by name first, then the nearest words, every field once. */
function suggested(sheet: Sheet, cells: readonly string[]): Map<number, string> {
  const columns = columnsByLabel(sheet)
  const scored = [...cells.entries()].flatMap(([at, cell]) => {
    if (isIgnored(cell)) return []
    const known = columnOf(cell, columns)
    return sheet.columns
      .map((column) => ({ at, key: column.key, score: column === known ? 2 : likeness(cell, column) }))
      .filter(({ score }) => score >= 0.6)
  })
  const found = new Map<number, string>()
  for (const { at, key } of scored.toSorted((a, b) => b.score - a.score))
    if (!found.has(at) && ![...found.values()].includes(key)) found.set(at, key)
  return found
}

/**
 * How near a header comes to the words of a column, 0 to 1: one holding the other counts most, then the characters both
 * have.
 */
function likeness(cell: string, { label, aliases = [] }: SheetColumn): number {
  const header = bareHeader(cell)
  return Math.max(
    ...[label, ...aliases].map((word) => {
      const other = bareHeader(word)
      if (header.includes(other) || other.includes(header))
        return 0.6 + 0.4 * (Math.min(header.length, other.length) / Math.max(header.length, other.length))
      const shared = new Set([...header].filter((character) => other.includes(character))).size
      return (2 * shared) / (new Set(header).size + new Set(other).size)
    }),
  )
}
