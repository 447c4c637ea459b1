import ArrowDownOutlined from '@ant-design/icons/ArrowDownOutlined'
import ArrowUpOutlined from '@ant-design/icons/ArrowUpOutlined'
import type { ReactNode } from 'react'
import { IconAction } from './row-editor.tsx'
import { moved, Sortable } from './sortable.tsx'
import './sortable-list.css'

interface SortableListProps<R> {
  rows: readonly R[]
  keyOf: (row: R) => string
  nameOf: (row: R) => string
  onChange: (rows: R[]) => void
  label: string
  children: (row: R, at: number) => ReactNode
}

/**
 * Rows one below the other that may be put into another order: by dragging, by the keys while the handle has the focus,
 * or by their buttons.
 */
export function SortableList<R>({ rows, keyOf, nameOf, onChange, label, children }: SortableListProps<R>) {
  return (
    <ol className="sortable-list" aria-label={label}>
      <Sortable items={rows} keyOf={keyOf} nameOf={nameOf} onMove={(from, to) => onChange(moved(rows, from, to))}>
        {(row, at, { ref, handle, isDragging }) => (
          <li key={keyOf(row)} ref={ref} className={isDragging ? 'is-dragging' : ''}>
            {handle}
            <div className="sortable-content">{children(row, at)}</div>
            <IconAction
              label={`上移${nameOf(row)}`}
              icon={<ArrowUpOutlined />}
              disabled={at === 0}
              onClick={() => onChange(moved(rows, at, at - 1))}
            />
            <IconAction
              label={`下移${nameOf(row)}`}
              icon={<ArrowDownOutlined />}
              disabled={at === rows.length - 1}
              onClick={() => onChange(moved(rows, at, at + 1))}
            />
          </li>
        )}
      </Sortable>
    </ol>
  )
}
