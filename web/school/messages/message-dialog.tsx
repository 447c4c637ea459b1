import { Button, Modal } from 'antd'
import { useEffect, useState } from 'react'
import { useNavigate } from 'react-router'
import { yesNo } from '../../../contract/core/codes/platform.ts'
import { messageApi } from '../../../contract/school/messages/messages.calls.ts'
import { useSend } from '../../core/service/use-call.ts'
import { linkOf } from './message-link.ts'
import './messages.css'

/** What the dialog shows of a message, received or sent. */
interface ShownMessage {
  iiId: string
  iiTitle: string
  iiContent: string
  sendTime: string
  /** Received: who sent it. */
  createName?: string
  /** Sent: to whom. */
  suName?: string
  link?: string
  /** `'0'`: opening it marks it as read. */
  isRead?: string
}

/** A whole message. Its text is shown as it was written and never read as markup. */
export function MessageDialog({ message, onClose }: { message: ShownMessage; onClose: () => void }) {
  const [isOpen, setOpen] = useState(true)
  const navigate = useNavigate()
  const { send } = useSend(messageApi.read)
  const { iiId, isRead } = message
  useEffect(() => {
    if (isRead === yesNo.no) void send({ iiIds: [iiId] }, { blocks: false, quiet: true }).catch(() => undefined)
  }, [iiId, isRead, send])
  const link = linkOf(message)
  const go = () => {
    setOpen(false)
    void navigate(link!)
  }
  return (
    <Modal
      open={isOpen}
      title={message.iiTitle}
      width={560}
      onCancel={() => setOpen(false)}
      afterClose={onClose}
      footer={
        <>
          <Button onClick={() => setOpen(false)}>关闭</Button>
          {link && (
            <Button type="primary" onClick={go}>
              前往查看
            </Button>
          )}
        </>
      }
    >
      <p className="message-from">
        {message.createName ?? `收件人：${message.suName ?? ''}`}
        <time>{message.sendTime}</time>
      </p>
      <p className="message-body">{message.iiContent}</p>
    </Modal>
  )
}
