import { useEffect, useRef, useState } from 'react'
import { secondFactorApi } from '../../../contract/school/session/second-factor.calls.ts'
import { onFreshCode, send } from '../../core/service/api.ts'
import { ProofForm } from '../me/proof-form.tsx'

/**
 * Where a call wants a fresh code of the second factor, asks for it over the page; the call is then made again by
 * itself.
 */
export function FreshCode() {
  const dialog = useRef<HTMLDialogElement>(null)
  const settle = useRef<(isProven: boolean) => void>(undefined)
  const [isOpen, setOpen] = useState(false)
  useEffect(() => {
    onFreshCode(
      () =>
        new Promise((resolve) => {
          settle.current = resolve
          setOpen(true)
          dialog.current?.showModal()
        }),
    )
    return () => onFreshCode(undefined)
  }, [])
  const finish = (isProven: boolean) => {
    settle.current?.(isProven)
    settle.current = undefined
    setOpen(false)
    dialog.current?.close()
  }
  return (
    <dialog ref={dialog} className="s-dialog" aria-label="请再次验证身份" onClose={() => finish(false)}>
      {isOpen && (
        <ProofForm
          title="请再次验证身份"
          hint="该操作涉及个人信息。验证后 10 分钟内不再询问。"
          asks={['code']}
          submitText="验证并继续"
          onSubmit={async ({ code }) => {
            await send(secondFactorApi.confirm, { code }, { quiet: true, blocks: false })
            finish(true)
          }}
          onBack={() => finish(false)}
        />
      )}
    </dialog>
  )
}
