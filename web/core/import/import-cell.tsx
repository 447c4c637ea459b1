import { useState } from 'react'
import type { ImportRow } from './import-types.ts'

interface ImportCellProps {
  row: ImportRow
  column: { key: string; label: string }
  /** The cell is being checked anew. */
  isSaving: boolean
  isFixed: boolean
  onMend: (text: string) => void
}

/** A cell that becomes a field when clicked. Enter or leaving it checks the row anew, Esc leaves it as it was. */
export function ImportCell({ row, column, isSaving, isFixed, onMend }: ImportCellProps) {
  const [draft, setDraft] = useState<string>()
  const text = row.cells[column.key] ?? ''
  const fault = row.faults
    .filter((one) => one.key === column.key)
    .map((one) => one.msg)
    .join('；')
  const hint = row.hints
    .filter((one) => one.key === column.key)
    .map((one) => one.msg)
    .join('；')
  const change = row.changes.find((one) => one.key === column.key)
  const label = `第 ${row.rowNo} 行${column.label}`
  if (draft !== undefined) {
    const finish = () => (onMend(draft.trim()), setDraft(undefined))
    return (
      <input
        className="cell-input"
        autoFocus
        aria-label={label}
        value={draft}
        onChange={(event) => setDraft(event.target.value)}
        onBlur={finish}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && !event.nativeEvent.isComposing) finish()
          else if (event.key === 'Escape') {
            event.stopPropagation()
            setDraft(undefined)
          }
        }}
      />
    )
  }
  const content = (
    <>
      <span>{isSaving ? '检查中…' : text || '（空）'}</span>
      {fault && <small className="cell-fault">{fault}</small>}
      {hint && !fault && <small className="cell-hint">{hint}</small>}
      {change && !fault && <small className="cell-change">原：{change.from || '（空）'}</small>}
    </>
  )
  if (isFixed) return <div className="cell">{content}</div>
  return (
    <button
      type="button"
      className={`cell${fault ? ' cell-wrong' : ''}${change ? ' cell-changed' : ''}`}
      disabled={isSaving}
      aria-label={`${label}：${text || '空'}${fault || hint ? `，${fault || hint}` : ''}，点击修改`}
      onClick={() => setDraft(text)}
    >
      {content}
    </button>
  )
}
