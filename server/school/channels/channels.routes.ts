import { channelApi } from '../../../contract/school/channels/channels.calls.ts'
import { messagePreferenceApi, messageTextApi } from '../../../contract/school/channels/message-texts.calls.ts'
import { routes, type Route } from '../../core/request/routes.ts'
import { enableChannels, listChannels, removeChannels, saveChannel, testChannel } from './channels.service.ts'
import { exportMessageDeliveries, listMessageDeliveries, resendMessages } from './message-deliveries.service.ts'
import { listPreferences, savePreference } from './message-preferences.service.ts'
import { listTemplates, resetTemplate, saveTemplate } from './message-texts.service.ts'

/** The calls by which a school has messages reach people outside. */
export const channelRoutes: Route[] = [
  ...routes(channelApi, {
    list: listChannels,
    save: saveChannel,
    enable: enableChannels,
    remove: removeChannels,
    test: testChannel,
    deliveries: listMessageDeliveries,
    exportDeliveries: exportMessageDeliveries,
    resend: resendMessages,
  }),
  ...routes(messageTextApi, { list: listTemplates, save: saveTemplate, reset: resetTemplate }),
  ...routes(messagePreferenceApi, { list: listPreferences, save: savePreference }),
]
