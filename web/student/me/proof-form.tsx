import { useState, type ReactNode } from 'react'
import type { ProofAsked, Proven } from '../../app/use-second-factor.ts'
import { ApiError } from '../../core/service/wire.ts'
import { TextField } from '../parts/fields.tsx'
import { Card } from '../parts/pieces.tsx'

interface Props extends ProofAsked {
  onBack: () => void
  backText?: string
  children?: ReactNode
}

/** Asks for password or code; a code that was refused is typed anew, for each is good once. */
export function ProofForm({ title, hint, asks, submitText, onSubmit, onBack, backText = '返回', children }: Props) {
  const [values, setValues] = useState<Proven>({ password: '', code: '' })
  const [fault, setFault] = useState('')
  const [isSending, setSending] = useState(false)
  async function submit() {
    if (isSending) return
    setSending(true)
    setFault('')
    try {
      await onSubmit({ ...values, code: values.code.trim() })
    } catch (error) {
      setFault(error instanceof ApiError ? error.message : '没有成功，请重试')
      setValues((before) => ({ ...before, code: '' }))
    } finally {
      setSending(false)
    }
  }
  return (
    <Card title={title}>
      <p>{hint}</p>
      {children}
      <form
        onSubmit={(event) => {
          event.preventDefault()
          void submit()
        }}
      >
        {asks.includes('password') && (
          <TextField
            label="密码"
            required
            type="password"
            autoComplete="current-password"
            value={values.password}
            onChange={(password) => setValues({ ...values, password })}
          />
        )}
        {asks.includes('code') && (
          <TextField
            label="动态口令"
            required
            autoComplete="one-time-code"
            value={values.code}
            onChange={(code) => setValues({ ...values, code })}
          />
        )}
        {fault && (
          <p className="s-fault" role="alert">
            {fault}
          </p>
        )}
        <div className="s-acts">
          <button type="button" className="s-button" onClick={onBack}>
            {backText}
          </button>
          <button type="submit" className="s-button s-primary" disabled={isSending}>
            {isSending ? '正在验证…' : submitText}
          </button>
        </div>
      </form>
    </Card>
  )
}
