import { useEffect, useState, type FormEvent } from 'react'
import { Link, useLocation, useNavigate } from 'react-router'
import { defaultPasswordProfile, passwordRule, type PasswordProfile } from '../../contract/core/password-rule.ts'
import { sessionApi } from '../../contract/school/session/session.calls.ts'
import { send } from '../core/service/api.ts'
import { notify } from '../core/service/notice.tsx'
import { defaultSchool } from '../core/service/site.ts'
import { localStore } from '../core/service/storage.ts'
import { ApiError } from '../core/service/wire.ts'
import { newPasswordFault } from './password-rule.ts'
import { Line, PasswordLine, SubmitButton } from './public-fields.tsx'
import { PublicFrame } from './public-frame.tsx'
import { schoolCode, schoolFault, SchoolField, useSchools, useSuggestedSchool } from './school-field.tsx'

type Values = Record<'schoolId' | 'username' | 'contact' | 'code' | 'newPassword' | 'again', string>
type Faults = Partial<Record<keyof Values | 'all', string>>

/**
 * Password recovery in two steps: ask for a code, then set a new password with it. School and account are as the
 * sign-in was left with.
 */
export function RetrievePasswordPage() {
  const navigate = useNavigate()
  const { state: typed } = useLocation() as { state: { schoolId?: string; username?: string } | null }
  const [step, setStep] = useState<1 | 2>(1)
  const [message, setMessage] = useState('')
  // told with the code, which comes before a password is chosen
  const [passwordProfile, setPasswordProfile] = useState(defaultPasswordProfile)
  const [waiting, setWaiting] = useState(false)
  const [faults, setFaults] = useState<Faults>({})
  const [values, setValues] = useState<Values>({
    schoolId: typed?.schoolId || (localStore.get<string>('school') ?? defaultSchool),
    username: typed?.username ?? '',
    contact: '',
    code: '',
    newPassword: '',
    again: '',
  })
  const found = useSchools(values.schoolId)
  const set = (name: keyof Values, value: string) => setValues((now) => ({ ...now, [name]: value }))
  const line = (name: keyof Values) => ({
    name,
    value: values[name],
    error: faults[name],
    onValue: (value: string) => set(name, value),
  })
  useSuggestedSchool(values.schoolId, found, (code) => set('schoolId', code))

  useEffect(() => {
    document.title = '找回密码 · 第二课堂管理平台'
  }, [])

  async function submit(event: FormEvent) {
    event.preventDefault()
    const { username, contact, code, newPassword } = values
    const schoolId = schoolCode(values.schoolId, found)
    const missing = step === 1 ? whoFaults(schoolId, values) : codeFaults(values, passwordProfile)
    setFaults(missing)
    if (Object.keys(missing).length > 0) return
    setWaiting(true)
    try {
      const fields = step === 1 ? { schoolId, username, contact } : { schoolId, username, code, newPassword }
      const answer = await send(sessionApi.retrievePwd, fields, { quiet: true, blocks: false })
      if (step === 2) {
        notify('success', '密码已重设，请用新密码登录')
        return await navigate('/', { replace: true })
      }
      setMessage(answer.message)
      setPasswordProfile(answer.passwordProfile)
      setStep(2)
    } catch (error) {
      if (error instanceof ApiError)
        setFaults({ all: error.message, ...Object.fromEntries(error.faults.map(({ field, msg }) => [field, msg])) })
    } finally {
      setWaiting(false)
    }
  }

  return (
    <PublicFrame title="找回密码" hint={step === 1 ? '第 1 步，共 2 步：确认账号' : '第 2 步，共 2 步：设置新密码'}>
      <form noValidate onSubmit={(event) => void submit(event)}>
        {message && (
          <p className="form-note" role="status">
            {message}
          </p>
        )}
        {faults.all && (
          <p className="form-fault" role="alert">
            {faults.all}
          </p>
        )}
        {step === 1 ? (
          <>
            <SchoolField
              typed={values.schoolId}
              onTyped={(schoolId) => set('schoolId', schoolId)}
              found={found}
              error={faults.schoolId}
              look={{ field: 'line', note: 'line-help', fault: 'line-error' }}
            />
            <Line label="账号" {...line('username')} autoComplete="username" maxLength={64} />
            <Line
              label="手机号或邮箱（选填）"
              {...line('contact')}
              help="与档案一致时，验证码将发送到此处"
              maxLength={100}
            />
          </>
        ) : (
          <>
            <Line label="验证码" {...line('code')} autoComplete="one-time-code" maxLength={16} />
            <PasswordLine
              label="新密码"
              {...line('newPassword')}
              help={passwordRule(passwordProfile)}
              autoComplete="new-password"
            />
            <PasswordLine label="再次输入新密码" {...line('again')} autoComplete="new-password" />
          </>
        )}
        <SubmitButton isWaiting={waiting}>{waiting ? '请稍候…' : step === 1 ? '获取验证码' : '重设密码'}</SubmitButton>
        <div className="form-row">
          {step === 2 ? (
            <button type="button" className="text-button" onClick={() => setStep(1)}>
              重新获取验证码
            </button>
          ) : (
            <span />
          )}
          <Link to="/">返回登录</Link>
        </div>
      </form>
    </PublicFrame>
  )
}

/** @param code of the school that is meant */
const whoFaults = (code: string, { schoolId, username }: Values): Faults => ({
  ...(!code && { schoolId: schoolFault(schoolId) }),
  ...(!username.trim() && { username: '请输入账号' }),
})

function codeFaults({ code, newPassword, again }: Values, passwordProfile: PasswordProfile): Faults {
  const weak = newPasswordFault(newPassword, passwordProfile)
  return {
    ...(!code.trim() && { code: '请输入验证码' }),
    ...(weak && { newPassword: weak }),
    ...(again !== newPassword && { again: '两次输入的密码不一致' }),
  }
}
