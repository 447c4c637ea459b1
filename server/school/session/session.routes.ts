import { sessionApi } from '../../../contract/school/session/session.calls.ts'
import { routes } from '../../core/request/routes.ts'
import { menuFor } from './menu.ts'
import { retrievePwd } from './retrieve.service.ts'
import { editPassword, grantTokens, login, logout, profileOf } from './session.service.ts'

export const sessionRoutes = routes(sessionApi, {
  token: grantTokens,
  login,
  logout,
  editPassword,
  retrievePwd,
  menuTree: async ({ actor }) => menuFor(actor.permits),
  menuAndResources: async ({ actor }) => menuFor(actor.permits),
  landLoad: (ctx) => profileOf(ctx, ctx.actor),
})
