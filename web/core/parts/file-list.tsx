import DownloadOutlined from '@ant-design/icons/DownloadOutlined'
import EyeOutlined from '@ant-design/icons/EyeOutlined'
import PaperClipOutlined from '@ant-design/icons/PaperClipOutlined'
import { Button, Modal, Skeleton } from 'antd'
import { useState } from 'react'
import type { Call } from '../../../contract/core/call.ts'
import { download } from '../service/api.ts'
import { EmptyState } from './empty-state.tsx'
import { useFileAddress } from './stored-file.tsx'

interface ListedFile {
  id: string
  name: string
  /** What it is: 策划书, 图片. */
  note: string
}

/** Kinds a browser shows by itself. */
const isShowable = (name: string) => /\.(pdf|png|jpe?g|webp)$/i.test(name)

/**
 * The papers of a record: looked at in place where the browser can, downloaded otherwise. `view` gives a file by its
 * `id`.
 */
export function FileList({
  files,
  view,
  none = '没有附件',
}: {
  files: readonly ListedFile[]
  view: Call
  none?: string
}) {
  const [shown, setShown] = useState<ListedFile>()
  if (files.length === 0) return <EmptyState text={none} />
  return (
    <>
      <ul className="file-list">
        {files.map((file) => (
          <li key={file.id}>
            <PaperClipOutlined />
            <span title={file.name}>{file.name}</span>
            <small>{file.note}</small>
            {isShowable(file.name) && (
              <Button
                type="link"
                size="small"
                icon={<EyeOutlined />}
                aria-label={`预览${file.name}`}
                onClick={() => setShown(file)}
              >
                预览
              </Button>
            )}
            <Button
              type="link"
              size="small"
              icon={<DownloadOutlined />}
              aria-label={`下载${file.name}`}
              onClick={() => void download(view, { id: file.id }).catch(() => undefined)}
            >
              下载
            </Button>
          </li>
        ))}
      </ul>
      {shown && <Preview file={shown} view={view} onClose={() => setShown(undefined)} />}
    </>
  )
}

function Preview({ file, view, onClose }: { file: ListedFile; view: Call; onClose: () => void }) {
  const address = useFileAddress(view, file.id)
  return (
    <Modal open title={file.name} footer={null} width={960} style={{ top: 32 }} onCancel={onClose}>
      {!address ? (
        <Skeleton active />
      ) : /\.pdf$/i.test(file.name) ? (
        <iframe className="file-preview" src={address} title={file.name} />
      ) : (
        <img className="file-preview" src={address} alt={file.name} />
      )}
    </Modal>
  )
}
