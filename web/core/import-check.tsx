import { Pagination, Table, type TableColumnType } from 'antd'
import { useState } from 'react'
import { download, send } from './api.ts'
import { LockButton } from './buttons.tsx'
import { countOf, verdictWords, worstOf, type ImportBatch, type ImportJob, type ImportPage, type ImportRow, type Verdict } from './import-types.ts'
import { StatusChip, type ChipTone } from './status-chip.tsx'
import { queryClient, useCall } from './use-call.ts'

interface ImportCheckProps {
  job: ImportJob
  batch: ImportBatch
  onBatch: (batch: ImportBatch) => void
  onCommit: () => void
  onAgain: () => void
  onLeave: () => void
}

const tones: Record<Verdict, ChipTone> = { fault: 'refused', conflict: 'waiting', new: 'finished', update: 'published', same: 'draft' }
const order: Verdict[] = ['fault', 'conflict', 'new', 'update', 'same']
const pageSize = 20

/** The second step: what each row would do; what is wrong stands first and is mended in place. */
export function ImportCheck({ job, batch, onBatch, onCommit, onAgain, onLeave }: ImportCheckProps) {
  const { api, kind } = job
  const [verdict, setVerdict] = useState<Verdict>(() => worstOf(batch))
  const [current, setCurrent] = useState(1)
  const [saving, setSaving] = useState<string>()
  const input = { kind, ibId: batch.ibId, verdict, current, pageSize }
  const answer = useCall(api.preview, input, { keep: true })
  const page = answer.data as ImportPage | undefined

  const mend = async (row: ImportRow, key: string, text: string) => {
    if (text === (row.cells[key] ?? '')) return
    setSaving(`${row.rowNo}:${key}`)
    try {
      const changed = await send(api.editRow, { kind, ibId: batch.ibId, rowNo: row.rowNo, cells: { ...row.cells, [key]: text } }, { blocks: false })
      onBatch(changed.batch)
      queryClient.setQueriesData<ImportPage>({ queryKey: [api.preview.path] }, (old) => old && { ...old, records: old.records.map((one) => (one.rowNo === row.rowNo ? changed.row : one)) })
    } catch {
      // the reason has been told; the cell shows what it held
    } finally {
      setSaving(undefined)
    }
  }
  const columns: TableColumnType<ImportRow>[] = [
    { title: '行号', dataIndex: 'rowNo', width: 64, fixed: 'start', className: 'figures' },
    { title: '结论', key: 'verdict', width: 180, fixed: 'start', render: (_, row) => <RowVerdict row={row} /> },
    ...(page?.columns ?? []).map((column) => ({
      title: column.required ? `${column.label} *` : column.label,
      key: column.key,
      width: 160,
      render: (_: unknown, row: ImportRow) => <Cell row={row} column={column} isSaving={saving === `${row.rowNo}:${column.key}`} onMend={(text) => void mend(row, column.key, text)} />,
    })),
  ]
  const wrong = batch.faultCount + batch.conflictCount
  return (
    <div className="import-stage">
      <div className="views" role="group" aria-label="结论">
        {order.map((one) => (
          <button key={one} type="button" aria-pressed={one === verdict} disabled={countOf(batch, one) === 0 && one !== verdict} onClick={() => (setVerdict(one), setCurrent(1))}>
            {verdictWords[one]}<small>{countOf(batch, one)}</small>
          </button>
        ))}
        <span className="import-file" title={batch.fileName}>{batch.fileName}</span>
      </div>
      {verdict === 'fault' && batch.faultCount > 0 && <p className="form-hint import-tip">点击标红的单元格可直接修改，改好后自动重新检查。</p>}
      <Table<ImportRow> size="small" rowKey="rowNo" columns={columns} dataSource={page?.records ?? []} loading={answer.isPending} pagination={false} scroll={{ x: 244 + (page?.columns.length ?? 4) * 160, y: '52vh' }} locale={{ emptyText: `没有${verdictWords[verdict]}的行` }} />
      {(page?.total ?? 0) > pageSize && <Pagination className="list-pages" current={current} pageSize={pageSize} total={page!.total} showSizeChanger={false} onChange={setCurrent} />}
      <div className="form-foot import-foot">
        <LockButton onClick={onLeave}>放弃</LockButton>
        <LockButton onClick={onAgain}>重新上传</LockButton>
        {batch.errorId && wrong > 0 && <LockButton onClick={() => download(api.errors, { kind, errorId: batch.errorId }).catch(() => undefined)}>下载错误明细</LockButton>}
        <LockButton type="primary" disabled={batch.successCount === 0} onClick={onCommit}>{wrong > 0 ? `跳过 ${wrong} 行，导入 ${batch.successCount} 行` : `导入 ${batch.successCount} 行`}</LockButton>
      </div>
    </div>
  )
}

function RowVerdict({ row }: { row: ImportRow }) {
  const general = row.faults.filter((fault) => !fault.key || !(fault.key in row.cells)).map((fault) => fault.msg)
  return (
    <>
      <StatusChip tone={tones[row.verdict]}>{verdictWords[row.verdict]}</StatusChip>
      {general.length > 0 && <p className="cell-fault">{general.join('；')}</p>}
    </>
  )
}

interface CellProps {
  row: ImportRow
  column: ImportPage['columns'][number]
  isSaving: boolean
  onMend: (text: string) => void
}

/** A cell that becomes a field when clicked. Enter or leaving it checks the row anew, Esc leaves it as it was. */
function Cell({ row, column, isSaving, onMend }: CellProps) {
  const [draft, setDraft] = useState<string>()
  const text = row.cells[column.key] ?? ''
  const fault = row.faults.filter((one) => one.key === column.key).map((one) => one.msg).join('；')
  const change = row.changes.find((one) => one.key === column.key)
  if (draft !== undefined) {
    const finish = () => (onMend(draft.trim()), setDraft(undefined))
    return (
      <input
        className="cell-input"
        autoFocus
        aria-label={`第 ${row.rowNo} 行${column.label}`}
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
  return (
    <button type="button" className={`cell${fault ? ' cell-wrong' : ''}`} disabled={isSaving} title="点击修改" onClick={() => setDraft(text)}>
      <span>{isSaving ? '检查中…' : text || '（空）'}</span>
      {fault && <small className="cell-fault">{fault}</small>}
      {change && !fault && <small>原：{change.from || '（空）'}</small>}
    </button>
  )
}
