import { flushSync } from 'react-dom'
import { useEffect, useRef, useState, type FormEvent } from 'react'
import { Link, useLocation, useNavigate, useSearchParams } from 'react-router'
import { schoolApi } from '../../contract/school/school/school.calls.ts'
import { demoApi, type DemoAccount } from '../../contract/school/session/demo.calls.ts'
import { send } from '../core/service/api.ts'
import { defaultSchool, safeReturn } from '../core/service/site.ts'
import { localStore } from '../core/service/storage.ts'
import { ApiError } from '../core/service/wire.ts'
import { DemoCards } from './demo-cards.tsx'
import { CodeStep } from './code-step.tsx'
import { IdentityButtons } from './identity-buttons.tsx'
import { begunHere, enterBy, enterWith, faultText, forgetBegun, type IdentityButton } from './identity.ts'
import { belongsOnPhone, heldPath } from './held.ts'
import { Line, PasswordLine, SubmitButton } from './public-fields.tsx'
import { PublicFrame, type Branding } from './public-frame.tsx'
import { schoolCode, schoolFault, SchoolField, schoolMeant, useSchools, useSuggestedSchool } from './school-field.tsx'
import { forget, isCodeAsked, openSession, signIn, signOut, type Proof } from './session.ts'

/** By password, or by what came back from a provider, of whom the name is not known here. */
type Half = { school: string; name: string; enter: (proof?: Proof) => Promise<void> }
type Faults = { schoolId?: string; username?: string; password?: string; all?: string }

/** Sign-in. Typing begins the download of the shell, so that it is there when the password is. */
export function LoginPage() {
  const navigate = useNavigate()
  const [query] = useSearchParams()
  const { state } = useLocation() as { state: { stay?: boolean; signOut?: boolean } | null }
  const [accounts, setAccounts] = useState<DemoAccount[]>([])
  const [schoolId, setSchoolId] = useState(localStore.get<string>('school') ?? defaultSchool)
  const found = useSchools(schoolId)
  const [username, setUsername] = useState('')
  const [password, setPassword] = useState('')
  const [remember, setRemember] = useState(true)
  const [faults, setFaults] = useState<Faults>({})
  /** Whose password was right and who has yet to give a code of their second factor. */
  const [half, setHalf] = useState<Half>()
  // who signs out and in again at once would otherwise lose the new session with the old one
  const [waiting, setWaiting] = useState<'登录' | '退出' | undefined>(state?.signOut ? '退出' : undefined)
  const [begun] = useState(begunHere)
  /** Whether what came back from a provider has been looked at: it is good once. */
  const isTaken = useRef(false)
  const target = safeReturn(query.get('from') ?? begun?.target) ?? '/home'
  const signedInAs = localStore.get<string>('accessToken') && localStore.get<{ username: string }>('user')?.username

  useSuggestedSchool(schoolId, found, setSchoolId)

  useEffect(() => {
    document.title = '登录 · 第二课堂管理平台'
    const stop = new AbortController()
    // who is about to type the code would otherwise find their own behind the one that arrives meanwhile
    // drawn at once: a suggestion drawn a moment later could fall between what somebody types
    const suggest = (code: string) =>
      document.activeElement?.getAttribute('name') !== 'schoolId' &&
      flushSync(() => setSchoolId((before) => before || code))
    send(demoApi.accounts, {}, { quiet: true, signal: stop.signal })
      .then((answer) => {
        setAccounts(answer)
        suggest(answer[0]?.schoolId ?? '')
      })
      .catch(() => undefined)
    return () => stop.abort()
  }, [])

  useEffect(() => {
    const code = query.get('identityCode')
    const fault = query.get('identityFault')
    if ((!code && !fault) || isTaken.current) return
    isTaken.current = true
    // neither is of use a second time, and the address stays in the browser's history
    window.history.replaceState(window.history.state, '', '/')
    forgetBegun()
    if (fault) return setFaults({ all: faultText(fault) })
    if (!begun) return setFaults({ all: faultText('identity-expired') })
    void enter({ school: begun.schoolId, name: '', enter: (proof) => enterWith(code!, begun, proof) })
  }, [])

  // two windows that wait for the same sign-in go on together; who has begun to type stays
  const isIdle = !state?.stay && !state?.signOut && !username && !password && !waiting
  useEffect(() => {
    const follow = ({ key }: StorageEvent) => {
      if (key === 'user' && isIdle && localStore.get('user') && localStore.get('accessToken'))
        void navigate(target, { replace: true })
    }
    window.addEventListener('storage', follow)
    return () => window.removeEventListener('storage', follow)
  }, [isIdle, target, navigate])

  useEffect(() => {
    if (state?.signOut)
      void signOut('console').then((leaving) => {
        if (leaving) return window.location.replace(leaving)
        setWaiting(undefined)
        void navigate('/', { replace: true, state: { stay: true } })
      })
    else if (signedInAs && !state?.stay && !query.get('identityCode')) void navigate(target, { replace: true })
  }, [])

  const known = schoolMeant(schoolId, found)
  const school = schoolCode(schoolId, found)

  /** By the password of this program, or by that of a directory of the campus where one is chosen. */
  async function submit(by?: IdentityButton) {
    const missing: Faults = {
      ...(!school && { schoolId: schoolFault(schoolId) }),
      ...(!username.trim() && { username: '请输入账号' }),
      ...(!password && { password: '请输入密码' }),
    }
    setFaults(missing)
    if (Object.keys(missing).length > 0) return focusFirstFault()
    const name = username.trim()
    await enter(
      by
        ? { school, name, enter: (proof) => enterBy(by, { schoolId: school, username: name, password }, proof) }
        : byPassword(school, name, password),
    )
  }

  async function enter(way: Half, proof?: Proof) {
    setWaiting('登录')
    try {
      forget()
      await way.enter(proof)
      const { profile } = await openSession()
      if (remember) localStore.set('school', way.school)
      else localStore.remove('school')
      if (belongsOnPhone(profile)) return window.location.assign('/m/')
      await navigate(heldPath(profile) ?? target, { replace: true })
    } catch (error) {
      if (isCodeAsked(error)) return (setFaults({}), setHalf(way))
      // a password that has become wrong, or a lock, is told where the password stands
      if (!(error instanceof ApiError && error.reason === 'totp-wrong')) setHalf(undefined)
      setFaults({ all: error instanceof ApiError ? error.message : '登录未成功，请重试' })
      focusFirstFault()
    } finally {
      setWaiting(undefined)
    }
  }

  /** Fills the form as well, so that where the password has been changed only that is left to type. */
  function choose(account: DemoAccount) {
    setSchoolId(account.schoolId)
    setUsername(account.username)
    setPassword('')
    setFaults({})
    prefetchShell()
    void enter(byPassword(account.schoolId, account.username, account.password))
  }

  const branding = useBranding(known?.schoolId)
  return (
    <PublicFrame
      title="登录"
      hint={known ? known.schName : '请使用学校分配的账号登录'}
      look={branding}
      beside={
        accounts.length > 0 && <DemoCards accounts={accounts} isWaiting={waiting !== undefined} onChoose={choose} />
      }
    >
      {signedInAs && state?.stay && !waiting && (
        <p className="signed-in">
          您已登录为 {signedInAs}，<Link to="/home">进入控制台</Link>
        </p>
      )}
      {half ? (
        <CodeStep
          username={half.name}
          fault={faults.all}
          isWaiting={waiting !== undefined}
          onProve={(proof) => enter(half, proof)}
          onBack={() => (setHalf(undefined), setFaults({}))}
        />
      ) : (
        <form
          noValidate
          onSubmit={(event: FormEvent) => (event.preventDefault(), void submit())}
          onInput={prefetchShell}
        >
          {faults.all && (
            <p className="form-fault" role="alert">
              {faults.all}
            </p>
          )}
          <SchoolField
            typed={schoolId}
            onTyped={setSchoolId}
            found={found}
            error={faults.schoolId}
            look={{ field: 'line', note: 'line-help', fault: 'line-error' }}
          />
          <Line
            label="账号"
            name="username"
            value={username}
            onValue={setUsername}
            error={faults.username}
            placeholder="学工号或登录名"
            autoComplete="username"
            autoFocus={Boolean(schoolId)}
            maxLength={64}
          />
          <PasswordLine
            label="密码"
            name="password"
            value={password}
            onValue={setPassword}
            error={faults.password}
            autoComplete="current-password"
          />
          <div className="form-row">
            <label className="check">
              <input type="checkbox" checked={remember} onChange={(event) => setRemember(event.target.checked)} />
              记住学校
            </label>
            <span className="form-links">
              {known && <Link to={`/privacy/${encodeURIComponent(known.schoolId)}`}>隐私告知</Link>}
              <Link to="/retrievePassword" state={{ schoolId, username }}>
                忘记密码？
              </Link>
            </span>
          </div>
          <SubmitButton isWaiting={waiting !== undefined}>{waiting ? `正在${waiting}…` : '登录'}</SubmitButton>
          <IdentityButtons
            schoolId={known?.schoolId}
            target={target}
            isWaiting={waiting !== undefined}
            onAsk={(button) => void submit(button)}
          />
        </form>
      )}
    </PublicFrame>
  )
}

const byPassword = (school: string, name: string, secret: string): Half => ({
  school,
  name,
  enter: (proof) => signIn(school, name, secret, proof),
})

/**
 * How the chosen school shows itself; nothing while none is chosen, and the product's own look where it has no
 * pictures.
 */
function useBranding(schoolId: string | undefined): Branding | undefined {
  const [branding, setLook] = useState<Branding>()
  useEffect(() => {
    setLook(undefined)
    if (!schoolId) return
    const stop = new AbortController()
    send(schoolApi.bySchoolId, { schoolId }, { quiet: true, signal: stop.signal })
      .then(setLook)
      .catch(() => undefined)
    return () => stop.abort()
  }, [schoolId])
  return branding
}

let isPrefetched = false
function prefetchShell(): void {
  if (isPrefetched) return
  isPrefetched = true
  void import('./shell.tsx').catch(() => (isPrefetched = false))
}

const focusFirstFault = () =>
  setTimeout(() =>
    document.querySelector<HTMLElement>('[aria-invalid], input[name=password], input[name=totp]')?.focus(),
  )
