import { sessionApi } from '../../../contract/school/session/session.calls.ts'
import { routes } from '../../core/request/routes.ts'
import { menuFor } from './menu.ts'
import { retrievePwd } from './retrieve.service.ts'
import { editPassword, grantTokens, login, logout, openedSession, type SignInWays } from './session.service.ts'

/** Sign-in, sign-out and what the console asks at its start. */
export const sessionRoutes = (ways: SignInWays) =>
  routes(sessionApi, {
    token: (ctx, input) => grantTokens(ctx, ways, input),
    login: (ctx, input) => login(ctx, ways, input),
    logout: (ctx) => logout(ctx, ways),
    editPassword,
    retrievePwd,
    menuTree: async ({ actor }) => menuFor(actor.permits),
    menuAndResources: async ({ actor }) => menuFor(actor.permits),
    landLoad: openedSession,
  })
