import { overCapApi } from '../../../contract/programme/credits/over-cap.calls.ts'
import { routes } from '../../core/request/routes.ts'
import { overCaps, raiseCap } from './over-cap.service.ts'
import type { CreditKinds } from './recredit.service.ts'

export const overCapRoutes = (kinds: CreditKinds) =>
  routes(overCapApi, { list: overCaps, raise: (ctx, input) => raiseCap(ctx, kinds, input) })
