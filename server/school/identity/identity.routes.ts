import { identityApi } from '../../../contract/school/identity/identity.calls.ts'
import { routes } from '../../core/request/routes.ts'
import { enterByDirectory } from './directory-sign-in.service.ts'
import { exchange } from './identity-flow.service.ts'
import { listWays } from './ways.service.ts'
import { testProvider } from './test-provider.service.ts'
import { buttons, listProviders, removeProvider, saveProvider } from './providers.service.ts'

export const identityRoutes = routes(identityApi, {
  buttons,
  exchange,
  enter: enterByDirectory,
  list: listProviders,
  ways: listWays,
  save: saveProvider,
  test: testProvider,
  remove: removeProvider,
})
