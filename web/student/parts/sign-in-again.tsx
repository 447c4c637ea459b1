import { useEffect, useRef, useState } from 'react'
import { isCodeAsked, signIn, useSession } from '../../app/session.ts'
import { onExpired } from '../../core/service/api.ts'
import { localStore } from '../../core/service/storage.ts'
import { ProofForm } from '../me/proof-form.tsx'

/**
 * When the credential has run out, asks for the password over the page, so that nothing typed is lost; the call is then
 * made again by itself.
 */
export function SignInAgain() {
  const session = useSession()
  const dialog = useRef<HTMLDialogElement>(null)
  const settle = useRef<(isSignedIn: boolean) => void>(undefined)
  const [isOpen, setOpen] = useState(false)
  const [needsCode, setNeedsCode] = useState(false)
  useEffect(() => {
    if (!session) return
    onExpired({
      renew: () =>
        new Promise((resolve) => {
          settle.current = resolve
          setNeedsCode(false)
          setOpen(true)
          dialog.current?.showModal()
        }),
    })
    return () => onExpired({ renew: undefined })
  }, [session])
  const finish = (isSignedIn: boolean) => {
    settle.current?.(isSignedIn)
    settle.current = undefined
    setOpen(false)
    dialog.current?.close()
  }
  return (
    <dialog
      ref={dialog}
      className="s-dialog"
      aria-label="登录已过期"
      // the phone's own way back is taken by mistake, and what was typed would be gone
      onCancel={(event) => event.preventDefault()}
      onClose={() => finish(false)}
    >
      {isOpen && session && (
        <ProofForm
          title="登录已过期"
          hint={`请输入${session.profile.suNickname}（${session.profile.username}）的密码后继续，页面上的内容会保留；去登录页则不保留。`}
          asks={needsCode ? ['password', 'code'] : ['password']}
          submitText="继续"
          backText="去登录页"
          onSubmit={async ({ password, code }) => {
            const { id, schoolId, username } = session.profile
            try {
              await signIn(schoolId, username, password, needsCode ? { totp: code, remembers: false } : undefined)
            } catch (error) {
              if (isCodeAsked(error)) setNeedsCode(true)
              throw error
            }
            localStore.set('user', { id, username })
            finish(true)
          }}
          onBack={() => finish(false)}
        />
      )}
    </dialog>
  )
}
