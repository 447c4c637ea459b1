import { numberText, plainText, type ReadText } from './cell-text.ts'
import type { Archive } from './archive.ts'
import { maxHeaderRows, SheetRefused, type CellMark, type Emit, type SheetLimits } from './limits.ts'
import type { Workbook } from './read-workbook.ts'

interface OpenCell {
  column: number
  type: string
  style: number
  formula: boolean
  text: string
}

interface OpenRow {
  no: number
  nextColumn: number
  cells: string[]
  marks: Record<number, CellMark>
  isHidden: boolean
}

/**
 * Reads one sheet row by row. Only rows with content are emitted, whatever the sheet claims its size to be; rows and
 * columns beyond the limits, and more text than the limits, are refused before anything is kept of them.
 * @returns the merged ranges
 */
export async function readCells(
  archive: Archive,
  path: string,
  book: Workbook,
  limits: SheetLimits,
  emit: Emit,
): Promise<string[]> {
  const merges: string[] = []
  let row: OpenRow | undefined
  let cell: OpenCell | undefined
  let lastRow = 0
  let rows = 0
  let textLeft = limits.text
  let collecting = false
  let phonetic = 0

  const closeCell = ({ column, ...read }: OpenCell, { cells, marks }: OpenRow) => {
    const { text, mark } = cellText(read, book)
    if (text === '' && !mark) return
    if (column >= limits.columns) throw new SheetRefused('sheet-too-many-columns', { n: limits.columns })
    textLeft -= text.length
    if (textLeft < 0) throw new SheetRefused('sheet-too-large')
    while (cells.length < column) cells.push('')
    cells[column] = text
    if (mark) marks[column] = mark
  }
  const closeRow = ({ no, cells, marks, isHidden }: OpenRow) => {
    if (!cells.some((text) => text.trim() !== '') && Object.keys(marks).length === 0) return
    if (++rows > limits.rows) throw new SheetRefused('sheet-too-many-rows', { n: limits.rows - maxHeaderRows })
    emit({ no, cells, ...(Object.keys(marks).length > 0 && { marks }), ...(isHidden && { hidden: true as const }) })
  }

  await archive.parse(path, {
    open(name, attributes) {
      if (name === 'c' && row) {
        const column = attributes.r ? columnOf(attributes.r) : row.nextColumn
        row.nextColumn = column + 1
        cell = { column, type: attributes.t ?? 'n', style: Number(attributes.s ?? 0), formula: false, text: '' }
      } else if (name === 'v' || name === 't') collecting = cell !== undefined && phonetic === 0
      else if (name === 'row') {
        lastRow = attributes.r ? Number(attributes.r) : lastRow + 1
        if (!Number.isInteger(lastRow) || lastRow < 1 || lastRow > 1_048_576)
          throw new SheetRefused('file-broken', { what: '工作簿' })
        const isHidden = attributes.hidden === '1' || attributes.hidden === 'true'
        row = { no: lastRow, nextColumn: 0, cells: [], marks: {}, isHidden }
      } else if (name === 'f' && cell) cell.formula = true
      else if (name === 'rPh') phonetic++
      else if (name === 'mergeCell' && merges.length < 1000) merges.push((attributes.ref ?? '').slice(0, 30))
    },
    text(piece) {
      if (collecting && cell) cell.text += piece
    },
    close(name) {
      if (name === 'v' || name === 't') collecting = false
      else if (name === 'c' && cell && row) {
        closeCell(cell, row)
        cell = undefined
      } else if (name === 'row' && row) {
        closeRow(row)
        row = undefined
      } else if (name === 'rPh') phonetic--
    },
  })
  return merges
}

/** `AB12` -> 27. */
function columnOf(ref: string): number {
  let column = 0
  let at = 0
  for (; at < ref.length && at < 4; at++) {
    const letter = ref.charCodeAt(at) & ~0x20
    if (letter < 65 || letter > 90) break
    column = column * 26 + letter - 64
  }
  if (at === 0 || column > 16_384) throw new SheetRefused('file-broken', { what: '工作簿' })
  return column - 1
}

function cellText({ type, style, formula, text }: Omit<OpenCell, 'column'>, book: Workbook): ReadText {
  const read = valueText(type, style, text, book)
  return formula ? { text: read.text, mark: 'formula' } : read
}

function valueText(
  type: string,
  style: number,
  text: string,
  { strings, looks: formats, date1904 }: Workbook,
): ReadText {
  switch (type) {
    case 's': {
      if (text === '') return { text: '' }
      const shared = strings[Number(text)]
      if (!shared) throw new SheetRefused('file-broken', { what: '工作簿' })
      return shared
    }
    case 'inlineStr':
    case 'str':
      return plainText(text, true)
    case 'b':
      return { text: text.trim() === '1' ? '是' : text.trim() === '0' ? '否' : text }
    case 'e':
      return { text: text.slice(0, 100), mark: 'error' }
    case 'd':
      return {
        text: text
          .trim()
          .replace('T', ' ')
          .replace(/(\.\d+)?Z?$/, '')
          .replace(/ 00:00:00$/, ''),
      }
    default:
      return text === '' ? { text } : numberText(text, formats[style] ?? 'number', date1904)
  }
}
