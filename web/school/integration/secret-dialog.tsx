import { Alert, Button, Modal } from 'antd'
import { useState } from 'react'
import { LockButton } from '../../core/parts/buttons.tsx'
import { notify } from '../../core/service/notice.tsx'
import './integration.css'

/** A secret that is shown this once, to be copied to where it is used. */
export function SecretDialog({
  title,
  secret,
  hint,
  onClose,
}: {
  title: string
  secret: string
  hint: string
  onClose: () => void
}) {
  const [isOpen, setOpen] = useState(true)
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(secret)
      notify('success', '已复制')
    } catch {
      notify('warning', '浏览器不允许复制，请选中后手动复制')
    }
  }
  return (
    <Modal
      open={isOpen}
      title={title}
      closable={false}
      mask={{ closable: false }}
      keyboard={false}
      afterClose={onClose}
      footer={
        <LockButton type="primary" onClick={() => setOpen(false)}>
          我已妥善保存
        </LockButton>
      }
    >
      <Alert type="warning" showIcon title="只显示这一次，关闭后无法再查看。请立即复制保存。" />
      <div className="secret-line">
        <code aria-label={title}>{secret}</code>
        <Button onClick={() => void copy()}>复制</Button>
      </div>
      <p className="secret-hint">{hint}</p>
    </Modal>
  )
}
