import DeleteOutlined from '@ant-design/icons/DeleteOutlined'
import PaperClipOutlined from '@ant-design/icons/PaperClipOutlined'
import PlusOutlined from '@ant-design/icons/PlusOutlined'
import { Button, Form, Progress } from 'antd'
import { useRef, useState, type ReactNode } from 'react'
import type { z } from 'zod'
import { quoted } from '../../../contract/core/quotes.ts'
import type { Call } from '../../../contract/core/call.ts'
import { upload } from '../service/api.ts'
import { Field, useField, type FieldProps } from './form-field.tsx'
import { notify } from '../service/notice.tsx'
import { useAwaited, useSetField } from './scoped-form.tsx'
import { FileLink, StoredImage } from '../parts/stored-file.tsx'

/** The calls that keep and give files; the contract's file api fits. */
interface FileCalls {
  upload: Call<z.ZodType, z.ZodType<{ fileId: string; fileName: string }>>
  view: Call
}

interface NamedFile {
  id: string
  name: string
}

export interface FileFieldProps extends FieldProps {
  files: FileCalls
  /** How many; with 1 the value is one id, otherwise a list of ids. */
  max?: number
  /** The names of the record's own files. */
  known?: readonly NamedFile[] | undefined
}

/** Documents by name. */
export function FileField(props: FileFieldProps) {
  return (
    <Field {...props} help={props.help ?? 'PDF、Word、Excel 或 PowerPoint，每个不超过 20 MB'}>
      <Uploads {...props} kind="document" />
    </Field>
  )
}

/** What a button that lets the person choose files is told. */
export interface PickerProps {
  id: string | undefined
  accept: string
  isBusy: boolean
  isMany: boolean
  words: string
  onChoose: (files: File[]) => void
}

interface UploadsProps extends Pick<FileFieldProps, 'name' | 'files' | 'max' | 'known' | 'disabled'> {
  kind: 'image' | 'document'
  /** Another way to choose, such as one that crops the picture first. */
  picker?: (props: PickerProps) => ReactNode
  id?: string
}

const accepts = { image: '.jpg,.jpeg,.png,.webp', document: '.pdf,.docx,.xlsx,.pptx' }
export const limits = { image: 10 * 1_048_576, document: 20 * 1_048_576 }

/** The stored files of a field with a button for more; its value is their ids. */
export function Uploads({
  name,
  files,
  max = 1,
  known = [],
  disabled = false,
  kind,
  picker = plainPicker,
  id,
}: UploadsProps) {
  const form = Form.useFormInstance<Record<string, unknown>>()
  const { path } = useField({ name })
  const setField = useSetField()
  const whileAwaited = useAwaited()
  const [names, setNames] = useState<Record<string, string>>({})
  const [running, setRunning] = useState<{ name: string; share: number }>()
  // asked of the form itself: the list may change while a file is on its way, and a field in a tab put behind is not
  // told
  const held = (): string[] => {
    const value = form.getFieldValue(path as never) as string | string[] | null | undefined
    return value ? [value].flat() : []
  }
  const ids = held()
  const nameOf = (fileId: string) => names[fileId] ?? known.find((file) => file.id === fileId)?.name ?? '文件'
  const give = (next: string[]) => setField(path, max === 1 ? next[0] : next)

  const add = async (chosen: File[]) => {
    const isTooLarge = ({ size }: File) => size > limits[kind]
    for (const { name: fileName } of chosen.filter(isTooLarge))
      notify('warning', `${quoted(fileName)}超过 ${limits[kind] / 1_048_576} MB`)
    const fitting = chosen.filter((file) => !isTooLarge(file))
    const left = fitting.length - (max - ids.length)
    if (left > 0) notify('warning', `最多 ${max} 个，其余 ${left} 个未上传`)
    for (const file of fitting.slice(0, max - ids.length)) {
      setRunning({ name: file.name, share: 0 })
      const stored = await whileAwaited(
        upload(files.upload, { kind }, file, (share) => setRunning({ name: file.name, share })),
      ).catch(() => undefined)
      if (stored) {
        setNames((now) => ({ ...now, [stored.fileId]: stored.fileName }))
        give([...held(), stored.fileId].slice(-max))
      }
      setRunning(undefined)
    }
  }
  const isFull = ids.length >= max
  return (
    <div className={`uploads uploads-${kind}`}>
      {ids.map((fileId) => (
        <div key={fileId} className="upload-item">
          {kind === 'image' ? (
            <StoredImage view={files.view} id={fileId} name={nameOf(fileId)} />
          ) : (
            <FileLink view={files.view} id={fileId} name={nameOf(fileId)} icon={<PaperClipOutlined />} />
          )}
          {!disabled && (
            <button
              type="button"
              className="upload-remove"
              aria-label={`移除${nameOf(fileId)}`}
              onClick={() => give(held().filter((one) => one !== fileId))}
            >
              <DeleteOutlined />
            </button>
          )}
        </div>
      ))}
      {running && (
        <div className="upload-item">
          <span>{running.name}</span>
          <Progress percent={Math.round(running.share * 100)} size="small" />
        </div>
      )}
      {disabled && ids.length === 0 && <span className="nothing">未上传</span>}
      {!isFull &&
        !disabled &&
        picker({
          id,
          accept: accepts[kind],
          isBusy: running !== undefined,
          isMany: max > 1,
          words: kind === 'image' ? '上传图片' : '上传文件',
          onChoose: (chosen) => void add(chosen),
        })}
    </div>
  )
}

const plainPicker = (props: PickerProps): ReactNode => <Picker {...props} />

function Picker({ id, accept, isBusy, isMany, words, onChoose }: PickerProps) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <Button
        id={id}
        className="upload-add"
        icon={<PlusOutlined />}
        loading={isBusy}
        onClick={() => input.current?.click()}
      >
        {words}
      </Button>
      <input
        ref={input}
        type="file"
        hidden
        aria-label="选择文件"
        accept={accept}
        multiple={isMany}
        onChange={(event) => {
          onChoose([...(event.target.files ?? [])])
          event.target.value = ''
        }}
      />
    </>
  )
}
