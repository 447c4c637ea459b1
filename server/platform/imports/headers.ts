import { Failure } from '../../../contract/core/failure.ts'
import { isHint, type Sheet, type SheetColumn } from '../../../contract/core/sheets.ts'
import { maxHeaderRows, type SheetContent, type SheetLine } from '../../core/sheets/limits.ts'

/** A column of a file that is imported: which one it is there, and what it means. */
export interface Header {
  at: number
  key: string
  label: string
}

/** The row of a file that holds the headers; where they take two rows, both as one. */
export interface HeaderRow {
  /** The row's number in the file; of two the lower one's. */
  no: number
  cells: string[]
}

/** Columns of our own error workbook, and counters that people add; they mean nothing on import. */
const ignored = new Set(['行号', '错误原因', '序号'])

/**
 * Finds the headers in the first rows of a file and the data below them. Titles above the headers, headers in two rows
 * (group titles over column titles) and the hint row are passed over.
 * @throws Failure naming every column that is missing, unknown or told twice; or the merged cells among the data
 */
export function findHeaders(sheet: Sheet, content: SheetContent): { heads: Header[]; data: SheetLine[] } {
  assertTemplate(sheet, content)
  const row = likelyHeaders(sheet, content.lines)
  return { heads: namedHeaders(sheet, row.cells), data: dataBelow(content, row) }
}

/** A template of another kind or version is refused as a whole. */
export function assertTemplate({ kind, version }: Sheet, { template }: SheetContent): void {
  if (template && (template.kind !== kind || template.version !== version)) throw new Failure('sheet-template-wrong')
}

/** The row that names most columns of the sheet; of equal ones the upper one. */
export function likelyHeaders(sheet: Sheet, lines: readonly SheetLine[]): HeaderRow {
  const columns = columnsByLabel(sheet)
  let best = { no: lines[0]?.no ?? 1, cells: lines[0]?.cells ?? [], score: -1 }
  for (const at of candidates(lines)) {
    for (const row of [
      { no: lines[at]!.no, cells: lines[at]!.cells },
      ...(lines[at + 1] ? [twoLevels(lines[at]!, lines[at + 1]!, columns)] : []),
    ]) {
      // titles have one filled cell, headers several: that decides where no row names any column
      const score = row.cells.filter((cell) => columnOf(cell, columns)).length + (filled(row.cells) > 1 ? 0.5 : 0)
      if (score > best.score) best = { ...row, score }
    }
  }
  return { no: best.no, cells: best.cells }
}

/** The row of that number as headers; cells merged downwards are filled from the row above. */
export function headersAt(sheet: Sheet, lines: readonly SheetLine[], no: number): HeaderRow | undefined {
  const at = lines.findIndex((line) => line.no === no)
  const above =
    at > 0 && filled(lines[at - 1]!.cells) > 1 && lines[at]!.cells.some((cell) => cell.trim() === '')
      ? lines[at - 1]
      : undefined
  if (at < 0 || at >= maxHeaderRows) return undefined
  return above ? twoLevels(above, lines[at]!, columnsByLabel(sheet)) : { no, cells: lines[at]!.cells }
}

/** Rows that may hold the headers, by their place. */
export const candidates = (lines: readonly SheetLine[]): number[] =>
  Array.from({ length: Math.min(lines.length, maxHeaderRows - 2) }, (_, at) => at)
const filled = (cells: readonly string[]) => cells.filter((cell) => cell.trim() !== '').length

/**
 * The rows of data below the headers; a hint row is passed over.
 * @throws Failure where there are none, or where cells among them are merged
 */
export function dataBelow({ lines, merges }: SheetContent, { no, cells }: HeaderRow): SheetLine[] {
  let from = lines.findIndex((line) => line.no > no)
  while (from >= 0 && from < lines.length && isHintRow(lines[from]!)) from++
  const data = from < 0 ? [] : lines.slice(from)
  if (data.length === 0) throw new Failure('sheet-empty')
  assertNoMerges(merges, data)
  return data.map((line) => withSurplus(line, cells))
}

/**
 * Cells under no header are not read, and are told: they may come from a comma within a value that moved the others.
 */
function withSurplus(line: SheetLine, headers: readonly string[]): SheetLine {
  const surplus = line.cells.filter((cell, at) => cell.trim() !== '' && plainHeader(headers[at] ?? '') === '')
  return surplus.length > 0 ? { ...line, surplus } : line
}

const isHintRow = ({ cells }: SheetLine) => cells.every((cell) => cell.trim() === '' || isHint(cell.trim()))

/** A header as people vary it: stars, blanks, full-width characters and an explanation in brackets do not count. */
export const plainHeader = (label: string): string =>
  label
    .normalize('NFKC')
    .replace(/[\s*:：]/g, '')
    .toLowerCase()
export const bareHeader = (label: string): string => plainHeader(label).replace(/\(.*\)$/, '')
/** Whether a column is one of ours that means nothing, or has no header at all. */
export const isIgnored = (header: string): boolean => plainHeader(header) === '' || ignored.has(plainHeader(header))

export function columnsByLabel({ columns }: Sheet): Map<string, SheetColumn> {
  const byLabel = new Map<string, SheetColumn>()
  for (const column of columns)
    for (const label of [column.label, ...(column.aliases ?? [])]) byLabel.set(plainHeader(label), column)
  return byLabel
}

export const columnOf = (cell: string, columns: Map<string, SheetColumn>): SheetColumn | undefined =>
  columns.get(plainHeader(cell)) ?? columns.get(bareHeader(cell))

/** Headers of two rows as one: the lower word where there is one, else the upper one (a cell merged downwards). */
function twoLevels(upper: SheetLine, lower: SheetLine, columns: Map<string, SheetColumn>): HeaderRow {
  const width = Math.max(upper.cells.length, lower.cells.length)
  const cells = Array.from({ length: width }, (_, at) => {
    const below = lower.cells[at] ?? ''
    return columnOf(below, columns) || below.trim() !== '' ? below : (upper.cells[at] ?? '')
  })
  return { no: lower.no, cells }
}

function namedHeaders(sheet: Sheet, cells: readonly string[]): Header[] {
  const columns = columnsByLabel(sheet)
  const headers: Header[] = []
  const unknown: string[] = []
  const twice: string[] = []
  for (const [at, cell] of cells.entries()) {
    if (isIgnored(cell)) continue
    const column = columnOf(cell, columns)
    if (!column) unknown.push(cell.trim().slice(0, 20))
    else if (headers.some((header) => header.key === column.key)) twice.push(column.label)
    else headers.push({ at, key: column.key, label: column.label })
  }
  const said = [
    sentence('缺少', missingOf(sheet, headers)),
    sentence('无法识别', unknown),
    sentence('重复', twice),
  ].filter(Boolean)
  if (said.length > 0) throw new Failure('sheet-heads-wrong', { what: said.join('；') })
  return headers
}

/** The labels of required columns that are not among the headers. */
export const missingOf = ({ columns }: Sheet, headers: readonly Pick<Header, 'key'>[]): string[] =>
  columns
    .filter((column) => column.required && !headers.some((header) => header.key === column.key))
    .map((column) => column.label)

const sentence = (what: string, labels: string[]) => (labels.length ? `${what}${quoted(labels)}` : '')
/** `“学号”、“姓名”`, at most ten of them. */
export const quoted = (labels: readonly string[]): string =>
  `${labels
    .slice(0, 10)
    .map((label) => `“${label}”`)
    .join('、')}${labels.length > 10 ? `等 ${labels.length} 列` : ''}`

/** Values of merged cells cannot be told apart from empty ones, so merges among the data are refused. */
function assertNoMerges(merges: readonly string[], data: readonly SheetLine[]): void {
  const first = data[0]!.no
  const last = data.at(-1)!.no
  for (const range of merges) {
    const [from = 0, to = from] = [...range.matchAll(/\d+/g)].map(Number)
    if (to >= first && from <= last) throw new Failure('sheet-merged', { range })
  }
}

const totals = /^(合\s*计|总\s*计|小\s*计|共\s*计|总数)\s*[:：]?$/

/**
 * Why a row is no record although it has content: the headers once more, as where sheets were put together, or the
 * totals below a table. One sentence instead of a fault of each cell.
 */
export function noRecordOf(sheet: Sheet, texts: Readonly<Record<string, string>>): string | undefined {
  const columns = columnsByLabel(sheet)
  const filledIn = Object.entries(texts).filter(([, text]) => text.trim() !== '')
  if (filledIn.length > 1 && filledIn.every(([key, text]) => columnOf(text, columns)?.key === key))
    return '这一行是重复的表头，不会导入，请跳过'
  const isIncomplete = sheet.columns.some(({ key, required }) => required && !texts[key]?.trim())
  return isIncomplete && filledIn.some(([, text]) => totals.test(text.trim()))
    ? '这一行是合计，不是记录，不会导入，请跳过'
    : undefined
}
