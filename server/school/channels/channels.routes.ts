import { channelApi } from '../../../contract/school/channels/channels.calls.ts'
import { routes, type Route } from '../../core/request/routes.ts'
import { enableChannels, listChannels, removeChannels, saveChannel, testChannel } from './channels.service.ts'
import { listMessageDeliveries, resendMessages } from './message-deliveries.service.ts'

/** The calls by which a school has messages reach people outside. */
export const channelRoutes: Route[] = routes(channelApi, {
  list: listChannels,
  save: saveChannel,
  enable: enableChannels,
  remove: removeChannels,
  test: testChannel,
  deliveries: listMessageDeliveries,
  resend: resendMessages,
})
