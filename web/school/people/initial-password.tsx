import { Modal, Typography } from 'antd'
import { useState } from 'react'
import type { InitialPassword } from '../../../contract/school/people/passwords.calls.ts'
import { LockButton } from '../../core/parts/buttons.tsx'

const copyable = { tooltips: ['复制', '已复制'] }

/** Shows a one-time password, which is told this once. */
export function InitialPasswordDialog({ given, onClose }: { given: InitialPassword; onClose: () => void }) {
  const [isOpen, setOpen] = useState(true)
  const { suiName, suLoginName, password, validUntil } = given
  return (
    <Modal
      open={isOpen}
      title={`${suiName}的一次性密码`}
      width={440}
      mask={{ closable: false }}
      onCancel={() => setOpen(false)}
      afterClose={onClose}
      footer={
        <LockButton type="primary" onClick={() => setOpen(false)}>
          我已记下
        </LockButton>
      }
    >
      <dl className="initial-password">
        <dt>登录账号</dt>
        <dd>
          <Typography.Text copyable={copyable}>{suLoginName}</Typography.Text>
        </dd>
        <dt>密码</dt>
        <dd>
          <Typography.Text copyable={{ ...copyable, text: password }}>
            <code>{password}</code>
          </Typography.Text>
        </dd>
        <dt>有效期至</dt>
        <dd className="figures">{validUntil.slice(0, 16)}</dd>
      </dl>
      <p className="initial-password-note">
        密码只显示这一次，关闭后无法再查看。请当面或以可靠方式告知本人，首次登录时须修改。
      </p>
    </Modal>
  )
}
