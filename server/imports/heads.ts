import { Failure } from '../../contract/core/failure.ts'
import { isHint, type Sheet, type SheetColumn } from '../../contract/core/sheets.ts'
import { headRowsMax, type SheetContent, type SheetLine } from '../core/sheets/limits.ts'

/** A column of a file that is imported: which one it is there, and what it means. */
export interface Head {
  at: number
  key: string
  label: string
}

/** Columns of our own error workbook, and counters that people add; they mean nothing on import. */
const ignored = new Set(['行号', '错误原因', '序号'])

/**
 * Finds the heads in the first rows of a file and the data below them. Titles above the heads, heads in two rows (group
 * titles over column titles) and the hint row are passed over.
 * @throws Failure naming every column that is missing, unknown or told twice; or the merged cells among the data
 */
export function findHeads(sheet: Sheet, { lines, merges, template }: SheetContent): { heads: Head[]; data: SheetLine[] } {
  if (template && (template.kind !== sheet.kind || template.version !== sheet.version)) throw new Failure('sheet-template-wrong')
  const columns = columnsByLabel(sheet)
  const known = (cells: string[]) => cells.filter((cell) => columnOf(cell, columns)).length
  let best = { cells: lines[0]?.cells ?? [], data: 1, score: -1 }
  for (let at = 0; at < Math.min(lines.length, headRowsMax - 2); at++) {
    for (const height of [1, 2]) {
      const cells = height === 1 ? lines[at]!.cells : twoLevels(lines[at]!, lines[at + 1], columns)
      const score = known(cells)
      if (score > best.score) best = { cells, data: at + height, score }
    }
  }
  const heads = namedHeads(sheet, best.cells, columns)
  let from = best.data
  while (from < lines.length && isHintRow(lines[from]!)) from++
  const data = lines.slice(from)
  if (data.length === 0) throw new Failure('sheet-empty')
  refuseMerges(merges, data)
  return { heads, data }
}

const isHintRow = ({ cells }: SheetLine) => cells.every((cell) => cell.trim() === '' || isHint(cell.trim()))

/** A head as people vary it: stars, blanks, full-width signs and an explanation in brackets do not count. */
const plain = (label: string) => label.normalize('NFKC').replace(/[\s*:：]/g, '').toLowerCase()
const bare = (label: string) => plain(label).replace(/\(.*\)$/, '')

function columnsByLabel({ columns }: Sheet): Map<string, SheetColumn> {
  const byLabel = new Map<string, SheetColumn>()
  for (const column of columns) for (const label of [column.label, ...(column.aliases ?? [])]) byLabel.set(plain(label), column)
  return byLabel
}

const columnOf = (cell: string, columns: Map<string, SheetColumn>) => columns.get(plain(cell)) ?? columns.get(bare(cell))

/** Heads of two rows as one: the lower word where it is a column's, else the upper one (a cell merged downwards). */
function twoLevels(upper: SheetLine, lower: SheetLine | undefined, columns: Map<string, SheetColumn>): string[] {
  if (!lower) return upper.cells
  const width = Math.max(upper.cells.length, lower.cells.length)
  return Array.from({ length: width }, (_, at) => {
    const below = lower.cells[at] ?? ''
    return columnOf(below, columns) || below.trim() !== '' ? below : (upper.cells[at] ?? '')
  })
}

function namedHeads(sheet: Sheet, cells: string[], columns: Map<string, SheetColumn>): Head[] {
  const heads: Head[] = []
  const unknown: string[] = []
  const twice: string[] = []
  for (const [at, cell] of cells.entries()) {
    const label = plain(cell)
    if (label === '' || ignored.has(label)) continue
    const column = columnOf(cell, columns)
    if (!column) unknown.push(cell.trim().slice(0, 20))
    else if (heads.some((head) => head.key === column.key)) twice.push(column.label)
    else heads.push({ at, key: column.key, label: column.label })
  }
  const missing = sheet.columns.filter((column) => column.required && !heads.some((head) => head.key === column.key)).map((column) => column.label)
  const said = [told('缺少', missing), told('无法识别', unknown), told('重复', twice)].filter(Boolean)
  if (said.length > 0) throw new Failure('sheet-heads-wrong', { what: said.join('；') })
  return heads
}

const told = (what: string, labels: string[]) => (labels.length ? `${what}${labels.slice(0, 10).map((label) => `“${label}”`).join('、')}${labels.length > 10 ? `等 ${labels.length} 列` : ''}` : '')

/** Values of merged cells cannot be told apart from empty ones, so merges among the data are refused. */
function refuseMerges(merges: string[], data: SheetLine[]): void {
  const first = data[0]!.no
  const last = data.at(-1)!.no
  for (const range of merges) {
    const [from = 0, to = from] = [...range.matchAll(/\d+/g)].map(Number)
    if (to >= first && from <= last) throw new Failure('sheet-merged', { range })
  }
}
