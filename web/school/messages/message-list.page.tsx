import { figure } from '../../core/service/figure.ts'
import PlusOutlined from '@ant-design/icons/PlusOutlined'
import { messageApi } from '../../../contract/school/messages/messages.calls.ts'
import { ActionButton } from '../../core/parts/buttons.tsx'
import { Tabs } from '../../core/parts/tabs.tsx'
import { PageHead } from '../../core/screen/page-head.tsx'
import { usePart } from '../../core/screen/use-address.ts'
import { useCall } from '../../core/service/use-call.ts'
import { Inbox, InboxExport } from './inbox.tsx'
import { Outbox, OutboxExport } from './outbox.tsx'
import './messages.css'

export const sendPath = '/personalCenter/sendMessage'

/** The person's own messages: what came in, and what they sent. */
export function MessageListPage() {
  const { open, tabs } = usePart({ inbox: '收件箱', outbox: '发件箱' })
  const { data } = useCall(messageApi.count, {})
  return (
    <div className="page list-page">
      <PageHead
        title="我的消息"
        facts={
          data &&
          (data.unread > 0
            ? `${figure(data.unread)} 条未读，共 ${figure(data.total)} 条`
            : `没有未读消息，共 ${figure(data.total)} 条`)
        }
        tools={
          <>
            {open === 'outbox' ? <OutboxExport /> : <InboxExport />}
            <ActionButton to={messageApi.send} href={sendPath} icon={<PlusOutlined />} primary>
              发送消息
            </ActionButton>
          </>
        }
      />
      <Tabs className="message-tabs" {...tabs} />
      {open === 'outbox' ? <Outbox /> : <Inbox />}
    </div>
  )
}
