import { useRef } from 'react'
import { quoted } from '../../../contract/core/quotes.ts'
import { notify } from '../../core/service/notice.tsx'
import { AreaField } from '../parts/fields.tsx'

/** Characters of a credential, and bytes of a file that is read as one: it has no fewer bytes than characters. */
const maxLength = 400_000

interface Props {
  value: string
  onChange: (value: string) => void
  fault: string | undefined
  /** What the credential that was handed in before is called. */
  known: string | undefined
}

/** An electronic credential of another issuer: its address, or its text out of a file. */
export function CredentialField({ value, onChange, fault, known }: Props) {
  const picker = useRef<HTMLInputElement>(null)
  const choose = async (file: File | undefined) => {
    if (!file) return
    if (file.size > maxLength) return notify('warning', '文件过大，不是电子凭证')
    onChange((await file.text()).trim())
  }
  return (
    <>
      <AreaField
        label="电子凭证"
        value={value}
        onChange={onChange}
        fault={fault}
        maxLength={maxLength}
        help={`其他平台或学校签发的 Open Badges 3.0、CLR 2.0 凭证：粘贴 https:// 地址，或选择凭证文件${
          known ? `；已有${quoted(known)}，重新填写则替换` : ''
        }`}
      />
      <button type="button" className="s-button" onClick={() => picker.current?.click()}>
        选择凭证文件
      </button>
      <input
        ref={picker}
        type="file"
        hidden
        aria-label="凭证文件"
        accept=".json,.jsonld,.jwt,.txt"
        onChange={({ target }) => {
          void choose(target.files?.[0])
          target.value = ''
        }}
      />
    </>
  )
}
