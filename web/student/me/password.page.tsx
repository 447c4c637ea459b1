import { useState } from 'react'
import { useNavigate } from 'react-router'
import { sessionApi } from '../../../contract/school/session/session.calls.ts'
import { newPasswordFault } from '../../app/password-rule.ts'
import { isCodeAsked, reopenSession, signIn, useSession } from '../../app/session.ts'
import { send } from '../../core/service/api.ts'
import { notify } from '../../core/service/notice.tsx'
import { passwordDigest } from '../../core/service/sha256.ts'
import { ApiError } from '../../core/service/wire.ts'
import { heldPage, homeOf, isStaff } from '../held.ts'
import { TextField } from '../parts/fields.tsx'
import { Card } from '../parts/pieces.tsx'
import { Page } from '../parts/page.tsx'

/** Changing one's own password; before anything else where somebody else has set it. */
export function PasswordPage() {
  const session = useSession()
  const navigate = useNavigate()
  const [values, setValues] = useState({ oldPassword: '', newPassword: '', again: '' })
  const [faults, setFaults] = useState<Record<string, string>>({})
  const [isSending, setSending] = useState(false)
  const isForced = session?.profile.mustChangePwd === true
  const field = (name: keyof typeof values) => ({
    value: values[name],
    fault: faults[name],
    type: 'password' as const,
    onChange: (value: string) => setValues((before) => ({ ...before, [name]: value })),
  })
  async function submit() {
    if (!session) return
    const { schoolId, username, passwordProfile } = session.profile
    const fault = newPasswordFault(values.newPassword, passwordProfile)
    if (fault) return setFaults({ newPassword: fault })
    if (values.again !== values.newPassword) return setFaults({ again: '两次输入的新密码不一致' })
    setSending(true)
    try {
      await send(sessionApi.editPassword, {
        oldPassword: passwordDigest(values.oldPassword),
        newPassword: values.newPassword,
      })
      await signIn(schoolId, username, values.newPassword).catch((error: unknown) => {
        if (!isCodeAsked(error)) throw error
      })
      const { profile } = await reopenSession()
      notify('success', '密码已修改，其他设备上的登录已退出')
      await navigate(heldPage(profile) ?? (isStaff(profile) ? homeOf(profile) : '/me'), { replace: true })
    } catch (error) {
      if (error instanceof ApiError)
        setFaults(Object.fromEntries(error.faults.map(({ field: name, msg }) => [name, msg])))
    } finally {
      setSending(false)
    }
  }
  return (
    <Page
      title="修改密码"
      isRoot={isForced}
      foot={
        <button type="button" className="s-button s-primary" disabled={isSending} onClick={() => void submit()}>
          {isSending ? '正在保存…' : '保存'}
        </button>
      }
    >
      {isForced && <p className="s-banner">首次登录请先修改密码，修改后即可使用全部功能。</p>}
      <Card>
        <TextField label="原密码" required autoComplete="current-password" {...field('oldPassword')} />
        <TextField label="新密码" required autoComplete="new-password" {...field('newPassword')} />
        <TextField label="再输一次新密码" required autoComplete="new-password" {...field('again')} />
      </Card>
    </Page>
  )
}
