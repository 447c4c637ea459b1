import { useState } from 'react'
import { quoted } from '../../../contract/core/quotes.ts'
import { ApiError } from '../../core/service/wire.ts'
import { TextField } from '../parts/fields.tsx'
import { Card } from '../parts/pieces.tsx'

interface Values {
  username: string
  directoryPassword: string
  password: string
}

/** Asks for name and password of the account at a directory that is to be bound, and for the own password. */
export function DirectoryForm({
  name,
  asksPassword,
  onSubmit,
  onBack,
}: {
  name: string
  asksPassword: boolean
  /** Rejects with what the person is to be told. */
  onSubmit: (values: Values) => Promise<void>
  onBack: () => void
}) {
  const [values, setValues] = useState<Values>({ username: '', directoryPassword: '', password: '' })
  const [fault, setFault] = useState('')
  const [isSending, setSending] = useState(false)
  const field = (of: keyof Values) => ({
    required: true,
    value: values[of],
    onChange: (value: string) => setValues((before) => ({ ...before, [of]: value })),
  })
  async function submit() {
    if (isSending) return
    setSending(true)
    setFault('')
    try {
      await onSubmit(values)
    } catch (error) {
      setFault(error instanceof ApiError ? error.message : '没有成功，请重试')
      setSending(false)
    }
  }
  return (
    <Card title={`绑定${quoted(name)}`}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          void submit()
        }}
      >
        <TextField label="校园账号" autoComplete="off" {...field('username')} />
        <TextField label="校园账号的密码" type="password" autoComplete="off" {...field('directoryPassword')} />
        {asksPassword && (
          <TextField label="本系统的密码" type="password" autoComplete="current-password" {...field('password')} />
        )}
        {fault && (
          <p className="s-fault" role="alert">
            {fault}
          </p>
        )}
        <div className="s-acts">
          <button type="button" className="s-button" onClick={onBack}>
            返回
          </button>
          <button type="submit" className="s-button s-primary" disabled={isSending}>
            {isSending ? '正在绑定…' : '绑定'}
          </button>
        </div>
      </form>
    </Card>
  )
}
