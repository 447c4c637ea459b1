import { lineEnds, maxLineLength, toHundredths } from '../../../contract/core/fields.ts'
import { defaultMaxText, type Sheet, type SheetColumn, type SheetRow } from '../../../contract/core/sheets.ts'
import type { CellMark } from './limits.ts'

/** A fault of one cell; without a key it concerns the whole row. */
export interface CellFault {
  key?: string
  msg: string
}

/**
 * Turns the texts of a row into checked values by the description of its columns. Faulty cells are empty in `row` and
 * told in `faults`, all of them together.
 * @param texts by column key; a column the file does not have counts as empty
 */
export function readRow<S extends Sheet>(
  sheet: S,
  texts: Readonly<Record<string, string>>,
  marks: Readonly<Record<string, CellMark>> = {},
): { row: SheetRow<S>; faults: CellFault[] } {
  const row: Record<string, string | number | null> = {}
  const faults: CellFault[] = []
  for (const column of sheet.columns) {
    const { key } = column
    const mark = marks[key]
    const read = mark ? { fault: markFaults[mark] } : readCell(column, normalizeText(texts[key] ?? ''))
    if ('fault' in read) faults.push({ key, msg: `${column.label}${read.fault}` })
    row[key] = 'value' in read ? read.value : emptyOf(column)
  }
  return { row: row as SheetRow<S>, faults }
}

const markFaults: Record<CellMark, string> = {
  formula: '含有公式，请复制后“选择性粘贴”为数值',
  error: '是公式的错误值',
  precision: '超过 15 位，以数字保存时已丢失精度，请设为文本格式后重填',
  unreadable: '含有无法保存的字符，请重新填写',
  'too-long': '内容过长',
}

const emptyOf = ({ kind }: SheetColumn) => (kind === 'integer' || kind === 'amount' ? null : '')

/** Full-width digits and letters made half-width, invisible signs and outer blanks removed; 无 and null mean empty. */
export function normalizeText(text: string): string {
  const clean = text
    .replace(/[\uff10-\uff19\uff21-\uff3a\uff41-\uff5a]/g, (sign) => String.fromCharCode(sign.charCodeAt(0) - 0xfee0))
    .replace(/[\u200b-\u200d\u2060\ufeff\u00ad]/g, '')
    .replace(/[\u00a0\u3000]/g, ' ')
    .trim()
    .normalize('NFC')
  return clean === '无' || /^(null|undefined)$/i.test(clean) ? '' : clean
}

type Read = { value: string | number | null } | { fault: string }

function readCell(column: SheetColumn, text: string): Read {
  const { kind = 'text', required, min = 0 } = column
  if (text === '') return required ? { fault: '不能为空' } : { value: emptyOf(column) }
  switch (kind) {
    case 'text': {
      const max = column.max ?? defaultMaxText
      if ((column.isLine ?? max <= maxLineLength) && lineEnds.test(text))
        return { fault: '不能换行，请删除单元格内的换行' }
      if (column.isCode && /^\d+(\.\d+)?E\+?\d+$/i.test(text))
        return { fault: `“${text.slice(0, 20)}”是科学计数法，已丢失原来的号码，请设为文本格式后重填` }
      // written by programs that keep whole numbers as decimals
      if (column.isCode && /^\d+\.0+$/.test(text)) return { value: text.slice(0, text.indexOf('.')) }
      return [...text].length > max ? { fault: `不能超过 ${max} 个字` } : { value: text }
    }
    case 'choice':
      return !column.choices || column.choices.includes(text)
        ? { value: text }
        : { fault: `“${text.slice(0, 20)}”不在可选范围内：${column.choices.slice(0, 12).join('、')}` }
    case 'integer': {
      const number = /^[+-]?\d{1,9}(\.0*)?$/.test(text) ? Number(text) : Number.NaN
      const max = column.max ?? 999_999_999
      return number >= min && number <= max ? { value: number } : { fault: `须为 ${min} 至 ${max} 的整数` }
    }
    case 'amount': {
      const hundredths = toHundredths(text.normalize('NFKC'))
      const max = column.max ?? 1000
      return hundredths !== null && hundredths >= min * 100 && hundredths <= max * 100
        ? { value: hundredths }
        : { fault: `须为 ${min} 至 ${max} 之间、最多两位小数的数` }
    }
    case 'date': {
      const day = readDay(text)
      return day ? { value: day } : { fault: `“${text.slice(0, 30)}”不是有效日期` }
    }
    case 'moment': {
      const moment = readMoment(text)
      return moment ? { value: moment } : { fault: `“${text.slice(0, 30)}”不是有效时间` }
    }
  }
}

const dayForms = [
  /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})$/,
  /^(\d{4})(\d\d)(\d\d)$/,
  /^(\d{4})年(\d{1,2})月(\d{1,2})[日号]?$/,
]

/**
 * `2008/3/4`, `2008-03-04`, `2008.3.4`, `20080304`, `2008年3月4日` (a midnight time may follow) -> `2008-03-04`; null for
 * what is no day.
 */
export function readDay(text: string): string | null {
  const plain = text
    .normalize('NFKC')
    .replace(/\s*00:00(:00)?$/, '')
    .replace(/\s/g, '')
  for (const form of dayForms) {
    const match = form.exec(plain)
    if (!match) continue
    const [year, month, day] = match.slice(1).map(Number) as [number, number, number]
    const date = new Date(Date.UTC(year, month - 1, day))
    if (year < 1900 || year > 2200 || date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return null
    return date.toISOString().slice(0, 10)
  }
  return null
}

/** A day with or without hours, minutes and seconds -> `yyyy-MM-dd HH:mm:ss`. */
export function readMoment(text: string): string | null {
  const match = /^(.*\S)[\sT]+(\d{1,2}):(\d\d)(?::(\d\d))?$/.exec(text.normalize('NFKC').trim())
  const day = readDay(match ? match[1]! : text)
  if (!day) return null
  const [hour, minute, second] = match
    ? (match.slice(2).map((part) => Number(part ?? 0)) as [number, number, number])
    : [0, 0, 0]
  if (hour > 23 || minute > 59 || second > 59) return null
  return `${day} ${[hour, minute, second].map((part) => String(part).padStart(2, '0')).join(':')}`
}
