import { identityApi } from '../../../contract/school/identity/identity.calls.ts'
import { routes } from '../../core/request/routes.ts'
import { exchange } from './identity-flow.service.ts'
import { listWays } from './ways.service.ts'
import { testProvider } from './test-provider.service.ts'
import { buttons, listProviders, removeProvider, saveProvider } from './providers.service.ts'

export const identityRoutes = routes(identityApi, {
  buttons,
  exchange,
  list: listProviders,
  ways: listWays,
  save: saveProvider,
  test: testProvider,
  remove: removeProvider,
})
