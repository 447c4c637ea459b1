import { useEffect, useState } from 'react'
import { quoted } from '../../../contract/core/quotes.ts'
import { bindingApi, type Binding } from '../../../contract/school/identity/bindings.calls.ts'
import { send } from '../../core/service/api.ts'
import { notify } from '../../core/service/notice.tsx'
import { passwordDigest } from '../../core/service/sha256.ts'
import { refreshAll, useCall } from '../../core/service/use-call.ts'
import { leaveToBind, takeBrought } from '../../shared/accounts/bindings.ts'
import { Card } from '../parts/pieces.tsx'
import { DirectoryForm } from './directory-form.tsx'
import { ProofForm } from './proof-form.tsx'

type Asked = { code: string; verifier: string } | { providerId: string; name: string } | { binding: Binding }

/** The accounts at providers that the student has bound, and those that could be. */
export function BindingsPart() {
  const { data } = useCall(bindingApi.mine, {}, { staleTime: 0 })
  const [asked, setAsked] = useState<Asked>()
  useEffect(() => {
    const brought = takeBrought()
    if (!brought) return
    if ('fault' in brought) notify('error', brought.fault)
    else setAsked(brought)
  }, [])
  if (!data || (data.providers.length === 0 && data.bindings.length === 0)) return null
  const { asksPassword, providers, bindings } = data
  const asks = asksPassword ? (['password'] as const) : []
  const hint = asksPassword ? '请输入登录密码，确认是您本人。' : '您没有设置登录密码，须在登录后 10 分钟内完成。'
  const close = () => setAsked(undefined)
  const done = (text: string) => {
    notify('success', text)
    close()
    void refreshAll()
  }
  const proof = (password: string) => (asksPassword ? { password: passwordDigest(password) } : {})
  if (asked && 'binding' in asked)
    return (
      <ProofForm
        title={`解除绑定${quoted(asked.binding.name)}`}
        hint={hint}
        asks={asks}
        submitText="解除绑定"
        onBack={close}
        onSubmit={async ({ password }) => {
          const { identityId } = asked.binding
          await send(bindingApi.unbind, { identityId, ...proof(password) }, { quiet: true })
          done('已解除绑定')
        }}
      />
    )
  if (asked && 'providerId' in asked)
    return (
      <DirectoryForm
        name={asked.name}
        asksPassword={asksPassword}
        onBack={close}
        onSubmit={async ({ username, directoryPassword, password }) => {
          const { providerId } = asked
          const input = { providerId, username, directoryPassword, ...proof(password) }
          await send(bindingApi.bindDirectory, input, { quiet: true })
          done('绑定成功')
        }}
      />
    )
  if (asked)
    return (
      <ProofForm
        title="绑定登录方式"
        hint={hint}
        asks={asks}
        submitText="绑定"
        onBack={close}
        onSubmit={async ({ password }) => {
          await send(bindingApi.bind, { ...asked, ...proof(password) }, { quiet: true })
          done('绑定成功')
        }}
      />
    )
  return (
    <Card title="绑定的登录方式">
      <p>学号与对方的账号不一致时，绑定后即可用它登录。</p>
      {bindings.length > 0 && (
        <ul className="s-list">
          {bindings.map((binding) => (
            <li key={binding.identityId} className="s-row">
              <span className="s-row-text">
                <strong>{binding.name}</strong>
                <small>
                  {binding.subject}，{binding.lastTime ? `最近登录 ${binding.lastTime.slice(0, 16)}` : '还没有用过'}
                </small>
              </span>
              <button type="button" className="s-button" onClick={() => setAsked({ binding })}>
                解除绑定
              </button>
            </li>
          ))}
        </ul>
      )}
      <div className="s-acts">
        {providers.map(({ providerId, name, asksHere }) => (
          <button
            key={providerId}
            type="button"
            className="s-button"
            onClick={() => (asksHere ? setAsked({ providerId, name }) : leaveToBind(providerId, 'student'))}
          >
            绑定{quoted(name)}
          </button>
        ))}
      </div>
    </Card>
  )
}
