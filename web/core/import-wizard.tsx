import { Drawer, Modal, Progress, Steps } from 'antd'
import { useState, type ReactNode } from 'react'
import { download, send, upload } from './api.ts'
import { LockButton } from './buttons.tsx'
import { FileDrop } from './file-drop.tsx'
import { ImportCheck } from './import-check.tsx'
import type { ImportBatch, ImportJob } from './import-types.ts'
import { notify } from './notice.tsx'
import { refreshAll } from './use-call.ts'
import { useIsPhone } from './use-width.ts'

interface ImportWizardProps extends ImportJob {
  /** `批量导入学院`. */
  title: string
  hint?: ReactNode
  onClose: () => void
}

type Stage = 'upload' | 'check' | 'commit' | 'done'
const stages: Stage[] = ['upload', 'check', 'commit', 'done']
const byteLimit = 10 * 1_048_576

/** Importing a sheet: upload, check and mend, write, and take back if need be. Drawn only while open. */
export function ImportWizard({ title, hint, onClose, ...job }: ImportWizardProps) {
  const { api, kind, target } = job
  const isPhone = useIsPhone()
  const [isOpen, setOpen] = useState(true)
  const [isLeaving, setLeaving] = useState(false)
  const [stage, setStage] = useState<Stage>('upload')
  const [share, setShare] = useState<number>()
  const [batch, setBatch] = useState<ImportBatch>()

  const take = async (file: File) => {
    if (file.size > byteLimit) return notify('warning', '文件超过 10 MB，请拆分后上传')
    setShare(0)
    try {
      setBatch(await upload(api.upload, { kind, ...target }, file, setShare))
      setStage('check')
    } catch {
      // the reason has been told; the person chooses another file
    } finally {
      setShare(undefined)
    }
  }
  const commit = async () => {
    if (!batch) return
    setStage('commit')
    try {
      setBatch(await send(api.commit, { kind, ibId: batch.ibId, skipFaults: '1' }, { blocks: false }))
      setStage('done')
      void refreshAll()
    } catch {
      setStage('check')
    }
  }
  const undo = async () => {
    if (!batch) return
    try {
      setBatch(await send(api.undo, { kind, ibId: batch.ibId }))
      notify('success', '已撤销本次导入')
      void refreshAll()
    } catch {
      // the reason has been told
    }
  }
  const leave = () => {
    if (stage === 'check') setLeaving(true)
    else if (stage !== 'commit') setOpen(false)
  }
  const discard = () => {
    if (batch) void send(api.discard, { kind, ibId: batch.ibId }, { quiet: true, blocks: false }).catch(() => undefined)
    setLeaving(false)
    setOpen(false)
  }

  return (
    <Drawer open={isOpen} onClose={leave} afterOpenChange={(open) => !open && onClose()} size={isPhone ? '100%' : 1080} title={title} className="import-wizard" mask={{ closable: false }}>
      <Steps size="small" current={stages.indexOf(stage)} responsive={false} titlePlacement={isPhone ? 'vertical' : 'horizontal'} items={['上传文件', '检查数据', '导入', '完成'].map((step) => ({ title: step }))} />
      {stage === 'upload' && <UploadStage job={job} hint={hint} share={share} onFile={(file) => void take(file)} />}
      {stage === 'check' && batch && <ImportCheck job={job} batch={batch} onBatch={setBatch} onCommit={() => void commit()} onAgain={() => setStage('upload')} onLeave={leave} />}
      {stage === 'commit' && batch && (
        <div className="import-wait" role="status">
          <Progress percent={100} status="active" showInfo={false} />
          <p>正在导入 {batch.successCount} 行，请不要关闭页面…</p>
        </div>
      )}
      {stage === 'done' && batch && <DoneStage job={job} batch={batch} onUndo={() => void undo()} onAgain={() => (setBatch(undefined), setStage('upload'))} onClose={() => setOpen(false)} />}
      <Modal open={isLeaving} title="放弃本次导入？" okText="放弃导入" okButtonProps={{ danger: true }} cancelText="继续" width={400} onOk={discard} onCancel={() => setLeaving(false)}>
        <p>数据尚未写入，放弃后需要重新上传文件。</p>
      </Modal>
    </Drawer>
  )
}

function UploadStage({ job, hint, share, onFile }: { job: ImportJob; hint?: ReactNode; share: number | undefined; onFile: (file: File) => void }) {
  return (
    <div className="import-stage">
      <p className="import-note">
        请使用最新模板填写，先检查、后写入，有错误的行不会影响其他行。
        <button type="button" className="row-act" onClick={() => void download(job.api.template, { kind: job.kind, ...job.target }).catch(() => undefined)}>下载模板（XLSX）</button>
      </p>
      {hint && <p className="form-hint">{hint}</p>}
      <FileDrop accept=".xlsx,.csv" disabled={share !== undefined} hint="支持 XLSX、CSV，一次最多 5000 行，不超过 10 MB" onFiles={([file]) => file && onFile(file)} />
      {share !== undefined && (
        <div className="import-wait" role="status">
          <Progress percent={Math.round(share * 100)} status="active" />
          <p>{share < 1 ? '正在上传…' : '正在检查数据…'}</p>
        </div>
      )}
    </div>
  )
}

function DoneStage({ job, batch, onUndo, onAgain, onClose }: { job: ImportJob; batch: ImportBatch; onUndo: () => void; onAgain: () => void; onClose: () => void }) {
  const isUndone = !batch.can.includes('undo')
  return (
    <div className="import-stage import-done">
      <h2>{isUndone && batch.can.length === 0 && batch.successCount === 0 ? '已撤销' : `已导入 ${batch.successCount} 行`}</h2>
      <p>新增 {batch.newCount} 行，更新 {batch.updateCount} 行，未变 {batch.sameCount} 行，未导入 {batch.failCount} 行。</p>
      <div className="import-buttons">
        {batch.errorId && <LockButton onClick={() => download(job.api.errors, { kind: job.kind, errorId: batch.errorId }).catch(() => undefined)}>下载错误明细</LockButton>}
        {batch.can.includes('undo') && <LockButton onClick={onUndo}>撤销本次导入</LockButton>}
        <LockButton onClick={onAgain}>继续导入</LockButton>
        <LockButton type="primary" onClick={onClose}>完成</LockButton>
      </div>
    </div>
  )
}
