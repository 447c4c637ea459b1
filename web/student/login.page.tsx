import { useState } from 'react'
import { useNavigate } from 'react-router'
import { isCodeAsked, openSession, signIn } from '../app/session.ts'
import { localStore } from '../core/service/storage.ts'
import { DemoStudent } from './parts/demo-student.tsx'
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
  async function submit(by: Pick<typeof values, 'schoolId' | 'username' | 'password'> = values) {
    setSending(true)
    setFault('')
    try {
      const [schoolId, username] = [by.schoolId.trim(), by.username.trim()]
      await signIn(schoolId, username, by.password, isAsked ? { totp: values.totp, remembers: false } : undefined)
      localStore.set('studentSchool', schoolId)
      const { profile } = await openSession()
      await navigate(profile.mustChangePwd ? '/me/password' : '/activities', { replace: true })
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
      <DemoStudent isWaiting={isSending} onChoose={(account) => void submit(account)} />
    </Page>
  )
}
