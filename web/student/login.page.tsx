import { useEffect, useRef, useState } from 'react'
import { Link, useNavigate } from 'react-router'
import {
  begunHere,
  enterBy,
  enterWith,
  faultText,
  forgetBegun,
  leaveFor,
  type IdentityButton,
} from '../app/identity.ts'
import { SchoolField, schoolMeant, useSchools, useSuggestedSchool } from '../app/school-field.tsx'
import { forget, isCodeAsked, openSession, signIn, type Proof } from '../app/session.ts'
import { useIdentityButtons } from '../app/use-identity-buttons.ts'
import { queryClient } from '../core/service/use-call.ts'
import { localStore } from '../core/service/storage.ts'
import { heldPage, homeOf } from './held.ts'
import { ownPath } from './own-path.ts'
import { DemoStudents } from './parts/demo-students.tsx'
import { TextField } from './parts/fields.tsx'
import { Page } from './parts/page.tsx'

/** Where a student signs in: by a password, or by a service of the campus, which sends them back here. */
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
  const [begun] = useState(begunHere)
  /** The page that wanted a session; a service of the campus leads back to it too. */
  const [target] = useState(() => ownPath(new URLSearchParams(window.location.search).get('from') ?? begun?.target))
  /**
   * What came back from a service of the campus: it opens a session once, with a code of the second factor if need be.
   */
  const [brought, setBrought] = useState<(proof?: Proof) => Promise<void>>()
  const isTaken = useRef(false)
  const found = useSchools(values.schoolId)
  const schoolId = schoolMeant(values.schoolId, found)?.schoolId ?? values.schoolId.trim()
  const buttons = useIdentityButtons(schoolId)
  const field = (name: keyof typeof values) => ({
    value: values[name],
    onChange: (value: string) => setValues((before) => ({ ...before, [name]: value })),
  })

  useSuggestedSchool(values.schoolId, found, field('schoolId').onChange)

  useEffect(() => {
    const query = new URLSearchParams(window.location.search)
    const [code, told] = [query.get('identityCode'), query.get('identityFault')]
    if ((!code && !told) || isTaken.current) return
    isTaken.current = true
    // neither is of use a second time, and the address stays in the browser's history
    window.history.replaceState(window.history.state, '', window.location.pathname)
    forgetBegun()
    if (told || !begun) return setFault(faultText(told ?? 'identity-expired'))
    const enter = (proof?: Proof) => enterWith(code!, begun, proof)
    setBrought(() => enter)
    void open(enter)
  }, [])

  /** By the name and the password that are typed here, as a directory of the campus knows them. */
  async function ask(button: IdentityButton) {
    const username = values.username.trim()
    if (!username || !values.password) return setFault('请先填写账号和密码')
    const enter = async (proof?: Proof) => {
      await enterBy(button, { schoolId, username, password: values.password }, proof)
      localStore.set('studentSchool', schoolId)
    }
    // a code of the second factor goes the same way
    if (await open(enter)) setBrought(() => enter)
  }

  /** @returns whether a code of the second factor has yet to be given */
  async function open(enter: (proof?: Proof) => Promise<void>): Promise<boolean> {
    setSending(true)
    setFault('')
    try {
      // whoever was signed in on this phone before is not whoever signs in now
      forget()
      await enter(isAsked ? { totp: values.totp, remembers: false } : undefined)
      // nothing that somebody else has read on this phone
      queryClient.clear()
      const { profile } = await openSession()
      await navigate(heldPage(profile) ?? target ?? homeOf(profile), { replace: true })
      return false
    } catch (error) {
      setFault(error instanceof Error ? error.message : '登录失败，请重试')
      if (!isCodeAsked(error)) {
        if (!isAsked) setBrought(undefined)
        return false
      }
      setAsked(true)
      return true
    } finally {
      setSending(false)
    }
  }

  const byPassword = (by: Pick<typeof values, 'schoolId' | 'username' | 'password'>) => async (proof?: Proof) => {
    await signIn(by.schoolId, by.username.trim(), by.password, proof)
    localStore.set('studentSchool', by.schoolId)
  }
  return (
    <Page title="第二课堂" isRoot>
      <form
        className="s-card"
        onSubmit={(event) => {
          event.preventDefault()
          void open(brought ?? byPassword({ ...values, schoolId }))
        }}
      >
        {fault && (
          <p className="s-fault" role="alert">
            {fault}
          </p>
        )}
        {!brought && (
          <>
            <SchoolField
              typed={values.schoolId}
              onTyped={field('schoolId').onChange}
              found={found}
              look={{ field: 's-field', label: 's-required', note: 's-note', fault: 's-fault' }}
            />
            <TextField
              label="学号"
              required
              autoComplete="username"
              help="负责签到的老师请填工号"
              {...field('username')}
            />
            <TextField label="密码" required type="password" autoComplete="current-password" {...field('password')} />
          </>
        )}
        {isAsked && <TextField label="动态口令" required inputMode="numeric" {...field('totp')} />}
        <button type="submit" className="s-button s-primary s-wide" disabled={isSending}>
          {isSending ? '正在登录…' : '登录'}
        </button>
        {!brought && (
          <Link className="s-link" to="/activate">
            首次登录？激活账号
          </Link>
        )}
      </form>
      {buttons.length > 0 && !brought && (
        <div className="s-card s-ways" role="group" aria-label="其他登录方式">
          <p>其他登录方式</p>
          {buttons.map((button) => (
            <button
              key={button.providerId}
              type="button"
              className="s-button s-wide"
              disabled={isSending}
              onClick={() =>
                button.asksHere
                  ? void ask(button)
                  : leaveFor(button, { schoolId, target: target ?? '/activities', page: 'student' })
              }
            >
              {button.asksHere ? `用${button.name}的密码登录` : button.name}
            </button>
          ))}
        </div>
      )}
      {!brought && (
        <p className="s-note s-audience">
          这里供学生报名、签到和查看记录，也供老师在现场管理签到。其他工作请使用<a href="/">管理端</a>。
        </p>
      )}
      {!brought && <DemoStudents isWaiting={isSending} onChoose={(account) => void open(byPassword(account))} />}
    </Page>
  )
}
