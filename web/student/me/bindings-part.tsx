import { quoted } from '../../../contract/core/quotes.ts'
import { bindingApi } from '../../../contract/school/identity/bindings.calls.ts'
import { send } from '../../core/service/api.ts'
import { notify } from '../../core/service/notice.tsx'
import { refreshAll } from '../../core/service/use-call.ts'
import { useBindings } from '../../shared/accounts/use-bindings.ts'
import { Card } from '../parts/pieces.tsx'
import { DirectoryForm } from './directory-form.tsx'
import { ProofForm } from './proof-form.tsx'

/** The accounts at providers that the student has bound, and those that could be. */
export function BindingsPart() {
  const own = useBindings('student')
  if (!own) return null
  const { asksPassword, providers, bindings, asked, ask, begin, proof } = own
  const asks = asksPassword ? (['password'] as const) : []
  const hint = asksPassword ? '请输入登录密码，确认是您本人。' : '您没有设置登录密码，须在登录后 10 分钟内完成。'
  const close = () => ask(undefined)
  const done = (text: string) => {
    notify('success', text)
    close()
    void refreshAll()
  }
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
  if (asked && 'provider' in asked)
    return (
      <DirectoryForm
        name={asked.provider.name}
        asksPassword={asksPassword}
        onBack={close}
        onSubmit={async ({ username, directoryPassword, password }) => {
          const { providerId } = asked.provider
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
              <button type="button" className="s-button" onClick={() => ask({ binding })}>
                解除绑定
              </button>
            </li>
          ))}
        </ul>
      )}
      <div className="s-acts">
        {providers.map((provider) => (
          <button key={provider.providerId} type="button" className="s-button" onClick={() => begin(provider)}>
            绑定{quoted(provider.name)}
          </button>
        ))}
      </div>
    </Card>
  )
}
