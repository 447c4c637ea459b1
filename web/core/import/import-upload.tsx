import { quoted } from '../../../contract/core/quotes.ts'
import { maxImportRows } from '../../../contract/platform/imports/imports.schema.ts'
import { importStatus } from '../../../contract/core/codes/platform.ts'
import { Alert, Progress } from 'antd'
import type { ReactNode } from 'react'
import { download } from '../service/api.ts'
import { FileDrop } from '../parts/file-drop.tsx'
import { isBusy, isOpen, type ImportBatch, type ImportJob } from './import-types.ts'
import { labelOf } from '../service/dictionary-store.ts'
import { useCall } from '../service/use-call.ts'
import { figure } from '../service/figure.ts'

interface ImportUploadProps {
  job: ImportJob
  hint?: ReactNode
  /** Share of the file that has been sent; undefined while none is. */
  share: number | undefined
  /** The batch that could not be checked, or was given up. */
  failed: ImportBatch | undefined
  onFile: (file: File) => void
  onOpen: (batch: ImportBatch) => void
}

/** The first step: the template, the file, and what was begun before and not ended. */
export function ImportUpload({ job: { api, kind, target }, hint, share, failed, onFile, onOpen }: ImportUploadProps) {
  const { data } = useCall(api.batches, { kind, ...target, current: 1, pageSize: 10 }, { staleTime: 0 })
  const open = data?.records.find(isOpen)
  return (
    <div className="import-stage">
      <p className="import-note">
        请使用最新模板填写；其他系统导出的表格也可以上传，再指定各列的含义。先检查、后写入，有错误的行不会影响其他行。
        <button
          type="button"
          className="row-act"
          onClick={() => void download(api.template, { kind, ...target }).catch(() => undefined)}
        >
          下载模板（XLSX）
        </button>
      </p>
      {hint && <p className="form-hint">{hint}</p>}
      {failed?.ibStatus === importStatus.checkFailed && (
        <Alert type="error" showIcon title={`${quoted(failed.fileName)}未能检查`} description={failed.fault} />
      )}
      {open && share === undefined && (
        <Alert
          type="info"
          showIcon
          title={`有一次导入尚未结束：${open.fileName}（${labelOf('import_status', open.ibStatus)}${isBusy(open) && open.progress !== null ? ` ${open.progress} %` : ''}）`}
          action={
            <button type="button" className="row-act" onClick={() => onOpen(open)}>
              继续
            </button>
          }
        />
      )}
      <FileDrop
        accept=".xlsx,.csv"
        disabled={share !== undefined}
        hint={`支持 XLSX、CSV，一次最多 ${figure(maxImportRows(kind))} 行，不超过 20 MB`}
        onFiles={([file]) => file && onFile(file)}
      />
      {share !== undefined && (
        <div className="import-wait" role="status">
          <Progress percent={Math.round(share * 100)} status="active" />
          <p>{share < 1 ? '正在上传…' : '正在检查数据…'}</p>
        </div>
      )}
    </div>
  )
}
