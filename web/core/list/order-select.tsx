import { Select } from 'antd'
import { useId } from 'react'
import { clearing } from '../parts/clear-icon.tsx'
import type { Choice } from '../parts/multi-select.tsx'
import { sortNameOf, columnKey, type Column } from './columns.tsx'
import { FilterPlace } from './filters.tsx'
import type { List } from './use-list.ts'

const directions = { asc: '升序', desc: '降序' } as const

/** The orders that a list's columns can be put into: `liName asc`, both ways of each. */
export const ordersOf = <R,>(columns: readonly Column<R>[]): Choice[] =>
  columns.flatMap((column) => {
    const sort = sortNameOf(columns, columnKey(column))
    return sort
      ? Object.entries(directions).map(([order, way]) => ({
          value: `${sort} ${order}`,
          label: `${column.title}，${way}`,
        }))
      : []
  })

interface OrderSelectProps {
  list: Pick<List<unknown>, 'state' | 'setSort'>
  /** By field and direction: `arriveTime asc`. */
  orders: readonly Choice[]
  /** What holds where none is chosen. */
  placeholder?: string
}

/** The order of a list's rows, where its columns are no heads to click on. */
export function OrderSelect({ list: { state, setSort }, orders, placeholder = '默认顺序' }: OrderSelectProps) {
  const id = useId()
  const now = `${state.sort} ${state.order}`
  return (
    <FilterPlace label="排序" htmlFor={id}>
      <Select
        id={id}
        options={[...orders]}
        placeholder={placeholder}
        value={orders.some(({ value }) => value === now) ? now : undefined}
        allowClear={clearing}
        onChange={(chosen: string | undefined) => {
          const [sort, order] = (chosen ?? '').split(' ')
          setSort(sort || undefined, order as 'asc' | 'desc' | undefined)
        }}
      />
    </FilterPlace>
  )
}
