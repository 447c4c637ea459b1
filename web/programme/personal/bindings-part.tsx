import { Button, Input } from 'antd'
import { quoted } from '../../../contract/core/quotes.ts'
import { bindingApi } from '../../../contract/school/identity/bindings.calls.ts'
import { DialogForm } from '../../core/form/dialog-form.tsx'
import { TextField } from '../../core/form/fields.tsx'
import { Field } from '../../core/form/form-field.tsx'
import { useBindings, type AskedBinding, type Bindings } from '../../shared/accounts/use-bindings.ts'

/** The accounts at providers that the person has bound, and those that could be. */
export function BindingsPart() {
  const own = useBindings('console')
  if (!own) return null
  const { providers, bindings, asked, ask, begin } = own
  return (
    <section className="card account-part" aria-label="绑定的登录方式">
      <header>
        <h2>绑定的登录方式</h2>
        <div>
          {providers.map((provider) => (
            <Button key={provider.providerId} onClick={() => begin(provider)}>
              绑定{quoted(provider.name)}
            </Button>
          ))}
        </div>
      </header>
      <p>学工号与对方的账号不一致时，绑定后即可用它登录；一个账号只能绑定一人。</p>
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
              <Button size="small" aria-label={`解除绑定${quoted(binding.name)}`} onClick={() => ask({ binding })}>
                解除绑定
              </Button>
            </li>
          ))}
        </ul>
      )}
      {asked && <ProofDialog own={own} asked={asked} onClose={() => ask(undefined)} />}
    </section>
  )
}

/** Asks for the password before anything is bound or unbound. */
function ProofDialog({
  own: { asksPassword, proof },
  asked,
  onClose,
}: {
  own: Bindings
  asked: AskedBinding
  onClose: () => void
}) {
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
        input={(values) => ({ identityId: asked.binding.identityId, ...proof(values['password']) })}
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
          ...proof(values['password']),
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
      input={(values) => ({ code, verifier, ...proof(values['password']) })}
      submitText="绑定"
      doneText="绑定成功"
      onClose={onClose}
    >
      {fields}
    </DialogForm>
  )
}
