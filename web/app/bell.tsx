import { figure } from '../core/service/figure.ts'
import BellOutlined from '@ant-design/icons/BellOutlined'
import { Badge, Popover } from 'antd'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { yesNo } from '../../contract/core/codes/platform.ts'
import { messageApi, type ReceivedMessage } from '../../contract/school/messages/messages.calls.ts'
import { useCall, useSend } from '../core/service/use-call.ts'
import { dialogOnDemand } from '../core/parts/loaded-on-demand.tsx'
import { useIsPhone } from '../core/parts/use-width.ts'
import { linkOf } from '../school/messages/message-link.ts'
import { useUnread } from './use-unread.ts'
import '../school/messages/messages.css'

const MessageDialog = dialogOnDemand(() => import('../school/messages/message-dialog.tsx'), 'MessageDialog')
const messagesPath = '/personalCenter/message'
const latest = { pageSize: 5 }

/**
 * The bell of the header: how many messages are unread, the latest five, and the way to all; on a phone straight to
 * all.
 */
export function Bell() {
  const unread = useUnread()
  const isPhone = useIsPhone()
  const navigate = useNavigate()
  const { send } = useSend(messageApi.read)
  const [isOpen, setOpen] = useState(false)
  const [shown, setShown] = useState<ReceivedMessage>()

  const go = (path: string) => {
    setOpen(false)
    void navigate(path)
  }
  // what leads somewhere is read by going there, anything else by being shown
  const open = (message: ReceivedMessage) => {
    const link = linkOf(message)
    if (!link) {
      setOpen(false)
      return setShown(message)
    }
    if (message.isRead === yesNo.no)
      void send({ iiIds: [message.iiId] }, { blocks: false, quiet: true }).catch(() => undefined)
    go(link)
  }
  return (
    <>
      <Popover
        trigger="click"
        placement="bottomRight"
        open={isOpen}
        onOpenChange={(opens) => (isPhone && opens ? go(messagesPath) : setOpen(opens))}
        destroyOnHidden
        content={<Latest unread={unread} onOpen={open} onAll={() => go(messagesPath)} />}
      >
        <button
          type="button"
          className="icon-button"
          aria-haspopup="dialog"
          aria-expanded={isOpen}
          aria-label={unread > 0 ? `消息，${unread} 条未读` : '消息'}
        >
          <Badge count={unread} size="small" overflowCount={99}>
            <BellOutlined />
          </Badge>
        </button>
      </Popover>
      {shown && <MessageDialog message={shown} onClose={() => setShown(undefined)} />}
    </>
  )
}

function Latest({
  unread,
  onOpen,
  onAll,
}: {
  unread: number
  onOpen: (message: ReceivedMessage) => void
  onAll: () => void
}) {
  const { data, isError } = useCall(messageApi.inbox, latest, { staleTime: 0 })
  return (
    <section className="bell-list" aria-label="最新消息">
      <header>
        <b>消息</b>
        <span>{unread > 0 ? `${figure(unread)} 条未读` : '没有未读'}</span>
      </header>
      {data && data.records.length > 0 ? (
        <ul>
          {data.records.map((message) => (
            <li key={message.iurId} className={message.isRead === yesNo.no ? 'is-unread' : ''}>
              <button type="button" title={message.iiTitle} onClick={() => onOpen(message)}>
                <i aria-hidden="true" />
                <b>
                  {message.isRead === yesNo.no && <span className="visually-hidden">未读：</span>}
                  {message.iiTitle}
                </b>
                <time>{message.sendTime.slice(5, 16)}</time>
                <small>
                  {message.createName}：{message.iiContent}
                </small>
              </button>
            </li>
          ))}
        </ul>
      ) : (
        <p className="bell-none">{isError ? '未能取得消息' : data ? '暂无消息' : '正在载入…'}</p>
      )}
      <footer>
        <span />
        <button type="button" className="row-act" onClick={onAll}>
          查看全部消息
        </button>
      </footer>
    </section>
  )
}
