import { headerOf, hintOf, type SheetColumn } from '../../../contract/core/sheets.ts'
import { cellXml, letters, styledCell, xmlText, type CellValue } from './cell-xml.ts'
import { styleOf } from './styles.ts'

/** One row to write, by column key. */
export type SheetRecord = Record<string, CellValue>

export interface SheetSpec {
  name: string
  columns: readonly SheetColumn[]
  /** Rows in batches (about 200 at a time), so that a row costs no turn of the event loop. */
  rows: AsyncIterable<readonly SheetRecord[]> | Iterable<readonly SheetRecord[]>
  /** A second row that says what belongs in each column. */
  hints?: boolean
  /** Words of the drop-downs by column key: those of the description, and those that depend on the school. */
  choices?: Readonly<Record<string, readonly string[]>>
  /** How many empty rows below the last one the drop-downs cover; templates want many, exports none. */
  openRows?: number
}

/** Where the words of a drop-down stand: `'_template'!$B$2:$B$9`. */
type ListRange = (columnKey: string) => string | undefined

const maxRows = 1_048_576
const widths: Record<string, number> = { text: 16, choice: 14, date: 13, moment: 21, integer: 10, amount: 10 }

/**
 * What tells who made the sheet: the foot of every printed page, and a picture behind the cells, the sheet's first
 * relation.
 */
interface SheetMarks {
  footer: string
  hasPicture: boolean
}

/** What became of a sheet once it was written. */
export interface Written {
  rows: number
}

/** The XML of one sheet, piece by piece. `written.rows` counts the data rows and is final when the iteration ends. */
export async function* sheetXml(
  spec: SheetSpec,
  listOf: ListRange,
  { footer, hasPicture }: SheetMarks,
  written: Written,
): AsyncGenerator<string> {
  const { columns } = spec
  const names = columns.map((_, at) => letters(at))
  const last = names.at(-1)!
  yield sheetHeader(spec)
  yield row(
    1,
    columns.map((column, at) => styledCell(`${names[at]}1`, column.required ? 'required' : 'head', headerOf(column))),
    ' ht="22" customHeight="1"',
  )
  let no = 1
  if (spec.hints)
    yield row(
      ++no,
      columns.map((column, at) => styledCell(`${names[at]}2`, 'hint', hintOf(column))),
      ' ht="44" customHeight="1"',
    )
  const first = no + 1
  for await (const batch of spec.rows) {
    let piece = ''
    for (const record of batch) {
      if (++no > maxRows) throw new RangeError('more rows than a sheet holds')
      let cells = ''
      for (let at = 0; at < columns.length; at++) {
        const column = columns[at]!
        cells += cellXml(`${names[at]}${no}`, column.kind ?? 'text', record[column.key])
      }
      piece += `<row r="${no}">${cells}</row>`
    }
    written.rows = no - first + 1
    if (piece) yield piece
  }
  // a filter over a hint row would sort it among the data
  yield spec.hints ? '</sheetData>' : `</sheetData><autoFilter ref="A1:${last}${no}"/>`
  yield validations(spec, names, first, Math.min(no + (spec.openRows ?? 0), maxRows), listOf)
  yield '<pageMargins left="0.4" right="0.4" top="0.5" bottom="0.6" header="0.3" footer="0.3"/><pageSetup paperSize="9" orientation="landscape" fitToWidth="1" fitToHeight="0"/>'
  yield `<headerFooter><oddFooter>${xmlText(`&L&9${footer.replace(/&/g, '&&').slice(0, 150)}&R&9第 &P 页，共 &N 页`)}</oddFooter></headerFooter>${hasPicture ? '<picture r:id="rId1"/>' : ''}</worksheet>`
}

const row = (no: number, cells: string[], attributes = '') => `<row r="${no}"${attributes}>${cells.join('')}</row>`

function sheetHeader({ columns, hints }: SheetSpec): string {
  const cols = columns.map((column, at) => {
    const kind = column.kind ?? 'text'
    return `<col min="${at + 1}" max="${at + 1}" width="${column.width ?? Math.max(widths[kind]!, column.label.length * 2 + 4)}" style="${styleOf(kind)}" customWidth="1"/>`
  })
  const frozen = hints ? 2 : 1
  return (
    '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships">' +
    '<sheetPr><pageSetUpPr fitToPage="1"/></sheetPr><sheetViews><sheetView workbookViewId="0">' +
    `<pane ySplit="${frozen}" topLeftCell="A${frozen + 1}" activePane="bottomLeft" state="frozen"/><selection pane="bottomLeft" activeCell="A${frozen + 1}" sqref="A${frozen + 1}"/>` +
    `</sheetView></sheetViews><sheetFormatPr defaultRowHeight="16"/><cols>${cols.join('')}</cols><sheetData>`
  )
}

function validations({ columns }: SheetSpec, names: string[], first: number, last: number, listOf: ListRange): string {
  if (last < first) return ''
  const rules = columns.flatMap((column, at) => {
    const range = listOf(column.key)
    if (!range) return []
    const strict =
      column.kind === 'choice' ? ' showErrorMessage="1" errorTitle="请从列表中选择" error="所填内容不在可选范围内"' : ''
    return [
      `<dataValidation type="list" allowBlank="1"${strict} sqref="${names[at]}${first}:${names[at]}${last}"><formula1>${xmlText(range)}</formula1></dataValidation>`,
    ]
  })
  return rules.length ? `<dataValidations count="${rules.length}">${rules.join('')}</dataValidations>` : ''
}
