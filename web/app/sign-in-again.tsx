import { Input } from 'antd'
import { useEffect, useRef, useState } from 'react'
import { Dialog } from '../core/parts/dialog.tsx'
import { onExpired } from '../core/service/api.ts'
import { localStore } from '../core/service/storage.ts'
import { ApiError } from '../core/service/wire.ts'
import { CodeInput } from './code-input.tsx'
import type { Unsaved } from '../core/service/tab.ts'
import { isCodeAsked, signIn, useSession } from './session.ts'
import { unsavedText } from './unsaved-text.ts'

/**
 * When the credential has run out, asks for the password over the page, so that nothing typed is lost. `unsaved` says
 * what becomes of the work of each tab that has some.
 */
export function SignInAgain({ unsaved }: { unsaved: readonly Unsaved[] }) {
  const session = useSession()
  const [password, setPassword] = useState('')
  /** Undefined until the service has asked for one. */
  const [totp, setTotp] = useState<string>()
  const [fault, setFault] = useState<string>()
  const [waiting, setWaiting] = useState(false)
  const [isOpen, setOpen] = useState(false)
  const [isLeaving, setLeaving] = useState(false)
  const settle = useRef<(isSignedIn: boolean) => void>(undefined)

  useEffect(() => {
    if (!session) return
    onExpired({
      renew: () =>
        new Promise((resolve) => {
          settle.current = resolve
          setPassword('')
          setTotp(undefined)
          setFault(undefined)
          setOpen(true)
        }),
    })
    return () => onExpired({ renew: undefined })
  }, [session])

  const finish = (isSignedIn: boolean) => {
    setOpen(false)
    setLeaving(false)
    settle.current?.(isSignedIn)
  }
  const submit = async () => {
    if (waiting) return
    if (!session || !password) return setFault('请输入密码')
    if (totp?.trim() === '') return setFault('请输入动态口令')
    setWaiting(true)
    try {
      const proof = totp === undefined ? undefined : { totp: totp.trim(), remembers: false }
      await signIn(session.profile.schoolId, session.profile.username, password, proof)
      localStore.set('user', { id: session.profile.id, username: session.profile.username })
      finish(true)
    } catch (error) {
      if (isCodeAsked(error) || totp !== undefined) setTotp('')
      setFault(error instanceof ApiError ? error.message : '登录未成功，请重试')
    } finally {
      setWaiting(false)
    }
  }

  return (
    <Dialog
      open={isOpen}
      title="登录凭证已过期，请重新登录"
      okText="继续"
      cancelText="去登录页"
      confirmLoading={waiting}
      onOk={() => void submit()}
      onCancel={() => (unsaved.length > 0 ? setLeaving(true) : finish(false))}
      mask={{ closable: false }}
      keyboard={false}
      closable={false}
      width={420}
      zIndex={2000}
    >
      <p className="again-hint">为保护数据，长时间未操作后需要确认身份。页面上的内容会保留。</p>
      <label className="again-label">
        {session?.profile.suNickname}（{session?.profile.username}）的密码
        <Input.Password
          autoFocus
          value={password}
          status={fault ? 'error' : ''}
          autoComplete="current-password"
          onChange={(event) => setPassword(event.target.value)}
          onPressEnter={() => void submit()}
        />
      </label>
      {totp !== undefined && (
        <label className="again-label">
          动态口令
          <CodeInput
            value={totp}
            status={fault ? 'error' : ''}
            onChange={(event) => setTotp(event.target.value)}
            onPressEnter={() => void submit()}
          />
        </label>
      )}
      {fault && (
        <p className="again-fault" role="alert">
          {fault}
        </p>
      )}
      <Dialog
        open={isLeaving}
        title="有未保存的内容"
        okText="仍要离开"
        okButtonProps={{ danger: true }}
        cancelText="继续编辑"
        width={420}
        zIndex={2100}
        onOk={() => finish(false)}
        onCancel={() => setLeaving(false)}
      >
        <p>{unsavedText(unsaved, '离开')}</p>
      </Dialog>
    </Dialog>
  )
}
