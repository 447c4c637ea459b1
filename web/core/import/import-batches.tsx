import { importStatus } from '../../../contract/core/codes/platform.ts'
import { Alert } from 'antd'
import { useEffect, useState } from 'react'
import { download, send } from '../service/api.ts'
import { ReadSkeleton } from '../screen/read-skeleton.tsx'
import { EmptyState } from '../parts/empty-state.tsx'
import { UndoQuestion } from './import-done.tsx'
import { countOf, isBusy, isOpen, stateTones, verdictWords, type ImportBatch, type ImportJob } from './import-types.ts'
import { labelOf } from '../service/dictionary-store.ts'
import { PaginationBar } from '../parts/pagination.tsx'
import { StatusChip } from '../parts/status-chip.tsx'
import { refreshAll, useCall } from '../service/use-call.ts'
import { figure } from '../service/figure.ts'

const pageSize = 10

/** Earlier imports of the kind: how far those under way are, what the others did, and taking them back. */
export function ImportBatches({ job, onOpen }: { job: ImportJob; onOpen: (batch: ImportBatch) => void }) {
  const { api, kind, target } = job
  const [current, setCurrent] = useState(1)
  const [asking, setAsking] = useState<ImportBatch>()
  const [hindrance, setHindrance] = useState('')
  const { data, refetch } = useCall(
    api.batches,
    { kind, ...target, current, pageSize },
    { keepPrevious: true, staleTime: 0 },
  )
  const isAnyBusy = data?.records.some(isBusy) ?? false
  useEffect(() => {
    if (!isAnyBusy) return
    const timer = setInterval(() => void refetch(), 1500)
    return () => clearInterval(timer)
  }, [isAnyBusy, refetch])

  const undo = async ({ ibId }: ImportBatch) => {
    setHindrance('')
    await send(api.undo, { kind, ibId, wait: 2 }, { quiet: true, blocks: false }).catch((error: unknown) =>
      setHindrance(error instanceof Error ? error.message : ''),
    )
    await refreshAll()
  }
  if (!data) return <ReadSkeleton paragraph={{ rows: 6 }} />
  if (data.total === 0) return <EmptyState text="还没有导入记录" hint="导入后可在这里查看结果、下载错误明细或撤销。" />
  return (
    <div className="import-stage import-records">
      {hindrance && <Alert type="warning" showIcon title={hindrance} closable={{ onClose: () => setHindrance('') }} />}
      <ul className="cards import-cards">
        {data.records.map((batch) => (
          <li key={batch.ibId}>
            <div className="cards-head">
              <b title={batch.fileName}>{batch.fileName}</b>
              <StatusChip
                tone={stateTones[batch.ibStatus] ?? 'draft'}
              >{`${labelOf('import_status', batch.ibStatus)}${isBusy(batch) && batch.progress !== null ? ` ${batch.progress} %` : ''}`}</StatusChip>
            </div>
            <p className="import-facts">{factsOf(batch)}</p>
            {batch.fault && <p className="cell-fault">{batch.fault}</p>}
            <p className="import-when">
              {batch.createName} 上传于 {batch.createTime.slice(0, 16)}
              {batch.commitTime && `，导入于 ${batch.commitTime.slice(0, 16)}`}
              {batch.undoTime && `，撤销于 ${batch.undoTime.slice(0, 16)}`}
            </p>
            <div className="import-acts">
              {isOpen(batch) && (
                <button type="button" className="row-act" onClick={() => onOpen(batch)}>
                  {isBusy(batch) ? '查看进度' : '继续'}
                </button>
              )}
              {batch.errorId && (
                <button
                  type="button"
                  className="row-act"
                  onClick={() => void download(api.errors, { kind, errorId: batch.errorId }).catch(() => undefined)}
                >
                  下载错误明细
                </button>
              )}
              {batch.can.includes('undo') && (
                <button type="button" className="row-act" onClick={() => setAsking(batch)}>
                  撤销
                </button>
              )}
            </div>
          </li>
        ))}
      </ul>
      {data.total > pageSize && (
        <PaginationBar
          className="list-pages"
          current={current}
          pageSize={pageSize}
          total={data.total}
          showSizeChanger={false}
          onChange={setCurrent}
        />
      )}
      {asking && <UndoQuestion batch={asking} open onClose={() => setAsking(undefined)} onUndo={() => undo(asking)} />}
    </div>
  )
}

const countedVerdicts = ['new', 'update', 'same', 'conflict', 'fault', 'skip'] as const

/** `共 16 行：新增 12 行，更新 3 行，错误 1 行` */
function factsOf(batch: ImportBatch): string {
  if (batch.ibStatus === importStatus.awaitingColumns) return '等待指定各列的含义'
  if (batch.rowCount === 0) return isBusy(batch) ? '正在读取' : '没有读取任何数据'
  const parts = countedVerdicts.flatMap((verdict) =>
    countOf(batch, verdict) > 0
      ? [
          `${verdict === 'update' && batch.newOnly ? '保持原样' : verdictWords[verdict]} ${figure(countOf(batch, verdict))} 行`,
        ]
      : [],
  )
  return `共 ${figure(batch.rowCount)} 行：${parts.join('，')}`
}
