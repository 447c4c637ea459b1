import { useState } from 'react'
import { maxWorkFiles, maxWorkText } from '../../../contract/programme/lessons/works.ts'
import { ownActivityApi, type Activity } from '../../../contract/student/activities.calls.ts'
import { notify } from '../../core/service/notice.tsx'
import { useSend } from '../../core/service/use-call.ts'
import { ApiError } from '../../core/service/wire.ts'
import { AreaField } from '../parts/fields.tsx'
import { Photos, StoredPhoto } from '../parts/photos.tsx'
import { Card, Chip } from '../parts/pieces.tsx'

/** What the organiser wants handed in, what the student has, and the way to do it. */
export function WorkCard({ activity }: { activity: Activity }) {
  const { workRequest, work, can, laId } = activity
  const [isOpen, setOpen] = useState(false)
  if (workRequest === '' || laId === null) return null
  return (
    <Card
      title="提交成果"
      note={work ? <Chip tone="finished">已提交</Chip> : can.includes('work') && <Chip tone="waiting">未提交</Chip>}
    >
      <p>{workRequest}</p>
      {isOpen ? (
        <Handing activity={activity} onDone={() => setOpen(false)} />
      ) : (
        <>
          {work && (
            <>
              <p className="s-note">{`提交于 ${work.time.slice(0, 16)}`}</p>
              {work.text && <p className="s-work">{work.text}</p>}
              {work.files.length > 0 && (
                <div className="s-photos">
                  {work.files.map((file) => (
                    <div key={file.id} className="s-photo">
                      <StoredPhoto proof={file} view={ownActivityApi.workFile} />
                    </div>
                  ))}
                </div>
              )}
            </>
          )}
          {can.includes('work') && (
            <button
              type="button"
              className={work ? 's-button' : 's-button s-primary s-wide'}
              onClick={() => setOpen(true)}
            >
              {work ? '修改成果' : '提交成果'}
            </button>
          )}
        </>
      )}
    </Card>
  )
}

function Handing({ activity: { liId, work }, onDone }: { activity: Activity; onDone: () => void }) {
  const [text, setText] = useState(work?.text ?? '')
  const [files, setFiles] = useState(work?.files ?? [])
  const [isUploading, setUploading] = useState(false)
  const [fault, setFault] = useState<string>()
  const handIn = useSend(ownActivityApi.handIn)
  return (
    <form
      aria-label="提交成果"
      onSubmit={(event) => {
        event.preventDefault()
        setFault(undefined)
        void handIn.send({ liId, workText: text, workFiles: files.map(({ id }) => id) }).then(
          () => {
            notify('success', '已提交成果，活动负责人可以看到')
            onDone()
          },
          (error: unknown) => error instanceof ApiError && setFault(error.faults[0]?.msg),
        )
      }}
    >
      <AreaField
        label="成果说明"
        value={text}
        onChange={(typed) => (setText(typed), setFault(undefined))}
        maxLength={maxWorkText}
        fault={fault}
      />
      <Photos
        label="照片或文件"
        value={files}
        onChange={setFiles}
        onBusy={setUploading}
        view={ownActivityApi.workFile}
        max={maxWorkFiles}
        help={`最多 ${maxWorkFiles} 个；结果提交审批前可以修改`}
      />
      <div className="s-acts">
        <button type="button" className="s-button" onClick={onDone}>
          返回
        </button>
        <button type="submit" className="s-button s-primary" disabled={handIn.isSending || isUploading}>
          {isUploading ? '照片上传中…' : handIn.isSending ? '正在提交…' : '提交'}
        </button>
      </div>
    </form>
  )
}
