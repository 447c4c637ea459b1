import InboxOutlined from '@ant-design/icons/InboxOutlined'
import { useRef, useState, type DragEvent, type ReactNode } from 'react'

interface FileDropProps {
  /** Endings the file chooser offers: `.xlsx,.csv`. */
  accept: string
  onFiles: (files: File[]) => void
  multiple?: boolean
  disabled?: boolean
  hint?: ReactNode
}

/** A place to drop files on or to click for choosing them. */
export function FileDrop({ accept, onFiles, multiple = false, disabled = false, hint }: FileDropProps) {
  const input = useRef<HTMLInputElement>(null)
  const [isOver, setOver] = useState(false)
  const take = (files: FileList | null) => {
    const list = [...(files ?? [])]
    if (list.length > 0 && !disabled) onFiles(multiple ? list : list.slice(0, 1))
  }
  const over = (event: DragEvent, is: boolean) => {
    event.preventDefault()
    setOver(is && !disabled)
  }
  return (
    <button
      type="button"
      className={`file-drop${isOver ? ' is-over' : ''}`}
      disabled={disabled}
      onClick={() => input.current?.click()}
      onDragOver={(event) => over(event, true)}
      onDragLeave={(event) => over(event, false)}
      onDrop={(event) => {
        over(event, false)
        take(event.dataTransfer.files)
      }}
    >
      <InboxOutlined />
      <b>点击或拖入文件</b>
      {hint && <span>{hint}</span>}
      <input
        ref={input}
        type="file"
        accept={accept}
        multiple={multiple}
        hidden
        aria-label="选择文件"
        onClick={(event) => event.stopPropagation()}
        onChange={(event) => {
          take(event.target.files)
          event.target.value = ''
        }}
      />
    </button>
  )
}
