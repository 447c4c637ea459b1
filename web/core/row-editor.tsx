import ArrowDownOutlined from '@ant-design/icons/ArrowDownOutlined'
import ArrowUpOutlined from '@ant-design/icons/ArrowUpOutlined'
import DeleteOutlined from '@ant-design/icons/DeleteOutlined'
import PlusOutlined from '@ant-design/icons/PlusOutlined'
import { Button, Form, Tooltip } from 'antd'
import type { ReactNode } from 'react'
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
  /** Rows have an order that may be changed. */
  canSort?: boolean
  empty?: string
  /** Only to be read: nothing is added, moved or removed. */
  isFixed?: boolean
  /** Under the table, beside the button: a sum, a hint. */
  foot?: ReactNode
  id?: string
}

/** Rows typed in place: add, change, order, remove. The order of the rows is the order of the value. */
export function RowEditor<R extends object>({ columns, value = [], onChange, blank, addText, max = 50, canSort = false, empty = '暂无数据', isFixed = false, foot, id }: RowEditorProps<R>) {
  const change = (at: number, part: Partial<R>) => onChange?.(value.map((row, place) => (place === at ? { ...row, ...part } : row)))
  const move = (at: number, by: number) => onChange?.(swapped(value, at, at + by))
  return (
    <div className="row-editor" id={id} tabIndex={-1}>
      <OwnStatus>
        <table>
          <thead>
            <tr>
              {columns.map((column, at) => <th key={at} style={{ width: column.width }}>{column.title}</th>)}
              {!isFixed && <th style={{ width: canSort ? 104 : 44 }}><span className="visually-hidden">操作</span></th>}
            </tr>
          </thead>
          <tbody>
            {value.length === 0 && <tr className="row-editor-none"><td colSpan={columns.length + 1}>{empty}</td></tr>}
            {value.map((row, at) => (
              <tr key={at}>
                {columns.map((column, place) => <td key={place} data-title={typeof column.title === 'string' ? column.title : ''}>{column.cell(row, (part) => change(at, part), at)}</td>)}
                {!isFixed && (
                  <td className="row-editor-acts">
                    {canSort && <IconAct label={`上移第 ${at + 1} 行`} icon={<ArrowUpOutlined />} disabled={at === 0} onClick={() => move(at, -1)} />}
                    {canSort && <IconAct label={`下移第 ${at + 1} 行`} icon={<ArrowDownOutlined />} disabled={at === value.length - 1} onClick={() => move(at, 1)} />}
                    <IconAct label={`删除第 ${at + 1} 行`} icon={<DeleteOutlined />} danger onClick={() => onChange?.(value.filter((_, place) => place !== at))} />
                  </td>
                )}
              </tr>
            ))}
          </tbody>
        </table>
      </OwnStatus>
      {!isFixed && (
        <div className="row-editor-foot">
          <Button size="small" icon={<PlusOutlined />} disabled={value.length >= max} onClick={() => onChange?.([...value, blank()])}>{addText}</Button>
          {foot}
        </div>
      )}
    </div>
  )
}

/** Keeps a fault of the whole list from colouring every control in it: a form of its own starts without the outer one's fault. */
export function OwnStatus({ children }: { children: ReactNode }) {
  return <Form component={false}>{children}</Form>
}

/** An icon that acts; its words are told on hover and to screen readers. */
export function IconAct({ label, icon, onClick, disabled = false, danger = false }: { label: string; icon: ReactNode; onClick: () => void; disabled?: boolean; danger?: boolean }) {
  return <Tooltip title={label} mouseEnterDelay={0.5}><Button type="text" size="small" aria-label={label} icon={icon} disabled={disabled} danger={danger} onClick={onClick} /></Tooltip>
}

/** A list with two of its places exchanged; unchanged where one of them does not exist. */
export function swapped<R>(list: readonly R[], one: number, other: number): R[] {
  const next = [...list]
  if (one < 0 || other < 0 || one >= list.length || other >= list.length) return next
  ;[next[one], next[other]] = [next[other]!, next[one]!]
  return next
}
