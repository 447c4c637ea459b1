import { useState, type FormEvent } from 'react'
import { Line, SubmitButton } from './public-fields.tsx'
import type { Proof } from './session.ts'

/** The second step of the sign-in: a code of the authenticator, or a recovery code. */
export function CodeStep({
  username,
  fault,
  isWaiting,
  onProve,
  onBack,
}: {
  username: string
  fault: string | undefined
  isWaiting: boolean
  onProve: (proof: Proof) => Promise<void>
  onBack: () => void
}) {
  const [totp, setTotp] = useState('')
  const [remembers, setRemembers] = useState(false)
  const [missing, setMissing] = useState<string>()
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (!totp.trim()) return setMissing('请输入动态口令')
    setMissing(undefined)
    await onProve({ totp: totp.trim(), remembers })
    // a code is good once: the next one is typed anew
    setTotp('')
  }
  return (
    <form noValidate onSubmit={(event) => void submit(event)} aria-label="动态口令">
      {fault && (
        <p className="form-fault" role="alert">
          {fault}
        </p>
      )}
      <p className="form-note">
        {username ? `账号 ${username}` : '您的账号'} 已启用动态口令，请输入手机身份验证器显示的 6 位数字。
      </p>
      <Line
        label="动态口令"
        name="totp"
        value={totp}
        onValue={setTotp}
        error={missing}
        help="手机不在身边时，可输入一个恢复码"
        autoComplete="one-time-code"
        autoFocus
        maxLength={20}
      />
      <div className="form-row">
        <label className="check">
          <input type="checkbox" checked={remembers} onChange={(event) => setRemembers(event.target.checked)} />
          30 天内此设备不再询问
        </label>
        <button type="button" className="text-button" onClick={onBack}>
          换个账号
        </button>
      </div>
      <SubmitButton isWaiting={isWaiting}>{isWaiting ? '正在登录…' : '继续'}</SubmitButton>
    </form>
  )
}
