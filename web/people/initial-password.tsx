import { Button, Modal, Typography } from 'antd'
import type { InitialPassword } from '../../contract/people/passwords.calls.ts'

/** Shows a one-time password, which is told this once. */
export function InitialPasswordDialog({ given, onClose }: { given: InitialPassword; onClose: () => void }) {
  return (
    <Modal open title={`${given.suiName}的一次性密码`} width={440} onCancel={onClose} mask={{ closable: false }} footer={<Button type="primary" onClick={onClose}>我已记下</Button>}>
      <p>请当面或通过可靠方式告知本人。该密码只显示这一次，首次登录后必须修改，{given.validUntil.slice(0, 16)} 前有效。</p>
      <dl className="initial-password">
        <dt>登录名</dt>
        <dd><Typography.Text copyable={{ tooltips: ['复制', '已复制'] }}>{given.suLoginName}</Typography.Text></dd>
        <dt>一次性密码</dt>
        <dd><Typography.Text copyable={{ tooltips: ['复制', '已复制'] }} code>{given.password}</Typography.Text></dd>
      </dl>
      <p className="initial-password-note">其原有的登录已全部退出。</p>
    </Modal>
  )
}
