import { identityApi } from '../../../contract/school/identity/identity.calls.ts'
import { useCall } from '../../core/service/use-call.ts'
import { audienceNames } from './provider-names.ts'
import './identity.css'

const passwordTexts = { on: '账号密码', off: undefined, fallback: '账号密码（没有其他方式，暂时照常可用）' }

/** Who may sign in by what, as it holds now. */
export function WaysPanel() {
  const { data } = useCall(identityApi.ways, {})
  if (!data) return null
  const { kinds, emergency } = data
  const isAdminClosed = kinds.some(({ kind, password }) => kind === 'administrator' && password === 'off')
  return (
    <section className="sign-in-ways" aria-label="各类人员的登录方式">
      <dl>
        {kinds.map(({ kind, password, providers }) => (
          <div key={kind}>
            <dt>{audienceNames[kind]}</dt>
            <dd>{[passwordTexts[password], ...providers].filter(Boolean).join('、')}</dd>
          </div>
        ))}
        {isAdminClosed && emergency && (
          <div>
            <dt>应急账号</dt>
            <dd>
              {emergency.suNickname}（{emergency.suLoginName}）始终可用账号密码
            </dd>
          </div>
        )}
      </dl>
      <p>账号密码的开关在“规则设置”的“登录安全”中。</p>
    </section>
  )
}
