import { demoApi, type DemoAccount } from '../../../contract/school/session/demo.calls.ts'
import type { PublicContext } from '../../core/request/context.ts'
import { routes } from '../../core/request/routes.ts'

/** The accounts anybody may try. Which they are is handed in: no domain knows of demo schools. */
export const demoRoutes = (offered: (ctx: PublicContext) => Promise<DemoAccount[]>) =>
  routes(demoApi, { accounts: offered })
