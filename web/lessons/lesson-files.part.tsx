import DownloadOutlined from '@ant-design/icons/DownloadOutlined'
import EyeOutlined from '@ant-design/icons/EyeOutlined'
import PaperClipOutlined from '@ant-design/icons/PaperClipOutlined'
import { Button, Modal, Skeleton } from 'antd'
import { useEffect, useState } from 'react'
import { lessonApi } from '../../contract/lessons/lessons.calls.ts'
import type { LessonDetail } from '../../contract/lessons/lessons.schema.ts'
import { download, fetchFile } from '../core/api.ts'
import { EmptyState } from '../core/empty-state.tsx'

interface Shown {
  id: string
  name: string
}

/** Kinds a browser shows by itself. */
const isShowable = (name: string) => /\.(pdf|png|jpe?g|webp)$/i.test(name)

/** The papers of a course: looked at in place where the browser can, downloaded otherwise. */
export function LessonFiles({ lesson }: { lesson: Pick<LessonDetail, 'liPlan' | 'liAttachments' | 'extFiles'> }) {
  const [shown, setShown] = useState<Shown>()
  const files = [...(lesson.liPlan ? [{ ...lesson.liPlan, note: '策划书' }] : []), ...lesson.liAttachments.map((file) => ({ ...file, note: '附件' })), ...lesson.extFiles.map((file) => ({ ...file, note: '合作与安全' }))]
  if (files.length === 0) return <EmptyState text="没有附件" />
  return (
    <>
      <ul className="lesson-files">
        {files.map(({ id, name, note }) => (
          <li key={id}>
            <PaperClipOutlined aria-hidden />
            <span title={name}>{name}</span>
            <small>{note}</small>
            {isShowable(name) && <Button type="link" size="small" icon={<EyeOutlined />} onClick={() => setShown({ id, name })}>预览</Button>}
            <Button type="link" size="small" icon={<DownloadOutlined />} onClick={() => void download(lessonApi.fileDownload, { id }).catch(() => undefined)}>下载</Button>
          </li>
        ))}
      </ul>
      {shown && <Preview file={shown} onClose={() => setShown(undefined)} />}
    </>
  )
}

function Preview({ file, onClose }: { file: Shown; onClose: () => void }) {
  const [address, setAddress] = useState<string>()
  useEffect(() => {
    const stop = new AbortController()
    let made: string | undefined
    fetchFile(lessonApi.fileDownload, { id: file.id }, { signal: stop.signal })
      .then((blob) => setAddress((made = URL.createObjectURL(blob))))
      .catch(() => undefined)
    return () => {
      stop.abort()
      if (made) URL.revokeObjectURL(made)
    }
  }, [file.id])
  return (
    <Modal open title={file.name} footer={null} width={960} style={{ top: 32 }} onCancel={onClose}>
      {!address ? <Skeleton active /> : /\.pdf$/i.test(file.name) ? <iframe className="file-preview" src={address} title={file.name} /> : <img className="file-preview" src={address} alt={file.name} />}
    </Modal>
  )
}
