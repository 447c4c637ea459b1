import { Table, type TableColumnType } from 'antd'
import { useState, type ReactNode } from 'react'
import { ImportCell } from './import-cell.tsx'
import { verdictTones, verdictWords, type ImportRow } from './import-types.ts'
import { StatusChip } from '../parts/status-chip.tsx'

interface ImportRowsProps {
  rows: readonly ImportRow[]
  columns: readonly { key: string; label: string; required: boolean }[]
  isLoading: boolean
  empty: ReactNode
  /** Which cells (`12:suiName`) and rows (`12:`) are being checked anew. */
  saving: ReadonlySet<string>
  onMend: (row: ImportRow, key: string, text: string) => void
  onSkip: (row: ImportRow) => void
}

/** The rows of an import as a table: verdict, every cell to be mended in place, and leaving the row out. */
export function ImportTable({ rows, columns, isLoading, empty, saving, onMend, onSkip }: ImportRowsProps) {
  const shown: TableColumnType<ImportRow>[] = [
    { title: '行号', dataIndex: 'rowNo', width: 64, fixed: 'start', className: 'figures' },
    { title: '结论', key: 'verdict', width: 150, fixed: 'start', render: (_, row) => <RowVerdict row={row} /> },
    ...columns.map((column) => ({
      title: column.required ? `${column.label} *` : column.label,
      key: column.key,
      width: 160,
      render: (_: unknown, row: ImportRow) => (
        <ImportCell
          row={row}
          column={column}
          isSaving={saving.has(`${row.rowNo}:${column.key}`)}
          isFixed={row.verdict === 'skip'}
          onMend={(text) => onMend(row, column.key, text)}
        />
      ),
    })),
    {
      title: '操作',
      key: 'act',
      width: 84,
      fixed: 'end',
      render: (_, row) => <SkipButton row={row} isSaving={saving.has(`${row.rowNo}:`)} onSkip={onSkip} />,
    },
  ]
  return (
    <Table<ImportRow>
      size="small"
      rowKey="rowNo"
      columns={shown}
      dataSource={rows}
      loading={isLoading}
      pagination={false}
      scroll={{ x: 298 + columns.length * 160, y: '46vh' }}
      locale={{ emptyText: empty }}
    />
  )
}

/** The same on a phone: a card a row, what is wrong or changes first, the rest on demand. */
export function ImportCards({ rows, columns, empty, saving, onMend, onSkip }: ImportRowsProps) {
  const [opened, setOpened] = useState<ReadonlySet<number>>(new Set())
  if (rows.length === 0) return <div className="form-hint">{empty}</div>
  const toggle = (rowNo: number) =>
    setOpened((now) => (now.has(rowNo) ? new Set([...now].filter((one) => one !== rowNo)) : new Set([...now, rowNo])))
  return (
    <ul className="cards import-cards">
      {rows.map((row) => {
        const faultyKeys = new Set([
          ...row.faults.map(({ key }) => key),
          ...row.hints.map(({ key }) => key),
          ...row.changes.map(({ key }) => key),
        ])
        const isOpen = opened.has(row.rowNo)
        const named = columns
          .slice(0, 2)
          .map(({ key }) => row.cells[key])
          .filter(Boolean)
          .join(' ')
        return (
          <li key={row.rowNo}>
            <div className="cards-head">
              <b>
                第 {row.rowNo} 行 {named}
              </b>
              <RowVerdict row={row} />
            </div>
            <dl>
              {columns
                .filter(({ key }) => isOpen || faultyKeys.has(key))
                .map((column) => (
                  <div key={column.key}>
                    <dt>{column.label}</dt>
                    <dd>
                      <ImportCell
                        row={row}
                        column={column}
                        isSaving={saving.has(`${row.rowNo}:${column.key}`)}
                        isFixed={row.verdict === 'skip'}
                        onMend={(text) => onMend(row, column.key, text)}
                      />
                    </dd>
                  </div>
                ))}
            </dl>
            <div className="import-acts">
              <button type="button" className="row-act" aria-expanded={isOpen} onClick={() => toggle(row.rowNo)}>
                {isOpen ? '收起' : '全部字段'}
              </button>
              <SkipButton row={row} isSaving={saving.has(`${row.rowNo}:`)} onSkip={onSkip} />
            </div>
          </li>
        )
      })}
    </ul>
  )
}

/** The verdict, and the faults that concern no single cell. */
function RowVerdict({ row }: { row: ImportRow }) {
  const general = row.faults.filter((fault) => !fault.key || !(fault.key in row.cells)).map((fault) => fault.msg)
  return (
    <>
      <StatusChip tone={verdictTones[row.verdict]}>{verdictWords[row.verdict]}</StatusChip>
      {general.length > 0 && <p className="cell-fault">{general.join('；')}</p>}
    </>
  )
}

function SkipButton({
  row,
  isSaving,
  onSkip,
}: {
  row: ImportRow
  isSaving: boolean
  onSkip: (row: ImportRow) => void
}) {
  const word = row.verdict === 'skip' ? '恢复' : '跳过'
  return (
    <button
      type="button"
      className="row-act"
      disabled={isSaving}
      aria-label={`${word}第 ${row.rowNo} 行`}
      onClick={() => onSkip(row)}
    >
      {word}
    </button>
  )
}
