import { Checkbox, Skeleton } from 'antd'
import type { Key, ReactNode } from 'react'
import type { RowAction } from '../action/action.tsx'
import { columnKey, type Column } from './columns.tsx'
import { RowActions } from '../action/row-actions.tsx'
import type { List } from './use-list.ts'

interface PhoneListProps<R> {
  list: List<R>
  rowKey: keyof R & string
  columns: readonly Column<R>[]
  rowActions: readonly RowAction<R>[]
  canTick: boolean
  nameOf: (row: R) => string
  cell: (column: Column<R>, value: unknown, row: R, index: number) => ReactNode
  empty: ReactNode
  /** What unfolds under a row. */
  expand?: ((row: R) => ReactNode) | undefined
}

/** A list on a phone: each row a card, its first column the heading, its actions below. */
export function PhoneList<R extends object>({
  list,
  rowKey,
  columns,
  rowActions,
  canTick,
  nameOf,
  cell,
  empty,
  expand,
}: PhoneListProps<R>) {
  if (list.isLoading)
    return (
      <div className="cards">
        <Skeleton active paragraph={{ rows: 6 }} />
      </div>
    )
  if (list.rows.length === 0) return <>{empty}</>
  const [first, ...others] = columns
  const keys = list.rows.map((row) => row[rowKey] as Key)
  const isAll = keys.every((key) => list.ticked.includes(key))
  const tick = (key: Key, isOn: boolean) =>
    list.tick(isOn ? [...list.ticked, key] : list.ticked.filter((one) => one !== key))
  const valueOf = (column: Column<R>, row: R) => (column.dataIndex ? row[column.dataIndex] : undefined)
  const cards = (
    <ul className="cards">
      {list.rows.map((row, index) => {
        const key = row[rowKey] as Key
        return (
          <li key={key}>
            <div className="cards-head">
              {canTick && (
                <Checkbox
                  checked={list.ticked.includes(key)}
                  onChange={(event) => tick(key, event.target.checked)}
                  aria-label={`选择${nameOf(row)}`}
                />
              )}
              <b>{first && cell(first, valueOf(first, row), row, index)}</b>
            </div>
            <dl>
              {others.map((column) => (
                <div key={columnKey(column)} className={isMoment(valueOf(column, row)) ? 'cards-wide' : undefined}>
                  <dt>{column.title}</dt>
                  <dd>{cell(column, valueOf(column, row), row, index)}</dd>
                </div>
              ))}
            </dl>
            {expand && (
              <details className="cards-more">
                <summary>展开</summary>
                {expand(row)}
              </details>
            )}
            {rowActions.length > 0 && <RowActions row={row} actions={rowActions} nameOf={nameOf} open={3} />}
          </li>
        )
      })}
    </ul>
  )
  if (!canTick) return cards
  return (
    <>
      <div className="cards-all">
        <Checkbox
          checked={isAll}
          indeterminate={list.ticked.length > 0 && !isAll}
          onChange={({ target }) => list.tick(target.checked ? keys : [])}
        >
          全选本页
        </Checkbox>
      </div>
      {cards}
    </>
  )
}

/** Whether a value is a day with its time, which half a card has no room for. */
const isMoment = (value: unknown): boolean => typeof value === 'string' && /^\d{4}-\d\d-\d\d \d\d:\d\d/.test(value)
