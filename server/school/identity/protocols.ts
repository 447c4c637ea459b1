import type { ProviderKind } from '../../../contract/school/identity/identity.calls.ts'
import { casProtocol } from './cas-protocol.ts'
import { oidcProtocol } from './oidc-protocol.ts'
import type { SignInProtocol } from './protocol.ts'

/** How the providers of each kind are asked. */
export const protocols: Record<ProviderKind, SignInProtocol> = { cas: casProtocol, oidc: oidcProtocol }
