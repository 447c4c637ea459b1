import { quoted } from '../../../contract/core/quotes.ts'
import { importStatus } from '../../../contract/core/codes/platform.ts'
import { Alert } from 'antd'
import { useState } from 'react'
import { download } from '../service/api.ts'
import { Dialog } from '../parts/dialog.tsx'
import { LockButton } from '../parts/buttons.tsx'
import { verdictWords, type ImportBatch, type ImportJob } from './import-types.ts'
import { figure } from '../service/figure.ts'

interface ImportDoneProps {
  job: ImportJob
  batch: ImportBatch
  onUndo: () => unknown
  onAgain: () => void
  onClose: () => void
}

/** The last step: what was written and what was not, with undo and the error workbook. */
export function ImportDone({ job: { api, kind }, batch, onUndo, onAgain, onClose }: ImportDoneProps) {
  const [isAsking, setAsking] = useState(false)
  const isUndone = batch.ibStatus === importStatus.undone
  const left = batch.newOnly ? batch.updateCount : 0
  const counts = [
    ['新增', batch.newCount],
    ['更新', batch.updateCount - left],
    ['未变', batch.sameCount],
    ['冲突', batch.conflictCount],
    ['错误', batch.faultCount],
    ...(left > 0 ? [['保持原样', left] as const] : []),
    ...(batch.skipCount > 0 ? [[verdictWords.skip, batch.skipCount] as const] : []),
  ] as const
  return (
    <div className="import-stage import-done">
      <h2>{isUndone ? '已撤销本次导入' : `已导入 ${figure(batch.successCount)} 行`}</h2>
      {isUndone && <p>新增的记录已删除，更新的记录已恢复为导入前的内容。</p>}
      {batch.fault && <Alert type="warning" showIcon title={batch.fault} />}
      <dl className="import-counts">
        {counts.map(([word, count]) => (
          <div key={word}>
            <dt>{word}</dt>
            <dd>{figure(count)}</dd>
          </div>
        ))}
      </dl>
      {batch.failCount > 0 && !isUndone && (
        <p className="form-hint">
          {figure(batch.failCount)} 行未导入。可下载错误明细，改好后重新上传，只需包含这些行。
        </p>
      )}
      <div className="import-buttons">
        {batch.errorId && (
          <LockButton onClick={() => download(api.errors, { kind, errorId: batch.errorId }).catch(() => undefined)}>
            下载错误明细
          </LockButton>
        )}
        {batch.can.includes('undo') && <LockButton onClick={() => setAsking(true)}>撤销本次导入</LockButton>}
        <LockButton onClick={onAgain}>继续导入</LockButton>
        <LockButton type="primary" onClick={onClose}>
          完成
        </LockButton>
      </div>
      <UndoQuestion batch={batch} open={isAsking} onClose={() => setAsking(false)} onUndo={onUndo} />
    </div>
  )
}

/** Asks before an import is taken back. */
export function UndoQuestion({
  batch,
  open,
  onClose,
  onUndo,
}: {
  batch: ImportBatch
  open: boolean
  onClose: () => void
  onUndo: () => unknown
}) {
  const updated = batch.newOnly ? 0 : batch.updateCount
  const consequences = [
    ...(batch.newCount > 0 ? [`新增的 ${figure(batch.newCount)} 条记录将删除`] : []),
    ...(updated > 0 ? [`更新的 ${figure(updated)} 条记录将恢复为导入前的内容`] : []),
  ]
  return (
    <Dialog
      open={open}
      title="撤销导入"
      okText="撤销"
      okButtonProps={{ danger: true }}
      cancelText="取消"
      width={440}
      onCancel={onClose}
      onOk={() => (onClose(), void onUndo())}
    >
      <p>
        确认撤销导入{quoted(batch.fileName)}？{consequences.join('，')}。记录已被后续业务使用时不能撤销。
      </p>
    </Dialog>
  )
}
