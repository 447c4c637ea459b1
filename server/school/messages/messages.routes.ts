import { messageApi } from '../../../contract/school/messages/messages.calls.ts'
import { routes, type Route } from '../../core/request/routes.ts'
import { liveUnread, type AliveSessions } from '../../platform/notifications/live.service.ts'
import { exportInbox, exportOutbox, exportReaders } from './list-exports.ts'
import { countInbox, listInbox, listOutbox, listReaders } from './messages.queries.ts'
import { markRead, recallMessage, removeMessages, sendMessage } from './messages.service.ts'
import { findClasses, findReceivers, findRoles, reachedBy } from './receivers.queries.ts'

/** The message calls. Which sessions still live is told from outside. */
export const messageRoutes = (alive: AliveSessions): Route[] =>
  routes(messageApi, {
    inbox: listInbox,
    exportInbox,
    count: countInbox,
    read: markRead,
    remove: removeMessages,
    outbox: listOutbox,
    exportOutbox,
    receivers: findReceivers,
    receiverClasses: findClasses,
    receiverRoles: findRoles,
    reach: async (ctx, input) => ({ count: (await reachedBy(ctx, input)).length }),
    send: sendMessage,
    recall: recallMessage,
    readers: listReaders,
    exportReaders,
    stream: liveUnread(alive),
  })
