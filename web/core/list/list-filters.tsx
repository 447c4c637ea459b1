import DownOutlined from '@ant-design/icons/DownOutlined'
import UpOutlined from '@ant-design/icons/UpOutlined'
import { Button } from 'antd'
import { useState, type ReactNode } from 'react'
import { figure } from '../service/figure.ts'
import { LockButton } from '../parts/buttons.tsx'
import { useIsPhone } from '../parts/use-width.ts'
import type { Choice } from '../parts/multi-select.tsx'
import { OrderSelect } from './order-select.tsx'
import { formerClass } from '../parts/former.ts'
import type { List } from './use-list.ts'

/** A set of filters under a name. */
export interface View {
  title: string
  filters: Record<string, string>
  /** How many records it holds, where known. */
  count?: number
  /** That number is still the one of former filters. */
  isFormer?: boolean
}

/** Filters behind 更多筛选: drawn only once that is open, so that what they filter by is named beside them. */
export interface MoreFilters {
  /** The fields of the list's call that they set; both of a range together, which counts as one. */
  names: readonly (string | readonly [string, string])[]
  filters: ReactNode
}

interface FilterBarProps {
  children: ReactNode
  more?: MoreFilters | undefined
  /** The view whose filters are set now: it says itself what it filters by. */
  view?: View | undefined
  /** On a phone: the orders to choose from, since the columns are no heads to click on there. */
  orders?: readonly Choice[]
  list: List<unknown>
}

/**
 * The filters over a list: the most used in sight, the rest behind 更多筛选, and the way back to none. The rest opens by
 * itself where one of it is set by an address or a saved view: nothing filters unseen.
 */
export function FilterBar({ children, more, view, orders = [], list }: FilterBarProps) {
  const isPhone = useIsPhone()
  const [isOpen, setOpen] = useState(false)
  const [isFolded, setFolded] = useState(true)
  const [seen, setSeen] = useState('')
  const set = (more?.names ?? []).map((names) => [names].flat().filter((name) => list.state.filters[name]))
  const count = set.filter(({ length }) => length > 0).length
  const unseen = set
    .flat()
    .filter((name) => view?.filters[name] === undefined)
    .map((name) => `${name}=${list.state.filters[name]}`)
    .join('&')
  // whoever shuts them over what is set wants them shut, until something else is set
  if (unseen !== seen) {
    setSeen(unseen)
    if (unseen) setOpen(true)
  }
  if (isPhone && isFolded) {
    const told = [list.hasFilters && '条件', list.state.sort && '排序'].filter(Boolean)
    return (
      <div className="filters filters-folded">
        <Button onClick={() => setFolded(false)}>
          {orders.length > 0 ? '筛选与排序' : '筛选'}
          {told.length > 0 && `（已设${told.join('与')}）`}
        </Button>
        {(list.hasFilters || list.state.sort) && <LockButton onClick={list.reset}>重置</LockButton>}
      </div>
    )
  }
  return (
    <form className="filters" role="search" aria-label="筛选" onSubmit={(event) => event.preventDefault()}>
      {children}
      {isOpen && more?.filters}
      {isPhone && orders.length > 0 && <OrderSelect list={list} orders={orders} />}
      <div className="filter-buttons">
        <LockButton onClick={list.reset}>重置</LockButton>
        {more && (
          <Button type="link" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            {isOpen ? '收起筛选' : '更多筛选'}
            {count > 0 && `（已设 ${count} 项）`}
            {isOpen ? <UpOutlined /> : <DownOutlined />}
          </Button>
        )}
        {isPhone && (
          <Button type="link" onClick={() => setFolded(true)}>
            收起
          </Button>
        )}
      </div>
    </form>
  )
}

/** What some views filter by. */
const namesOf = (views: readonly View[]) => [...new Set(views.flatMap((view) => Object.keys(view.filters)))]

/** Which of some views has the filters that are set now. */
export function viewNow(views: readonly View[], list: Pick<List<unknown>, 'state'>): View | undefined {
  const names = namesOf(views)
  return views.find((view) => names.every((name) => (list.state.filters[name] ?? '') === (view.filters[name] ?? '')))
}

/** Named sets of filters as tabs; the one whose filters are set now is marked. */
export function Views({ views, list, saved }: { views: readonly View[]; list: List<unknown>; saved?: ReactNode }) {
  const names = namesOf(views)
  const now = viewNow(views, list)
  return (
    <div className="views" role="group" aria-label="视图">
      {views.map((view) => (
        <button
          key={view.title}
          type="button"
          aria-pressed={view === now}
          onClick={() =>
            list.setFilters({ ...Object.fromEntries(names.map((name) => [name, undefined])), ...view.filters })
          }
        >
          {view.title}
          {view.count !== undefined && <small className={formerClass(view.isFormer)}>{figure(view.count)}</small>}
        </button>
      ))}
      {saved}
    </div>
  )
}
