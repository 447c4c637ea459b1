import type { TableColumnType } from 'antd'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { fitting, type OpenAction, type RowAction } from '../action/action.tsx'
import { amountText, figure } from '../service/figure.ts'
import { DictionaryText } from '../parts/dictionary-text.tsx'
import { DictionaryChip, type ChipTone } from '../parts/status-chip.tsx'
import { usePermission } from '../service/rights.ts'
import type { ListState } from './list-state.ts'

/** A column of a list. All but one have a width in pixels. */
export interface Column<R> {
  title: string
  dataIndex?: keyof R & string
  /** Only where the column shows no single field. */
  key?: string
  width?: number
  fixed?: 'left' | 'right'
  /** May be sorted by the service: by the field's own name, or by the one given. */
  sorter?: boolean | string
  /** Shows the dictionary's words for the value. */
  dict?: string
  /** With `dict`: the value is a status, shown in the tone of each value. */
  tones?: Record<string, ChipTone>
  /** The address the cell leads to; nothing where it leads nowhere for this row. A count of zero never does. */
  to?: (row: R) => string | false | undefined
  /** A click on the cell does this action, where the row and the person's rights allow it. */
  opens?: OpenAction<R>
  /** A number: right-aligned, in figures of one width. */
  number?: boolean
  /** Not shown until the person chooses it. */
  hiddenAtFirst?: boolean
  render?: (value: never, row: R, index: number) => ReactNode
}

export const columnKey = <R,>(column: Column<R>): string => column.key ?? column.dataIndex ?? column.title

/** Width of a column that has none of its own, where the table is wider than the window. */
const looseWidth = 200

/** What the person changed about a list's columns. */
export interface ColumnChoice {
  order: string[]
  hidden: string[]
}

/** The columns in the person's order, without the ones they hid. New columns stand where the screen puts them. */
export function chosenColumns<R>(columns: readonly Column<R>[], choice: ColumnChoice | undefined): Column<R>[] {
  const isHidden = (column: Column<R>) =>
    choice ? choice.hidden.includes(columnKey(column)) : column.hiddenAtFirst === true
  const place = (column: Column<R>, at: number) => {
    const place = choice?.order.indexOf(columnKey(column)) ?? -1
    return place < 0 ? at : place
  }
  return columns
    .map((column, at) => ({ column, place: place(column, at) }))
    .sort((a, b) => a.place - b.place)
    .map(({ column }) => column)
    .filter((column, at) => at === 0 || !isHidden(column))
}

/** A screen that leaves more than one column without a width is a mistake of ours, told while developing. */
export function checkWidths<R>(columns: readonly Column<R>[]): void {
  const loose = columns.filter((column) => column.width === undefined)
  if (import.meta.env.DEV && loose.length > 1)
    console.error(`只允许一列不设宽度：${loose.map((column) => column.title).join('、')}`)
}

/** What a column and a table are at least and at most, in pixels. */
const widths = { min: 50, max: 5000 }
const bounded = (width: number): number => Math.min(widths.max, Math.max(widths.min, width))

/** How wide a table's columns are together, in pixels. */
export const widthOf = <R,>(columns: readonly Column<R>[], extra: number): number =>
  bounded(columns.reduce((sum, column) => sum + bounded(column.width ?? looseWidth), extra))

/**
 * Room for the actions of a row, in pixels: the longest words of those that may stand open, and 更多.
 *
 * @param isTight only one stands open
 */
export function actionsWidth<R>(acts: readonly RowAction<R>[], isTight: boolean): number {
  const widthOfLabels = (labels: readonly string[]) => labels.reduce((sum, { length }) => sum + length * 14 + 16, 0)
  const byLength = (some: readonly RowAction<R>[]) => some.map(({ label }) => label).sort((a, b) => b.length - a.length)
  if (acts.length <= (isTight ? 1 : 3)) return Math.max(88, widthOfLabels(byLength(acts)) + 16)
  // the first that fits every row stands first, or one before it
  const always = acts.findIndex(({ fits }) => !fits)
  const first = byLength(always < 0 ? acts : acts.slice(0, always + 1))[0]!
  const others = byLength(acts.filter(({ label }) => label !== first)).slice(0, isTight ? 0 : 1)
  return Math.max(88, widthOfLabels([first, ...others]) + 62 + 16)
}

/** The kit's form of a column. */
export function tableColumn<R>(column: Column<R>, state: Pick<ListState, 'sort' | 'order'>): TableColumnType<R> {
  const sortName = column.sorter === true ? column.dataIndex : column.sorter || undefined
  return {
    title: column.title,
    key: columnKey(column),
    ...(column.dataIndex && { dataIndex: column.dataIndex }),
    ...(column.width !== undefined && { width: bounded(column.width) }),
    ...(column.fixed && { fixed: column.fixed === 'left' ? 'start' : 'end' }),
    align: column.number ? 'right' : 'left',
    ellipsis: { showTitle: true },
    ...(column.number && { className: 'figures' }),
    ...(sortName && {
      sorter: true,
      sortOrder: state.sort === sortName ? (state.order === 'asc' ? 'ascend' : 'descend') : null,
    }),
    render: (value: unknown, row: R, index: number) => cellOf(column, value, row, index),
  }
}

/** What a cell shows; nothing becomes a dash. */
export function cellOf<R>(column: Column<R>, value: unknown, row: R, index: number): ReactNode {
  if (column.render) return column.render(value as never, row, index)
  if (value === null || value === undefined || value === '') return <span className="nothing">—</span>
  if (column.dict && column.tones)
    return <DictionaryChip type={column.dict} value={value as string} tones={column.tones} />
  if (column.dict) return <DictionaryText type={column.dict} value={value as string} />
  const text = textOf(column, value)
  const address = value === 0 ? undefined : column.to?.(row)
  if (address)
    return (
      <Link to={address} title={text}>
        {text}
      </Link>
    )
  return column.opens ? <OpeningText action={column.opens} row={row} text={text} /> : text
}

function textOf<R>(column: Column<R>, value: unknown): string {
  if (Array.isArray(value)) return value.join('、')
  if (typeof value === 'number') return figure(value)
  return column.number ? amountText(String(value)) : String(value)
}

/** The text of a cell that opens what an action opens. */
function OpeningText<R>({ action, row, text }: { action: OpenAction<R>; row: R; text: string }) {
  const may = usePermission()
  if (!may(action.call) || fitting(action, [row]).length === 0) return text
  return (
    <button type="button" className="row-act" title={text} onClick={() => action.onOpen([row])}>
      {text}
    </button>
  )
}

/** The name the service sorts a column by. */
export const sortNameOf = <R,>(columns: readonly Column<R>[], key: unknown): string | undefined => {
  const column = columns.find((one) => columnKey(one) === key)
  return column?.sorter === true ? column.dataIndex : column?.sorter || undefined
}
