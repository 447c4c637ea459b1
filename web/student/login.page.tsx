import { useState } from 'react'
import { useNavigate } from 'react-router'
import { isCodeAsked, openSession, signIn } from '../app/session.ts'
import { queryClient } from '../core/service/use-call.ts'
import { localStore } from '../core/service/storage.ts'
import { heldPage } from './held.ts'
import { TextField } from './parts/fields.tsx'
import { Page } from './parts/page.tsx'

/** Where a student signs in. */
export function LoginPage() {
  const navigate = useNavigate()
  const [values, setValues] = useState({
    schoolId: localStore.get<string>('studentSchool') ?? '',
    username: '',
    password: '',
    totp: '',
  })
  const [fault, setFault] = useState('')
  const [isAsked, setAsked] = useState(false)
  const [isSending, setSending] = useState(false)
  const field = (name: keyof typeof values) => ({
    value: values[name],
    onChange: (value: string) => setValues((before) => ({ ...before, [name]: value })),
  })
  async function submit() {
    setSending(true)
    setFault('')
    try {
      await signIn(
        values.schoolId.trim(),
        values.username.trim(),
        values.password,
        isAsked ? { totp: values.totp, remembers: false } : undefined,
      )
      localStore.set('studentSchool', values.schoolId.trim())
      // nothing that somebody else has read on this phone
      queryClient.clear()
      const { profile } = await openSession()
      await navigate(heldPage(profile) ?? '/activities', { replace: true })
    } catch (error) {
      if (isCodeAsked(error)) setAsked(true)
      setFault(error instanceof Error ? error.message : '登录失败，请重试')
    } finally {
      setSending(false)
    }
  }
  return (
    <Page title="第二课堂" isRoot>
      <form
        className="s-card"
        onSubmit={(event) => {
          event.preventDefault()
          void submit()
        }}
      >
        <TextField label="学校代码" required autoComplete="organization" {...field('schoolId')} />
        <TextField label="学号" required autoComplete="username" {...field('username')} />
        <TextField
          label="密码"
          required
          type="password"
          autoComplete="current-password"
          {...field('password')}
          fault={fault || undefined}
        />
        {isAsked && <TextField label="动态口令" required inputMode="numeric" {...field('totp')} />}
        <button type="submit" className="s-button s-primary s-wide" disabled={isSending}>
          {isSending ? '正在登录…' : '登录'}
        </button>
      </form>
    </Page>
  )
}
