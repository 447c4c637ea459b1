import { activationApi } from '../../../contract/school/session/activation.calls.ts'
import { routes } from '../../core/request/routes.ts'
import { printSlips } from './activation-slips.service.ts'
import { activateAccount, activationWays, proveActivation } from './activation.service.ts'
import type { SignInWays } from './session.service.ts'

/** First passwords that students choose themselves. */
export const activationRoutes = (ways: SignInWays) =>
  routes(activationApi, {
    ways: activationWays,
    prove: proveActivation,
    activate: (ctx, input) => activateAccount(ctx, ways, input),
    slips: printSlips,
  })
