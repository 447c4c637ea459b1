import DeleteOutlined from '@ant-design/icons/DeleteOutlined'
import PlusOutlined from '@ant-design/icons/PlusOutlined'
import { Button, ConfigProvider, Form, Tooltip } from 'antd'
import { useRef, type ReactNode } from 'react'
import { moved, Sortable, type SortableRow } from './sortable.tsx'
import './row-editor.css'

/** A column of an editable table; `cell` draws the control of one row. */
export interface EditColumn<R> {
  title: ReactNode
  /** CSS width; one column without it takes what is left. */
  width?: number
  cell: (row: R, set: (change: Partial<R>) => void, at: number) => ReactNode
}

interface RowEditorProps<R> {
  columns: readonly EditColumn<R>[]
  value?: readonly R[]
  onChange?: (rows: R[]) => void
  /** A row as it is added. */
  blank: () => R
  addText: string
  max?: number
  /** Rows have an order that is changed by dragging. */
  canSort?: boolean
  /** Why a row must stay; nothing where it may be removed. */
  mustStay?: (row: R) => string | undefined
  empty?: string
  /** Nothing is added, moved or removed; so in a form that is only to be read as well. */
  isFixed?: boolean
  /** Under the table, beside the button: a sum, a hint. */
  foot?: ReactNode
  id?: string
}

/** Rows typed in place: add, change, order, remove. The order of the rows is the order of the value. */
export function RowEditor<R extends object>({
  columns,
  value = [],
  onChange,
  blank,
  addText,
  max = 50,
  canSort = false,
  mustStay,
  empty = '暂无数据',
  isFixed: isToldFixed = false,
  foot,
  id,
}: RowEditorProps<R>) {
  const keys = useRowKeys<R>()
  const isFixed = ConfigProvider.useConfig().componentDisabled || isToldFixed
  const isSorted = canSort && !isFixed
  const change = (at: number, part: Partial<R>) =>
    onChange?.(value.map((row, place) => (place === at ? keys.pass(row, { ...row, ...part }) : row)))
  const lineOf = (row: R, at: number, sorting?: SortableRow) => (
    <tr key={keys.of(row)} ref={sorting?.ref} className={sorting?.isDragging ? 'is-dragging' : ''}>
      {sorting && <td className="row-editor-handle">{sorting.handle}</td>}
      {columns.map((column, place) => (
        <td key={place} data-title={typeof column.title === 'string' ? column.title : ''}>
          {column.cell(row, (part) => change(at, part), at)}
        </td>
      ))}
      {!isFixed && (
        <td className="row-editor-acts">
          <IconAction
            label={mustStay?.(row) ?? `删除第 ${at + 1} 行`}
            icon={<DeleteOutlined />}
            danger
            disabled={mustStay?.(row) !== undefined}
            onClick={() => onChange?.(value.filter((_, place) => place !== at))}
          />
        </td>
      )}
    </tr>
  )
  return (
    <div className="row-editor" id={id} tabIndex={-1}>
      <OwnStatus>
        <table>
          <thead>
            <tr>
              {isSorted && (
                <th style={{ width: 32 }}>
                  <span className="visually-hidden">顺序</span>
                </th>
              )}
              {columns.map((column, at) => (
                <th key={at} style={{ width: column.width }}>
                  {column.title}
                </th>
              ))}
              {!isFixed && (
                <th style={{ width: 44 }}>
                  <span className="visually-hidden">操作</span>
                </th>
              )}
            </tr>
          </thead>
          <tbody>
            {value.length === 0 && (
              <tr className="row-editor-none">
                <td colSpan={columns.length + (isSorted ? 2 : 1)}>{empty}</td>
              </tr>
            )}
            {isSorted ? (
              <Sortable
                items={value}
                keyOf={keys.of}
                nameOf={(row) => `第 ${value.indexOf(row) + 1} 行`}
                onMove={(from, to) => onChange?.(moved(value, from, to))}
              >
                {lineOf}
              </Sortable>
            ) : (
              value.map((row, at) => lineOf(row, at))
            )}
          </tbody>
        </table>
      </OwnStatus>
      {!isFixed && (
        <div className="row-editor-foot">
          <Button
            size="small"
            icon={<PlusOutlined />}
            disabled={value.length >= max}
            onClick={() => onChange?.([...value, blank()])}
          >
            {addText}
          </Button>
          {foot}
        </div>
      )}
    </div>
  )
}

/** A key that stays with a row while it is changed or moved: rows have no ids before they are saved. */
function useRowKeys<R extends object>() {
  const known = useRef({ keys: new WeakMap<R, string>(), next: 1 })
  const of = (row: R): string => {
    const { keys } = known.current
    const key = keys.get(row) ?? `row-${known.current.next++}`
    keys.set(row, key)
    return key
  }
  const pass = (row: R, next: R): R => {
    known.current.keys.set(next, of(row))
    return next
  }
  return { of, pass }
}

/**
 * Keeps a fault of the whole list from colouring every control in it: a form of its own starts without the outer one's
 * fault.
 */
export function OwnStatus({ children }: { children: ReactNode }) {
  return <Form component={false}>{children}</Form>
}

/** An icon that acts; its words are told on hover and to screen readers. */
export function IconAction({
  label,
  icon,
  onClick,
  disabled = false,
  danger = false,
}: {
  label: string
  icon: ReactNode
  onClick: () => void
  disabled?: boolean
  danger?: boolean
}) {
  return (
    <Tooltip title={label} mouseEnterDelay={0.5}>
      <Button
        type="text"
        size="small"
        aria-label={label}
        icon={icon}
        disabled={disabled}
        danger={danger}
        onClick={onClick}
      />
    </Tooltip>
  )
}
