import { Button, Form, Input } from 'antd'
import { useState, type ReactNode } from 'react'
import { ScopedForm } from '../core/form/scoped-form.tsx'
import { LockButton } from '../core/parts/buttons.tsx'
import { notify } from '../core/service/notice.tsx'
import { ApiError } from '../core/service/wire.ts'
import { useSession } from './session.ts'
import { CodeInput } from './code-input.tsx'
import type { ProofAsked, Proven } from './use-second-factor.ts'

/** Asks for the password, a code of the second factor, or both. A refusal is told above the buttons. */
export function ProofForm({
  title,
  hint,
  asks,
  submitText,
  onSubmit,
  onBack,
  children,
}: ProofAsked & { onBack: () => void; children?: ReactNode }) {
  const session = useSession()
  const [form] = Form.useForm<Partial<Proven>>()
  const [fault, setFault] = useState<string>()
  const [isSending, setSending] = useState(false)
  const submit = async ({ password = '', code = '' }: Partial<Proven>) => {
    setSending(true)
    setFault(undefined)
    try {
      await onSubmit({ password, code: code.trim() })
    } catch (error) {
      // a code is good once: the next one is typed anew
      form.setFieldValue('code', undefined)
      if (error instanceof ApiError) setFault(error.message)
      else notify('error', '未能完成，请重试')
    } finally {
      setSending(false)
    }
  }
  return (
    <section aria-label={title}>
      <h2>{title}</h2>
      <p className="factor-hint">{hint}</p>
      {children}
      <ScopedForm form={form} layout="vertical" className="form-body" onFinish={(values) => void submit(values)}>
        <input type="text" autoComplete="username" value={session?.profile.username ?? ''} readOnly hidden />
        {asks.includes('password') && (
          <Form.Item name="password" label="登录密码" required rules={[{ required: true, message: '请输入密码' }]}>
            <Input.Password autoComplete="current-password" autoFocus />
          </Form.Item>
        )}
        {asks.includes('code') && (
          <Form.Item
            name="code"
            label="动态口令"
            required
            rules={[{ required: true, whitespace: true, message: '请输入动态口令' }]}
          >
            <CodeInput autoFocus={!asks.includes('password')} />
          </Form.Item>
        )}
        {fault && (
          <p className="again-fault span-12" role="alert">
            {fault}
          </p>
        )}
        {/* Enter sends the form */}
        <button type="submit" hidden />
      </ScopedForm>
      <div className="form-foot">
        <Button onClick={onBack}>返回</Button>
        <LockButton type="primary" loading={isSending} onClick={() => form.submit()}>
          {submitText}
        </LockButton>
      </div>
    </section>
  )
}
