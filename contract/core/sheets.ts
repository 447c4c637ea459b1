/**
 * What a spreadsheet of ours looks like, told once: the template a person fills in, the reading of what they upload,
 * the workbook of their errors and the export of the same records all come from one description.
 */
export type CellKind = 'text' | 'date' | 'moment' | 'integer' | 'amount' | 'choice'

export interface SheetColumn {
  /** The field's name on the wire. */
  readonly key: string
  /** The header of the column, without any mark for "required". */
  readonly label: string
  /** Other headers that mean this column in files made elsewhere. */
  readonly aliases?: readonly string[]
  readonly required?: boolean
  /** What to write here, for the hint row; format and limits are added by {@link hintOf}. */
  readonly hint?: string
  /** In characters. */
  readonly width?: number
  /** `text` unless given; `amount` is a decimal with at most two places, held as whole hundredths. */
  readonly kind?: CellKind
  /** The allowed words of a `choice`. Words that depend on the school are given by the importer instead. */
  readonly choices?: readonly string[]
  /** Most characters of a text (200 unless given), or the largest number. */
  readonly max?: number
  /** The smallest number; 0 unless given. */
  readonly min?: number
  /** A number that names something, such as a student's: spreadsheet programs like to make an amount of it. */
  readonly isCode?: boolean
  /** A text of one line however long; those up to `maxLineLength` are anyway. */
  readonly isLine?: boolean
  /** Kept encrypted while the import waits, and shown masked in changes. */
  readonly sensitive?: boolean
}

export interface Sheet<C extends readonly SheetColumn[] = readonly SheetColumn[]> {
  /** Which import this is; a template of one kind is refused by another. */
  readonly kind: string
  readonly title: string
  /** Raised whenever old templates would be misread. */
  readonly version: number
  readonly columns: C
}

/** Makes a sheet description, keeping its column names as types. */
export const sheet = <const C extends readonly SheetColumn[]>(description: Sheet<C>): Sheet<C> => description

/**
 * A row as read and checked: empty texts are `''`, absent numbers `null`, dates `yyyy-MM-dd`, amounts whole hundredths.
 */
export type SheetRow<S extends Sheet> = {
  [C in S['columns'][number] as C['key']]: C extends { readonly kind: 'integer' | 'amount' } ? number | null : string
}

export const defaultMaxText = 200

/** The header as written in a template: required columns carry a star. */
export const headerOf = (column: SheetColumn): string => (column.required ? `${column.label}*` : column.label)

/**
 * The line under the header that says what belongs in the column. It always starts with 必填 or 选填, by which it is known
 * again.
 */
export function hintOf(column: SheetColumn): string {
  const parts = [column.required ? '必填' : '选填', column.hint, formatHint(column)]
  return parts.filter(Boolean).join('；')
}

function formatHint({ kind = 'text', choices, max, min = 0 }: SheetColumn): string {
  switch (kind) {
    case 'text':
      return `最多 ${max ?? defaultMaxText} 字`
    case 'date':
      return '格式 2024-09-01'
    case 'moment':
      return '格式 2024-09-01 08:30'
    case 'integer':
      return max === undefined ? '整数' : `${min} 至 ${max} 的整数`
    case 'amount':
      return '最多两位小数'
    case 'choice':
      return choices && choices.length <= 8 ? choices.join('、') : '从下拉列表中选择'
  }
}

/** True for a text that {@link hintOf} wrote, in this or an earlier version of a template. */
export const isHint = (cell: string): boolean => /^(必填|选填)(；|$)/.test(cell)
