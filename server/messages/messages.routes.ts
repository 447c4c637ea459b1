import { messageApi } from '../../contract/messages/messages.calls.ts'
import { routes } from '../core/routes.ts'
import { countInbox, findReceivers, listInbox, listOutbox } from './messages.queries.ts'
import { markRead, removeMessages, sendMessage } from './messages.service.ts'

export const messageRoutes = routes(messageApi, {
  inbox: listInbox,
  count: countInbox,
  read: markRead,
  remove: removeMessages,
  outbox: listOutbox,
  receivers: findReceivers,
  send: sendMessage,
})
