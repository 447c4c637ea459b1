import { Flex, Input } from 'antd'
import { useRef } from 'react'
import { Field } from '../../core/form/form-field.tsx'
import { notify } from '../../core/service/notice.tsx'
import { LockButton } from '../../core/parts/buttons.tsx'

/** Bytes of a file that is read as a credential. */
const maxBytes = 400_000

/** An electronic credential of another issuer: its address, or its text out of a file. */
export function CredentialField({ known }: { known: string | undefined }) {
  return (
    <Field
      name="lisCredential"
      help={`其他平台或学校签发的 Open Badges 3.0、CLR 2.0 凭证，系统自动核验签名、有效期与是否撤销，结果供审批人参考${
        known ? `；已有${known}，重新填写则替换` : ''
      }`}
    >
      <CredentialControl />
    </Field>
  )
}

function CredentialControl({
  value,
  onChange,
  id,
}: {
  value?: string
  onChange?: (value: string) => void
  id?: string
}) {
  const picker = useRef<HTMLInputElement>(null)
  const choose = async (file: File | undefined) => {
    if (!file) return
    if (file.size > maxBytes) return notify('warning', '文件过大，不是电子凭证')
    onChange?.((await file.text()).trim())
  }
  return (
    <Flex vertical gap={8} align="start">
      <Input.TextArea
        {...(id && { id })}
        value={value ?? ''}
        placeholder="粘贴凭证的 https:// 地址，或选择凭证文件"
        autoSize={{ minRows: 1, maxRows: 4 }}
        onChange={({ target }) => onChange?.(target.value)}
      />
      <LockButton onClick={() => picker.current?.click()}>选择凭证文件</LockButton>
      <input
        ref={picker}
        type="file"
        hidden
        accept=".json,.jsonld,.jwt,.txt"
        onChange={({ target }) => {
          void choose(target.files?.[0])
          target.value = ''
        }}
      />
    </Flex>
  )
}
