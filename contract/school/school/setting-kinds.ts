import { z } from 'zod'
import { yesNo } from '../../core/codes/platform.ts'
import { amount, fromHundredths, toHundredths, integer } from '../../core/fields.ts'

/**
 * The kinds of setting a school may change. A kind knows how its value is checked, how it is kept (`wire`: plain JSON,
 * amounts as decimal text) and how it reads in a sentence; form, default, check and history all derive from it.
 */

interface Words {
  label: string
  /** What it does and how, in a sentence for the administrator. */
  help: string
  unit?: string
  /** Where the default comes from. */
  source: string
}

/** A column of a setting that is a table. `level` holds the id of one of the school's own levels. */
export interface SettingColumn {
  key: string
  label: string
  cell: 'whole' | 'amount' | 'level' | 'choice' | 'text'
  unit?: string
  min?: number
  max?: number
  options?: readonly Option[]
  placeholder?: string
}

interface Option {
  value: string
  label: string
}

export type SettingControl =
  | 'number'
  | 'amount'
  | 'switch'
  | 'choice'
  | 'months'
  | 'monthDay'
  | 'modules'
  | 'roles'
  | 'rows'

export interface Setting<O = unknown, W = unknown> extends Words {
  control: SettingControl
  /** Wire value in, value for the program out. */
  schema: z.ZodType<O, W>
  default: W
  /** The wire form of a checked value, the same however it was written. */
  wire: (value: O) => W
  min?: number
  max?: number
  options?: readonly Option[]
  columns?: readonly SettingColumn[]
  /** A row as it is added. */
  blank?: Record<string, unknown>
}

type Given<W> = Words & { default: W }

/** A whole number. */
export const number = (given: Given<number> & { min: number; max: number }): Setting<number, number> => ({
  ...given,
  control: 'number',
  schema: integer(given.label, given.min, given.max) as unknown as z.ZodType<number, number>,
  wire: (value) => value,
})

/** Hours, credit or points: decimal text on the wire, whole hundredths for the program. */
export const decimal = (given: Given<string> & { max: number }): Setting<number, string> => ({
  ...given,
  min: 0,
  control: 'amount',
  schema: amount(given.label, given.max) as unknown as z.ZodType<number, string>,
  wire: fromHundredths,
})

/** On (`'1'`) or off (`'0'`). */
export const onOff = (given: Given<'0' | '1'>): Setting<boolean, '0' | '1'> => ({
  ...given,
  control: 'switch',
  schema: z
    .union([z.boolean().transform((on) => (on ? yesNo.yes : yesNo.no)), z.string()], `请选择${given.label}`)
    .pipe(z.enum([yesNo.no, yesNo.yes], `请选择${given.label}`))
    .transform((value) => value === yesNo.yes) as unknown as z.ZodType<boolean, '0' | '1'>,
  wire: (on) => (on ? yesNo.yes : yesNo.no),
})

/** One of a few. */
export const oneOf = <const V extends string>(
  given: Given<NoInfer<V>> & { options: readonly { value: V; label: string }[] },
): Setting<V, V> => ({
  ...given,
  control: 'choice',
  schema: z.enum(
    given.options.map(({ value }) => value) as [V, ...V[]],
    `请选择${given.label}`,
  ) as unknown as z.ZodType<V, V>,
  wire: (value) => value,
})

/** Months of the year, 1 to 12, in their order. */
export const months = (given: Given<number[]>): Setting<number[], number[]> => ({
  ...given,
  control: 'months',
  schema: z
    .array(integer('月份', 1, 12), `请选择${given.label}`)
    .max(12, `${given.label}最多 12 个月`)
    .transform((list) => [...new Set(list)].toSorted((a, b) => a - b)) as unknown as z.ZodType<number[], number[]>,
  wire: (list) => list,
})

/** A day of every year, `MM-dd`; 29 February is none. */
export const monthDay = (given: Given<string>): Setting<string, string> => ({
  ...given,
  control: 'monthDay',
  schema: z.string(`请选择${given.label}`).refine(isMonthDay, `${given.label}不是每年都有的日期`),
  wire: (value) => value,
})

/** Modules of the curriculum by their codes. */
export const modules = (given: Given<string[]>): Setting<string[], string[]> => ({
  ...given,
  control: 'modules',
  schema: z
    .array(z.string().trim().min(1, '请选择模块').max(40, '模块代码不正确'), `请选择${given.label}`)
    .max(50, `${given.label}最多 50 个`)
    .transform((list) => [...new Set(list)]),
  wire: (list) => list,
})

/** Roles of the school by their ids. */
export const roles = (given: Given<string[]>): Setting<string[], string[]> => ({
  ...given,
  control: 'roles',
  schema: z
    .array(z.uuid('角色不正确'), `请选择${given.label}`)
    .max(50, `${given.label}最多 50 个`)
    .transform((list) => [...new Set(list)]),
  wire: (list) => list,
})

const daysOf = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
function isMonthDay(value: string): boolean {
  const match = /^(\d\d)-(\d\d)$/.exec(value)
  return match !== null && Number(match[2]) >= 1 && Number(match[2]) <= (daysOf[Number(match[1]) - 1] ?? 0)
}

type CellOut<C extends SettingColumn> = C['cell'] extends 'whole' | 'amount' ? number : string
type CellWire<C extends SettingColumn> = C['cell'] extends 'whole' ? number : string
type RowOut<C extends readonly SettingColumn[]> = { [K in C[number] as K['key']]: CellOut<K> }
type RowWire<C extends readonly SettingColumn[]> = { [K in C[number] as K['key']]: CellWire<K> }

interface RowsGiven<C extends readonly SettingColumn[]> extends Words {
  columns: C
  default: RowWire<C>[]
  blank: Partial<RowWire<C>>
  /** What is wrong with a row, given those before it: the column it stands in and the words. */
  fault?: (row: RowOut<C>, before: RowOut<C>[]) => [column: C[number]['key'], msg: string] | undefined
}

/** A small table. */
export function rows<const C extends readonly SettingColumn[]>({
  fault,
  ...given
}: RowsGiven<C>): Setting<RowOut<C>[], RowWire<C>[]> {
  const shape = Object.fromEntries(given.columns.map((column) => [column.key, cellSchema(column)]))
  const schema = z
    .array(z.strictObject(shape), `请填写${given.label}`)
    .max(30, `${given.label}最多 30 行`)
    .check((ctx) => {
      const list = ctx.value as RowOut<C>[]
      list.forEach((row, at) => {
        const found = fault?.(row, list.slice(0, at))
        if (found) ctx.issues.push({ code: 'custom', input: row, path: [at, found[0]], message: found[1] })
      })
    })
  const wire = (list: RowOut<C>[]) =>
    list.map(
      (row) =>
        Object.fromEntries(
          given.columns.map(({ key, cell }) => [
            key,
            cell === 'amount'
              ? fromHundredths((row as Record<string, number>)[key]!)
              : (row as Record<string, unknown>)[key],
          ]),
        ) as RowWire<C>,
    )
  return {
    ...given,
    control: 'rows',
    schema: schema as unknown as z.ZodType<RowOut<C>[], RowWire<C>[]>,
    wire,
    blank: given.blank as Record<string, unknown>,
  }
}

function cellSchema({ label, cell, min = 0, max = 1000, options }: SettingColumn): z.ZodType {
  if (cell === 'whole') return integer(label, min, max)
  if (cell === 'amount') return amount(label, max)
  if (cell === 'choice') return z.enum((options ?? []).map(({ value }) => value) as [string], `请选择${label}`)
  if (cell === 'level') return z.string(`请选择${label}`).trim().min(1, `请选择${label}`).max(10, `${label}不正确`)
  return z.string(`请输入${label}`).trim().min(1, `请输入${label}`).max(max, `${label}不能超过 ${max} 个字`)
}

/** Shares of a team by place, `0.6/0.3/0.1` -> whole hundredths; null where the text is none. */
export function sharesOf(text: string): number[] | null {
  const parts = text.split('/').map((part) => toHundredths(part))
  return parts.every((part) => part !== null && part > 0 && part <= 100) ? (parts as number[]) : null
}
