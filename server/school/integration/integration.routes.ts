import { serviceKeyApi } from '../../../contract/school/integration/keys.calls.ts'
import { webhookApi } from '../../../contract/school/integration/webhooks.calls.ts'
import { routes, type Route } from '../../core/request/routes.ts'
import { deliveryDetail, exportDeliveries, listDeliveries, redeliver } from './deliveries.service.ts'
import { addKey, listKeys, revokeKeys, rolesForKeys } from './keys.service.ts'
import {
  addWebhook,
  editWebhook,
  enableWebhooks,
  listWebhooks,
  removeWebhooks,
  renewSecret,
  testWebhook,
} from './webhooks.service.ts'

/** The calls by which a school has other systems stand beside it. */
export const integrationRoutes: Route[] = [
  ...routes(serviceKeyApi, { list: listKeys, roles: rolesForKeys, add: addKey, revoke: revokeKeys }),
  ...routes(webhookApi, {
    list: listWebhooks,
    add: addWebhook,
    edit: editWebhook,
    enable: enableWebhooks,
    renew: renewSecret,
    remove: removeWebhooks,
    test: testWebhook,
    deliveries: listDeliveries,
    exportDeliveries,
    delivery: deliveryDetail,
    redeliver,
  }),
]
