import { sessionApi } from '../../../contract/school/session/session.calls.ts'
import { routes } from '../../core/request/routes.ts'
import { menuFor } from './menu.ts'
import { retrievePwd } from './retrieve.service.ts'
import { editPassword, grantTokens, login, logout, profileOf, type ProviderToLeave } from './session.service.ts'

/** Sign-in, sign-out and what the console asks at its start. */
export const sessionRoutes = (toLeave: ProviderToLeave) =>
  routes(sessionApi, {
    token: grantTokens,
    login,
    logout: (ctx) => logout(ctx, toLeave),
    editPassword,
    retrievePwd,
    menuTree: async ({ actor }) => menuFor(actor.permits),
    menuAndResources: async ({ actor }) => menuFor(actor.permits),
    landLoad: (ctx) => profileOf(ctx, ctx.actor),
  })
