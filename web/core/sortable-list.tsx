import ArrowDownOutlined from '@ant-design/icons/ArrowDownOutlined'
import ArrowUpOutlined from '@ant-design/icons/ArrowUpOutlined'
import HolderOutlined from '@ant-design/icons/HolderOutlined'
import { Accessibility } from '@dnd-kit/dom'
import { DragDropProvider } from '@dnd-kit/react'
import { isSortable, useSortable } from '@dnd-kit/react/sortable'
import type { ReactNode } from 'react'
import { IconAct, swapped } from './row-editor.tsx'
import './sortable-list.css'

interface SortableListProps<R> {
  rows: readonly R[]
  keyOf: (row: R) => string
  nameOf: (row: R) => string
  onChange: (rows: R[]) => void
  label: string
  children: (row: R, at: number) => ReactNode
}

/** Rows that may be put into another order: by dragging, by the keys while the handle has the focus, or by their buttons. */
export function SortableList<R>({ rows, keyOf, nameOf, onChange, label, children }: SortableListProps<R>) {
  const names = new Map(rows.map((row) => [keyOf(row), nameOf(row)]))
  const nameAt = (id: unknown) => names.get(String(id)) ?? ''
  return (
    <DragDropProvider
      plugins={(defaults) => [
        ...defaults.filter((plugin) => plugin !== Accessibility),
        Accessibility.configure({
          screenReaderInstructions: { draggable: '按空格键拿起，用上下方向键移动，再按空格键放下，按 Esc 键取消。' },
          announcements: {
            dragstart: ({ operation: { source } }: Told) => (source ? `已拿起${nameAt(source.id)}` : undefined),
            dragover: ({ operation: { target } }: Told) => (target ? `移到${nameAt(target.id)}的位置` : undefined),
            dragend: ({ operation: { source }, canceled }: Told) => (source ? (canceled ? `已取消移动${nameAt(source.id)}` : `已放下${nameAt(source.id)}`) : undefined),
          },
        }),
      ]}
      onDragEnd={({ operation: { source }, canceled }) => {
        if (!canceled && isSortable(source) && source.index !== source.initialIndex) onChange(movedTo(rows, source.initialIndex, source.index))
      }}
    >
      <ol className="sortable-list" aria-label={label}>
        {rows.map((row, at) => (
          <SortableRow key={keyOf(row)} id={keyOf(row)} at={at} name={nameOf(row)} count={rows.length} onMove={(by) => onChange(swapped(rows, at, at + by))}>{children(row, at)}</SortableRow>
        ))}
      </ol>
    </DragDropProvider>
  )
}

/** What the announcements hear of a drag. */
interface Told {
  operation: { source: { id: unknown } | null; target: { id: unknown } | null }
  canceled: boolean
}

function SortableRow({ id, at, name, count, onMove, children }: { id: string; at: number; name: string; count: number; onMove: (by: 1 | -1) => void; children: ReactNode }) {
  const { ref, handleRef, isDragging } = useSortable({ id, index: at })
  return (
    <li ref={ref} className={isDragging ? 'is-moving' : ''}>
      <button type="button" ref={handleRef} className="sortable-handle" aria-label={`拖动${name}`}><HolderOutlined /></button>
      <div className="sortable-content">{children}</div>
      <IconAct label={`上移${name}`} icon={<ArrowUpOutlined />} disabled={at === 0} onClick={() => onMove(-1)} />
      <IconAct label={`下移${name}`} icon={<ArrowDownOutlined />} disabled={at === count - 1} onClick={() => onMove(1)} />
    </li>
  )
}

/** A list with one of its rows taken from one place to another. */
export function movedTo<R>(rows: readonly R[], from: number, to: number): R[] {
  const rest = rows.filter((_, at) => at !== from)
  return [...rest.slice(0, to), ...rows.slice(from, from + 1), ...rest.slice(to)]
}
