import { labelOf, type DictionaryType } from '../../../contract/core/dictionary.ts'
import { toHundredths } from '../../../contract/core/fields.ts'
import type { CellKind, SheetColumn } from '../../../contract/core/sheets.ts'
import type { CellValue } from '../sheets/cell-xml.ts'
import type { SheetRecord } from '../sheets/sheet-xml.ts'

/**
 * A column of an exported sheet: its header, its width in characters, the kind of its cells, and how a cell is made
 * from a row. Columns are typed over the row: a sheet takes only columns that its rows have the fields for.
 */
export interface ExportColumn<R> {
  readonly label: string
  readonly width?: number | undefined
  readonly kind?: CellKind | undefined
  /** In a sheet that can be imported again: marks the header with a star. */
  readonly required?: boolean | undefined
  readonly valueOf: (row: R) => CellValue
}

/** Makes columns of one kind: of a field of the row, or of what a function makes of the row. */
interface ColumnMaker<V> {
  <K extends string>(label: string, key: K, width?: number): ExportColumn<Readonly<Record<K, V>>>
  <R>(label: string, valueOf: (row: R) => V, width?: number): ExportColumn<R>
}

/** A maker of columns whose cells come from values of one type; absent values leave the cell empty. */
const columnMaker = <V>(kind: CellKind, cellOf: (value: NonNullable<V>) => CellValue): ColumnMaker<V> =>
  (<R>(label: string, source: string | ((row: R) => V), width?: number): ExportColumn<R> => ({
    label,
    width,
    kind,
    valueOf: (row) => {
      const value = typeof source === 'function' ? source(row) : (row as Readonly<Record<string, V>>)[source]
      return value === null || value === undefined ? null : cellOf(value)
    },
  })) as ColumnMaker<V>

type Maybe<V> = V | null | undefined
const asIs = <V>(value: V): V => value

/** Text as it is, or a number as its text. */
export const text = columnMaker<Maybe<string | number>>('text', asIs)
/** Several words in one cell, parted by 、. */
export const texts = columnMaker<Maybe<readonly string[]>>('text', (words) => words.join('、'))
/** What a rule holds for: several words, or 全部 where it names none. */
export const range = columnMaker<readonly string[]>('text', (words) => words.join('、') || '全部')
/** 是 or 否. */
export const yesNo = columnMaker<Maybe<boolean>>('text', (value) => (value ? '是' : '否'))
/** 是, or an empty cell: for what holds of few rows. */
export const yesOrEmpty = columnMaker<Maybe<boolean>>('text', (value) => (value ? '是' : null))
/** A whole number. */
export const count = columnMaker<Maybe<number>>('integer', asIs)
/** An amount with at most two decimals: hundredths, as rows hold it, or the decimal text it travels as. */
export const amount = columnMaker<Maybe<number | string>>('amount', (value) =>
  typeof value === 'number' ? value : hundredthsOf(value),
)
/** A calculated figure such as a rate or a mean, in units; rounded to two decimals. */
export const figure = columnMaker<Maybe<number>>('amount', (value) => Math.round(value * 100))
/** A day, `yyyy-MM-dd`. */
export const day = columnMaker<Maybe<string>>('date', asIs)
/** A moment, `yyyy-MM-dd HH:mm:ss`. */
export const moment = columnMaker<Maybe<string>>('moment', asIs)

/** The label of a code of a dictionary; a code that the dictionary does not know stands for itself. */
export const code = <K extends string>(
  label: string,
  dictionary: DictionaryType,
  key: K,
  width?: number,
): ExportColumn<Readonly<Record<K, Maybe<string>>>> =>
  text(label, (row: Readonly<Record<K, Maybe<string>>>) => row[key] && labelOf(dictionary, row[key]), width)

/** The labels of several codes of a dictionary in one cell, parted by 、. */
export const codes = <K extends string>(
  label: string,
  dictionary: DictionaryType,
  key: K,
  width?: number,
): ExportColumn<Readonly<Record<K, readonly string[]>>> =>
  texts(label, (row: Readonly<Record<K, readonly string[]>>) => row[key].map((one) => labelOf(dictionary, one)), width)

/**
 * The columns of a sheet that is also imported, for rows that have a value for every key; amounts as in {@link amount}.
 */
export const columnsOfSheet = (columns: readonly SheetColumn[]): ExportColumn<SheetRecord>[] =>
  columns.map(({ key, label, width, kind, required }) => ({
    label,
    width,
    kind,
    required,
    valueOf: (row) => (kind === 'amount' && typeof row[key] === 'string' ? hundredthsOf(row[key]) : row[key]),
  }))

/** Decimal text, with or without a minus sign, in hundredths; null where it is none. */
function hundredthsOf(decimal: string): number | null {
  const size = toHundredths(decimal.replace(/^-/, ''))
  return size !== null && decimal.startsWith('-') ? -size : size
}
