import { quoted } from '../../../contract/core/quotes.ts'
import { importStatus } from '../../../contract/core/codes/platform.ts'
import { Progress } from 'antd'
import { LockButton } from '../parts/buttons.tsx'
import { type ImportBatch } from './import-types.ts'
import { figure } from '../service/figure.ts'

const words: Record<string, { doing: string; stop: string }> = {
  [importStatus.checking]: { doing: '正在读取并检查', stop: '取消检查' },
  [importStatus.importing]: { doing: '正在导入', stop: '停止导入' },
  [importStatus.undoing]: { doing: '正在撤销', stop: '停止撤销' },
}

/** Work that takes its time: how far it is, and how to stop it. It goes on when the wizard is closed. */
export function ImportBusy({
  batch,
  onStop,
  onClose,
}: {
  batch: ImportBatch
  onStop: () => unknown
  onClose: () => void
}) {
  const { doing, stop } = words[batch.ibStatus]!
  const percent = batch.progress ?? 0
  const rows = batch.ibStatus === importStatus.importing ? batch.successCount : batch.rowCount
  return (
    <div className="import-stage import-busy">
      <div className="import-wait" role="status">
        <Progress percent={percent} status="active" />
        <p>
          {doing}
          {quoted(batch.fileName)}
          {rows > 0 ? `，共 ${figure(rows)} 行` : ''}，已完成 {percent} %
        </p>
        <p className="form-hint">
          可以关闭此窗口，处理会继续；稍后在“导入记录”中查看。
          {batch.ibStatus !== importStatus.checking && '全部成功才会生效，停止后不会留下任何改动。'}
        </p>
      </div>
      <div className="import-buttons">
        {(batch.can.includes('cancel') || batch.can.includes('discard')) && (
          <LockButton onClick={onStop}>{stop}</LockButton>
        )}
        <LockButton onClick={onClose}>后台继续</LockButton>
      </div>
    </div>
  )
}
