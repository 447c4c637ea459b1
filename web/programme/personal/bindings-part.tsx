import { Button, Input } from 'antd'
import { useEffect, useState } from 'react'
import type { Output } from '../../../contract/core/call.ts'
import { quoted } from '../../../contract/core/quotes.ts'
import { bindingApi, type Binding } from '../../../contract/school/identity/bindings.calls.ts'
import { DialogForm } from '../../core/form/dialog-form.tsx'
import { TextField } from '../../core/form/fields.tsx'
import { Field } from '../../core/form/form-field.tsx'
import { notify } from '../../core/service/notice.tsx'
import { passwordDigest } from '../../core/service/sha256.ts'
import { useCall } from '../../core/service/use-call.ts'
import { leaveToBind, takeBrought } from '../../shared/accounts/bindings.ts'

type Provider = Output<typeof bindingApi.mine>['providers'][number]
/** What is confirmed by the password just now. */
type Asked = { code: string; verifier: string } | { provider: Provider } | { binding: Binding }

/** The accounts at providers that the person has bound, and those that could be. */
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
  return (
    <section className="card account-part" aria-label="绑定的登录方式">
      <header>
        <h2>绑定的登录方式</h2>
        <div>
          {providers.map((provider) => (
            <Button
              key={provider.providerId}
              onClick={() => (provider.asksHere ? setAsked({ provider }) : leaveToBind(provider.providerId, 'console'))}
            >
              绑定{quoted(provider.name)}
            </Button>
          ))}
        </div>
      </header>
      <p>学号、工号与对方的账号不一致时，绑定后即可用它登录；一个账号只能绑定一人。</p>
      {bindings.length > 0 && (
        <ul>
          {bindings.map((binding) => (
            <li key={binding.identityId}>
              <div>
                <b>{binding.name}</b>
                <small>
                  {binding.subject} · 绑定于 {binding.createTime.slice(0, 16)} ·{' '}
                  {binding.lastTime ? `最近登录 ${binding.lastTime.slice(0, 16)}` : '还没有用它登录过'}
                </small>
              </div>
              <Button size="small" aria-label={`解除绑定${quoted(binding.name)}`} onClick={() => setAsked({ binding })}>
                解除绑定
              </Button>
            </li>
          ))}
        </ul>
      )}
      {asked && <ProofDialog asked={asked} asksPassword={asksPassword} onClose={() => setAsked(undefined)} />}
    </section>
  )
}

/** Asks for the password before anything is bound or unbound. */
function ProofDialog({ asked, asksPassword, onClose }: { asked: Asked; asksPassword: boolean; onClose: () => void }) {
  const proof = (values: Record<string, unknown>) =>
    asksPassword ? { password: passwordDigest(String(values['password'] ?? '')) } : {}
  const fields = asksPassword ? (
    <Field name="password" label="登录密码" required help="确认是您本人">
      <Input.Password autoComplete="current-password" placeholder="请输入" />
    </Field>
  ) : (
    <p>您没有设置登录密码，须在登录后 10 分钟内完成；已超过的，请重新登录。</p>
  )
  if ('binding' in asked)
    return (
      <DialogForm
        call={bindingApi.unbind}
        title={`解除绑定${quoted(asked.binding.name)}`}
        initial={{}}
        input={(values) => ({ identityId: asked.binding.identityId, ...proof(values) })}
        submitText="解除绑定"
        doneText="已解除绑定"
        onClose={onClose}
      >
        {fields}
      </DialogForm>
    )
  if ('provider' in asked)
    return (
      <DialogForm
        call={bindingApi.bindDirectory}
        title={`绑定${quoted(asked.provider.name)}`}
        initial={{}}
        input={(values) => ({
          providerId: asked.provider.providerId,
          username: String(values['username'] ?? ''),
          directoryPassword: String(values['directoryPassword'] ?? ''),
          ...proof(values),
        })}
        submitText="绑定"
        doneText="绑定成功"
        onClose={onClose}
      >
        <TextField name="username" />
        <Field name="directoryPassword" label="校园账号的密码" required>
          <Input.Password autoComplete="off" placeholder="请输入" />
        </Field>
        {fields}
      </DialogForm>
    )
  const { code, verifier } = asked
  return (
    <DialogForm
      call={bindingApi.bind}
      title="绑定登录方式"
      initial={{}}
      input={(values) => ({ code, verifier, ...proof(values) })}
      submitText="绑定"
      doneText="绑定成功"
      onClose={onClose}
    >
      {fields}
    </DialogForm>
  )
}
