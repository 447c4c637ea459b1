import type { CellKind } from '../../../contract/core/sheets.ts'
import { fromHundredths, unstorableCharacters } from '../../../contract/core/fields.ts'
import { styleOf } from './styles.ts'

/** A cell to write that is marked as faulty (red). */
interface MarkedCell {
  text: string
  marked: true
}

/** Null, undefined and '' leave the cell empty. Amounts are whole hundredths; dates and moments wall-clock text. */
export type CellValue = string | number | null | undefined | MarkedCell

/** The most characters one cell of the format holds. */
export const maxCellText = 32_767

/** Column 0 -> `A`, 26 -> `AA`. */
export const letters = (column: number): string =>
  (column < 26 ? '' : letters(Math.floor(column / 26) - 1)) + String.fromCharCode(65 + (column % 26))

/**
 * The XML of one cell; what does not fit the column's kind is written as the text it is, and a text never becomes a
 * formula.
 */
export function cellXml(ref: string, kind: CellKind, value: CellValue): string {
  if (value === null || value === undefined || value === '') return ''
  if (typeof value === 'object') return textCell(ref, value.text, true)
  if (kind === 'integer' || kind === 'amount') {
    if (typeof value === 'number' && Number.isFinite(value))
      return numberCell(ref, kind, kind === 'amount' ? fromHundredths(value) : String(value))
  } else if (kind === 'date' || kind === 'moment') {
    const serial = serialOf(String(value))
    if (serial !== null) return numberCell(ref, kind, String(serial))
  }
  return textCell(ref, String(value), false)
}

const numberCell = (ref: string, kind: CellKind, value: string) =>
  `<c r="${ref}" s="${styleOf(kind)}"><v>${value}</v></c>`

function textCell(ref: string, text: string, marked: boolean): string {
  const style = styleOf(marked ? 'marked' : /^[=+\-@\t\r]/.test(text) ? 'quoted' : 'text')
  return `<c r="${ref}" s="${style}" t="inlineStr"><is><t xml:space="preserve">${xmlText(text.slice(0, maxCellText))}</t></is></c>`
}

/** A cell of the given style, as headers and hints use. */
export const styledCell = (ref: string, style: Parameters<typeof styleOf>[0], text: string): string =>
  `<c r="${ref}" s="${styleOf(style)}" t="inlineStr"><is><t xml:space="preserve">${xmlText(text)}</t></is></c>`

const special = /[&<>"\r]|_(?=x[0-9A-Fa-f]{4}_)/
const specials = /[&<>"\r]|_(?=x[0-9A-Fa-f]{4}_)/g
const written: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\r': '_x000D_',
  _: '_x005F_',
}
const everyUnwritable = new RegExp(unstorableCharacters, 'g')

/**
 * Text for an element or attribute; carriage returns and what looks like the format's own escapes are escaped its way.
 */
export function xmlText(text: string): string {
  const clean = text.replace(everyUnwritable, '')
  return special.test(clean) ? clean.replace(specials, (sign) => written[sign]!) : clean
}

const dayZero = Date.UTC(1899, 11, 30)

/**
 * `yyyy-MM-dd`, with or without a time -> the serial number spreadsheets count days by; null for anything else, or
 * before March 1900.
 */
function serialOf(wall: string): number | null {
  const match = /^(\d{4})-(\d\d)-(\d\d)(?: (\d\d):(\d\d)(?::(\d\d))?)?$/.exec(wall)
  if (!match) return null
  const [year, month, day, hour, minute, second] = match.slice(1).map((part) => Number(part ?? 0)) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ]
  const days = Math.round((Date.UTC(year, month - 1, day) - dayZero) / 86_400_000)
  return days < 61 ? null : days + Math.round(((hour * 3600 + minute * 60 + second) / 86_400) * 1e10) / 1e10
}
