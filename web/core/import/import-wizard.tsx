import { Drawer, Modal, Steps } from 'antd'
import { useState, type ReactNode } from 'react'
import { importStatus, yesNo } from '../../../contract/core/codes/platform.ts'
import { send, upload } from '../service/api.ts'
import { LockButton } from '../parts/buttons.tsx'
import { ImportBatches } from './import-batches.tsx'
import { ImportBusy } from './import-busy.tsx'
import { ImportCheck } from './import-check.tsx'
import { ImportDone } from './import-done.tsx'
import { ImportMatch, type ColumnMatch } from './import-match.tsx'
import { isOpen as isUndecided, type ImportBatch, type ImportJob } from './import-types.ts'
import { ImportUpload } from './import-upload.tsx'
import { notify } from '../service/notice.tsx'
import { refreshAll } from '../service/use-call.ts'
import { useImportBatch } from './use-import-batch.ts'
import { useIsPhone } from '../parts/use-width.ts'

interface ImportWizardProps extends ImportJob {
  /** `批量导入学院`. */
  title: string
  hint?: ReactNode
  onClose: () => void
}

const steps = ['上传文件', '匹配列', '检查数据', '导入', '完成']
const stepOf: Record<string, number> = {
  [importStatus.checking]: 2,
  [importStatus.awaitingColumns]: 1,
  [importStatus.ready]: 2,
  [importStatus.importing]: 3,
  [importStatus.imported]: 4,
  [importStatus.undoing]: 4,
  [importStatus.undone]: 4,
}
const byteLimit = 20 * 1_048_576
/** Seconds a request waits for its work before the page shows how far it is. */
const timeoutMs = 2

/**
 * Importing a sheet: upload, match columns where need be, check and mend, write, and take back. What the service works
 * on goes on when the wizard is closed, and is found again among the earlier imports. Drawn only while open.
 */
export function ImportWizard({ title, hint, onClose, ...job }: ImportWizardProps) {
  const { api, kind, target } = job
  const isPhone = useIsPhone()
  const [isOpen, setOpen] = useState(true)
  const [isLeaving, setLeaving] = useState(false)
  const [view, setView] = useState<'import' | 'records'>('import')
  const [share, setShare] = useState<number>()
  const [isMatching, setMatching] = useState(false)
  const [batch, setBatch] = useImportBatch(job)
  // kept here, where a look at the earlier imports does not end them
  const [match, setMatch] = useState<ColumnMatch>()
  const [newOnlyId, setNewOnlyId] = useState<string>()
  const step = isMatching ? 1 : batch ? (stepOf[batch.ibStatus] ?? 0) : 0

  /** Makes a call that gives the batch. Why it was refused has been told; then the batch stays as it was. */
  const run = async (work: () => Promise<ImportBatch>) => {
    const now = await work().catch(() => undefined)
    if (!now) return
    setBatch(now)
    setMatching(false)
    if (now.ibStatus === importStatus.imported || now.ibStatus === importStatus.undone) void refreshAll()
  }
  const take = async (file: File) => {
    if (file.size > byteLimit) return notify('warning', '文件超过 20 MB，请拆分后上传')
    setShare(0)
    await run(() => upload(api.upload, { kind, ...target, match: '1', wait: timeoutMs }, file, setShare))
    setShare(undefined)
  }
  const begin = () => {
    setBatch(undefined)
    setMatching(false)
  }
  const act = {
    commit: (newOnly: boolean) =>
      run(() =>
        send(
          api.commit,
          {
            kind,
            ibId: batch!.ibId,
            skipFaults: yesNo.yes,
            ...(newOnly ? { newOnly: yesNo.yes } : {}),
            wait: timeoutMs,
          },
          { blocks: false },
        ),
      ),
    undo: () => run(() => send(api.undo, { kind, ibId: batch!.ibId, wait: timeoutMs }, { blocks: false })),
    cancel: () => run(() => send(api.cancel, { kind, ibId: batch!.ibId }, { blocks: false })),
    discard: async () => {
      if (batch)
        await send(api.discard, { kind, ibId: batch.ibId }, { quiet: true, blocks: false }).catch(() => undefined)
      setLeaving(false)
      begin()
    },
  }
  const leave = () => (batch && isUndecided(batch) && !share ? setLeaving(true) : setOpen(false))

  return (
    <Drawer
      open={isOpen}
      onClose={leave}
      afterOpenChange={(open) => !open && onClose()}
      size={isPhone ? '100%' : 1120}
      title={title}
      className="import-wizard"
      mask={{ closable: false }}
      extra={
        <button type="button" className="row-act" onClick={() => setView(view === 'import' ? 'records' : 'import')}>
          {view === 'import' ? '导入记录' : '返回导入'}
        </button>
      }
    >
      {view === 'records' ? (
        <ImportBatches job={job} onOpen={(one) => (setBatch(one), setView('import'))} />
      ) : (
        <>
          <Steps
            size="small"
            current={step}
            responsive={false}
            titlePlacement={isPhone ? 'vertical' : 'horizontal'}
            items={steps.map((each) => ({ title: each }))}
          />
          {step === 0 && (
            <ImportUpload
              job={job}
              hint={hint}
              share={share}
              failed={batch}
              onFile={(file) => void take(file)}
              onOpen={setBatch}
            />
          )}
          {step === 1 && batch && (
            <ImportMatch
              job={job}
              batch={batch}
              match={match?.ibId === batch.ibId ? match : { ibId: batch.ibId, headNo: undefined, chosen: new Map() }}
              onMatch={setMatch}
              onMatched={(wanted) =>
                run(() => send(api.match, { kind, ibId: batch.ibId, ...wanted, wait: timeoutMs }, { blocks: false }))
              }
              onAgain={begin}
            />
          )}
          {(batch?.ibStatus === importStatus.checking ||
            batch?.ibStatus === importStatus.importing ||
            batch?.ibStatus === importStatus.undoing) &&
            !isMatching && (
              <ImportBusy
                batch={batch}
                onStop={() => (batch.ibStatus === importStatus.checking ? act.discard() : act.cancel())}
                onClose={() => setOpen(false)}
              />
            )}
          {batch?.ibStatus === importStatus.ready && !isMatching && (
            <ImportCheck
              job={job}
              batch={batch}
              newOnly={newOnlyId === batch.ibId}
              onNewOnly={(isSo) => setNewOnlyId(isSo ? batch.ibId : undefined)}
              onBatch={setBatch}
              onCommit={act.commit}
              onRematch={() => setMatching(true)}
              onAgain={begin}
              onLeave={leave}
            />
          )}
          {(batch?.ibStatus === importStatus.imported || batch?.ibStatus === importStatus.undone) && (
            <ImportDone job={job} batch={batch} onUndo={act.undo} onAgain={begin} onClose={() => setOpen(false)} />
          )}
        </>
      )}
      <Modal
        open={isLeaving}
        title="关闭导入"
        width={440}
        onCancel={() => setLeaving(false)}
        footer={[
          ...(batch?.can.includes('discard')
            ? [
                <LockButton key="drop" danger type="text" onClick={() => act.discard().then(() => setOpen(false))}>
                  放弃导入
                </LockButton>,
              ]
            : []),
          <LockButton key="stay" onClick={() => setLeaving(false)}>
            继续
          </LockButton>,
          <LockButton key="keep" type="primary" onClick={() => (setLeaving(false), setOpen(false))}>
            保留并关闭
          </LockButton>,
        ]}
      >
        <p>
          {batch?.ibStatus === importStatus.importing || batch?.ibStatus === importStatus.checking
            ? '关闭后处理仍会继续，可在“导入记录”中查看进度和结果。'
            : '数据尚未写入。保留 24 小时，可从“导入记录”继续；不再需要时可以放弃。'}
        </p>
      </Modal>
    </Drawer>
  )
}
