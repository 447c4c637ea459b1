import { Failure } from '../../../contract/core/failure.ts'
import type { ProviderKind } from '../../../contract/school/identity/identity.calls.ts'
import type { Provider, SignInProtocol } from './protocol.ts'

/** Each with its libraries, which are read when a provider of that kind is first asked. */
const protocols: Partial<Record<ProviderKind, () => Promise<SignInProtocol>>> = {
  cas: async () => (await import('./cas-protocol.ts')).casProtocol,
  oidc: async () => (await import('./oidc-protocol.ts')).oidcProtocol,
  wecom: async () => (await import('./wecom-protocol.ts')).wecomProtocol,
  dingtalk: async () => (await import('./dingtalk-protocol.ts')).dingtalkProtocol,
  saml: async () => (await import('./saml-protocol.ts')).samlProtocol,
}

/** How a provider is asked at whose own page people sign in. Throws where they type their password on ours. */
export async function protocolOf({ kind }: Pick<Provider, 'kind'>): Promise<SignInProtocol> {
  const protocol = protocols[kind]
  if (!protocol) throw new Failure('identity-off')
  return protocol()
}
