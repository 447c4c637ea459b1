import { unstorableCharacters } from '../../../contract/core/fields.ts'
import { maxCellText } from './cell-xml.ts'
import type { CellMark } from './limits.ts'

/** How a number format shows a number: as itself, as a date or time, or filled up with zeros to a length. */
export type NumberFormat = 'number' | 'date' | { zeros: number }

/** Built-in formats that show dates or times, the Chinese ones 27-36 and 50-58 among them. */
const builtInDates = (id: number) =>
  (id >= 14 && id <= 22) || (id >= 27 && id <= 36) || (id >= 45 && id <= 47) || (id >= 50 && id <= 58)

/** @param code the format's own code where the workbook gives one */
export function numberFormatOf(id: number, code: string | undefined): NumberFormat {
  if (code === undefined) return builtInDates(id) ? 'date' : 'number'
  const bare = code.replace(/"[^"]*"|\\.|\[(?!h|m|s)[^\]]*\]|_.|\*./gi, '').split(';')[0]!
  if (/^0{2,30}$/.test(bare)) return { zeros: bare.length }
  return /[ymdhs]/i.test(bare.replace(/general/gi, '')) ? 'date' : 'number'
}

export interface ReadText {
  text: string
  mark?: CellMark
}

/** A number cell -> the text a person would have typed. */
export function numberText(raw: string, format: NumberFormat, date1904: boolean): ReadText {
  const value = Number(raw)
  if (raw.trim() === '' || !Number.isFinite(value)) return { text: raw.trim() }
  if (format === 'date') return { text: dateText(value, date1904) ?? plain(value) }
  if (Number.isInteger(value) && Math.abs(value) >= 1e15) return { text: plain(value), mark: 'precision' }
  return {
    text:
      typeof format === 'object' && Number.isInteger(value) && value >= 0
        ? plain(value).padStart(format.zeros, '0')
        : plain(value),
  }
}

/** No exponent, and the 15 digits a spreadsheet shows: `0.30000000000000004` is 0.3, `1.38E10` a phone number. */
function plain(value: number): string {
  const rounded = Number(value.toPrecision(15))
  const text = String(rounded)
  if (!text.includes('e')) return text
  return Math.abs(rounded) >= 1 ? BigInt(Math.round(rounded)).toString() : rounded.toFixed(20).replace(/0+$/, '')
}

/** Days since 1900 (or 1904) -> `yyyy-MM-dd`, with the time where there is one; null where no such day exists. */
function dateText(serial: number, date1904: boolean): string | null {
  if (serial < 0 || serial >= 2_958_466) return null
  const seconds = Math.round(serial * 86_400)
  const days = Math.floor(seconds / 86_400)
  const time = new Date((seconds % 86_400) * 1000).toISOString().slice(11, 19)
  if (days === 0 && !date1904) return time
  // spreadsheets believe that 1900-02-29 existed
  const zero = date1904 ? Date.UTC(1904, 0, 1) : Date.UTC(1899, 11, days < 61 ? 31 : 30)
  const day = new Date(zero + days * 86_400_000).toISOString().slice(0, 10)
  return seconds % 86_400 === 0 ? day : `${day} ${time}`
}

const everyUnstorable = new RegExp(unstorableCharacters, 'g')

/** A text cell: the format's `_x000D_` escapes undone, characters that nothing can store replaced and told. */
export function plainText(raw: string, escapes: boolean): ReadText {
  const decoded =
    escapes && raw.includes('_x')
      ? raw.replace(/_x([0-9A-Fa-f]{4})_/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
      : raw
  const text = decoded.replace(everyUnstorable, '\ufffd')
  if (text !== decoded) return { text: text.slice(0, maxCellText), mark: 'unreadable' }
  return text.length > maxCellText ? { text: text.slice(0, maxCellText), mark: 'too-long' } : { text }
}
