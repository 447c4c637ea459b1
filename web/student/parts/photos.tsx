import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import type { Call } from '../../../contract/core/call.ts'
import { fileApi, fileKinds } from '../../../contract/platform/files/files.calls.ts'
import { useObjectAddress } from '../../core/parts/use-object-address.ts'
import { fetchFile, upload } from '../../core/service/api.ts'
import { notify } from '../../core/service/notice.tsx'
import { compressPhoto } from './compress-photo.ts'

/** A proof: a photo, or a paper such as a PDF. */
export interface Proof {
  id: string
  name: string
  kind: string
}

interface PhotosProps {
  label: string
  value: readonly Proof[]
  /** Given how the proofs change: what was sent meanwhile, or taken away, stays so. */
  onChange: (change: (before: Proof[]) => Proof[]) => void
  /** Told while something is on its way: what is handed in then would go without it. */
  onBusy: (isBusy: boolean) => void
  /** The call that gives out what is stored. */
  view: Call
  max: number
  fault?: string | undefined
  help?: string
}

/** Proofs: photographed or chosen, made small on the phone, and sent one by one. */
export function Photos({ label, value, onChange, onBusy, view, max, fault, help }: PhotosProps) {
  const id = useId()
  const [sent, setSent] = useState<number | null>(null)

  async function add(files: readonly File[]) {
    const room = max - value.length
    if (files.length > room)
      notify('warning', `最多 ${max} 个，后面的 ${files.length - room} 个没有上传；可先移除不需要的再选择`)
    onBusy(true)
    for (const file of files.slice(0, room)) {
      setSent(0)
      const kind = file.type.startsWith('image/') ? 'image' : 'document'
      try {
        const { fileId, fileName } = await upload(
          fileApi.upload,
          { kind },
          kind === 'image' ? await compressPhoto(file) : file,
          setSent,
        )
        onChange((before) => [...before, { id: fileId, name: fileName, kind }])
      } catch {
        // the person has been told; what went before is kept
        break
      }
    }
    setSent(null)
    onBusy(false)
  }

  return (
    <div className="s-field">
      <span id={`${id}-label`} className="s-label">
        {label}
      </span>
      <div className="s-photos" role="group" aria-labelledby={`${id}-label`}>
        {value.map((proof) => (
          <div key={proof.id} className="s-photo">
            <StoredPhoto proof={proof} view={view} />
            <button
              type="button"
              aria-label={`移除 ${proof.name}`}
              onClick={() => onChange((before) => before.filter((one) => one.id !== proof.id))}
            >
              ×
            </button>
          </div>
        ))}
        {value.length < max && (
          <label className="s-photo-add" htmlFor={id}>
            <span aria-hidden="true">{sent === null ? '+' : `${Math.round(sent * 100)}%`}</span>
            拍照或选择文件
            <input
              id={id}
              className="visually-hidden"
              type="file"
              multiple
              accept={`image/*,${fileKinds.document.accept}`}
              disabled={sent !== null}
              onChange={({ target }) => {
                const files = [...(target.files ?? [])]
                target.value = ''
                void add(files)
              }}
            />
          </label>
        )}
      </div>
      {help && <small>{help}</small>}
      {fault && (
        <p className="s-fault" role="alert">
          {fault}
        </p>
      )}
    </div>
  )
}

/** A stored photo, small; a paper by its name. */
export function StoredPhoto({ proof: { id, name, kind }, view }: { proof: Proof; view: Call }) {
  const isImage = kind === 'image'
  const { data } = useQuery({
    queryKey: [view.path, id],
    queryFn: () => fetchFile(view, { id } as never, { quiet: true }),
    enabled: isImage,
    staleTime: Infinity,
  })
  const address = useObjectAddress(data)
  return isImage && address ? <img src={address} alt={name} /> : <span className="s-paper">{name}</span>
}
