import { useState } from 'react'
import { useNavigate } from 'react-router'
import { isCodeAsked, openSession, signIn } from '../app/session.ts'
import { SchoolField, schoolMeant, useSchools, useSuggestedSchool } from '../app/school-field.tsx'
import { localStore } from '../core/service/storage.ts'
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
  const found = useSchools(values.schoolId)
  const school = schoolMeant(values.schoolId, found)?.schoolId ?? values.schoolId.trim()
  useSuggestedSchool(values.schoolId, found, field('schoolId').onChange)
  async function submit() {
    setSending(true)
    setFault('')
    try {
      await signIn(
        school,
        values.username.trim(),
        values.password,
        isAsked ? { totp: values.totp, remembers: false } : undefined,
      )
      localStore.set('studentSchool', school)
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
        <SchoolField
          typed={values.schoolId}
          onTyped={field('schoolId').onChange}
          found={found}
          look={{ field: 's-field', label: 's-required', note: 's-note', fault: 's-fault' }}
        />
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
