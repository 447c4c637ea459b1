import HolderOutlined from '@ant-design/icons/HolderOutlined'
import { Accessibility } from '@dnd-kit/dom'
import { DragDropProvider, type DragEndEvent } from '@dnd-kit/react'
import { isSortable, useSortable } from '@dnd-kit/react/sortable'
import { useState, type PointerEvent, type ReactNode } from 'react'
import './sortable.css'

/** What a row of a sortable list needs: `ref` goes on its element, `handle` where it is to be taken hold of. */
export interface SortableRow {
  ref: (element: Element | null) => void
  handle: ReactNode
  isDragging: boolean
}

interface SortableProps<R> {
  items: readonly R[]
  keyOf: (item: R) => string
  nameOf: (item: R) => string
  /** A promise keeps the new order on the screen until it is settled; if it fails, the old one comes back. */
  onMove: (from: number, to: number) => void | Promise<unknown>
  /** The order stands; rows get no handle. */
  disabled?: boolean
  children: (item: R, at: number, row: SortableRow) => ReactNode
}

/**
 * Rows in an order that is changed by dragging: with the mouse, a finger, or the keyboard (space on the handle, arrows,
 * space; Esc leaves all as it was). What is done is said to screen readers.
 */
export function Sortable<R>({ items, keyOf, nameOf, onMove, disabled = false, children }: SortableProps<R>) {
  const [pending, setPending] = useState<{ from: number; to: number }>()
  const shown = pending ? moved(items, pending.from, pending.to) : items
  const end = async ({ operation: { source }, canceled }: DragEndEvent) => {
    if (canceled || !isSortable(source) || source.initialIndex === source.index) return
    const [from, to] = [source.initialIndex, source.index]
    const work = onMove(from, to)
    if (!work) return
    setPending({ from, to })
    await work.catch(() => undefined)
    setPending(undefined)
  }
  if (disabled) return items.map((item, at) => children(item, at, still))
  return (
    <DragDropProvider
      onDragEnd={(event) => void end(event)}
      plugins={(defaults) => [...defaults.filter((plugin) => plugin !== Accessibility), spoken]}
    >
      {shown.map((item, at) => (
        <Item
          key={keyOf(item)}
          id={keyOf(item)}
          at={at}
          name={nameOf(item)}
          isBusy={pending !== undefined}
          draw={(row) => children(item, at, row)}
        />
      ))}
    </DragDropProvider>
  )
}

const still: SortableRow = { ref: () => undefined, handle: null, isDragging: false }

function Item({
  id,
  at,
  name,
  isBusy,
  draw,
}: {
  id: string
  at: number
  name: string
  isBusy: boolean
  draw: (row: SortableRow) => ReactNode
}) {
  const { ref, handleRef, isDragging } = useSortable({ id, index: at, disabled: isBusy, data: { name } })
  const handle = (
    <button
      type="button"
      ref={handleRef}
      className="drag-handle"
      aria-label={`拖动${name}`}
      aria-roledescription="可排序"
      title="拖动调整顺序"
      disabled={isBusy}
      onPointerDown={takeFocus}
    >
      <HolderOutlined />
    </button>
  )
  return draw({ ref, handle, isDragging })
}

type Spoken = { operation: { source: { data: { name?: string } } | null; target: { index?: number } | null } }
const nameIn = ({ operation: { source } }: Spoken) => source?.data.name ?? ''

/** The kit gives the focus back to where it was when a drag begins, and the page would scroll there. */
const takeFocus = (event: PointerEvent<HTMLElement>) => event.currentTarget.focus({ preventScroll: true })

/** The words of the drag for screen readers. */
const spoken = Accessibility.configure({
  screenReaderInstructions: { draggable: '按空格键拿起，用上下方向键移动，再按空格键放下，按 Esc 取消。' },
  announcements: {
    dragstart: (event: Spoken) => `已拿起${nameIn(event)}`,
    dragover: (event: Spoken) =>
      typeof event.operation.target?.index === 'number'
        ? `${nameIn(event)}移到第 ${event.operation.target.index + 1} 位`
        : undefined,
    dragend: (event: Spoken & { canceled: boolean }) =>
      event.canceled ? `已取消，${nameIn(event)}回到原位` : `已放下${nameIn(event)}`,
  },
})

/** A list with one of its items taken out and put in elsewhere. */
export function moved<R>(list: readonly R[], from: number, to: number): R[] {
  const next = [...list]
  next.splice(to, 0, ...next.splice(from, 1))
  return next
}
