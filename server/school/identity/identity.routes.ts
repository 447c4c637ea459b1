import { identityApi } from '../../../contract/school/identity/identity.calls.ts'
import { bindingApi } from '../../../contract/school/identity/bindings.calls.ts'
import { routes, type Route } from '../../core/request/routes.ts'
import { bind, bindDirectory, bindingsOfPerson, ownBindings, removeBindingOf, unbind } from './bindings.service.ts'
import { enterByDirectory } from './directory-sign-in.service.ts'
import { exchange } from './identity-flow.service.ts'
import { listSignInMethods } from './sign-in-methods.service.ts'
import { testProvider } from './test-provider.service.ts'
import { buttons, listProviders, removeProvider, saveProvider } from './providers.service.ts'

/** The calls of signing in by providers, and of what people have bound. */
export const identityRoutes: Route[] = [
  ...routes(identityApi, {
    buttons,
    exchange,
    enter: enterByDirectory,
    list: listProviders,
    ways: listSignInMethods,
    save: saveProvider,
    test: testProvider,
    remove: removeProvider,
  }),
  ...routes(bindingApi, {
    mine: ownBindings,
    bind,
    bindDirectory,
    unbind,
    ofPerson: bindingsOfPerson,
    removeOf: removeBindingOf,
  }),
]
