import DownOutlined from '@ant-design/icons/DownOutlined'
import UpOutlined from '@ant-design/icons/UpOutlined'
import { Button } from 'antd'
import { useState, type ReactNode } from 'react'
import { figure } from '../service/figure.ts'
import { LockButton } from '../parts/buttons.tsx'
import { useIsPhone } from '../parts/use-width.ts'
import type { List } from './use-list.ts'

/** A set of filters under a name. */
export interface View {
  title: string
  filters: Record<string, string>
  /** How many records it holds, where known. */
  count?: number
}

/** The filters over a list: the most used in sight, the rest behind 更多筛选, and the way back to none. */
export function FilterBar({ children, more, list }: { children: ReactNode; more?: ReactNode; list: List<unknown> }) {
  const isPhone = useIsPhone()
  const [isOpen, setOpen] = useState(false)
  const [isFolded, setFolded] = useState(true)
  if (isPhone && isFolded) {
    return (
      <div className="filters filters-folded">
        <Button onClick={() => setFolded(false)}>筛选{list.hasFilters ? '（已设条件）' : ''}</Button>
        {list.hasFilters && <LockButton onClick={list.reset}>重置</LockButton>}
      </div>
    )
  }
  return (
    <form className="filters" role="search" aria-label="筛选" onSubmit={(event) => event.preventDefault()}>
      {children}
      {isOpen && more}
      <div className="filter-buttons">
        <LockButton onClick={list.reset}>重置</LockButton>
        {more && (
          <Button type="link" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            {isOpen ? '收起筛选' : '更多筛选'}
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

/** Named sets of filters as tabs; the one whose filters are set now is marked. */
export function Views({ views, list, saved }: { views: readonly View[]; list: List<unknown>; saved?: ReactNode }) {
  const names = [...new Set(views.flatMap((view) => Object.keys(view.filters)))]
  const isNow = (view: View) => names.every((name) => (list.state.filters[name] ?? '') === (view.filters[name] ?? ''))
  return (
    <div className="views" role="group" aria-label="视图">
      {views.map((view) => (
        <button
          key={view.title}
          type="button"
          aria-pressed={isNow(view)}
          onClick={() =>
            list.setFilters({ ...Object.fromEntries(names.map((name) => [name, undefined])), ...view.filters })
          }
        >
          {view.title}
          {view.count !== undefined && <small>{figure(view.count)}</small>}
        </button>
      ))}
      {saved}
    </div>
  )
}
