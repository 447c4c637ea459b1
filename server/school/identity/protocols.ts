import { Failure } from '../../../contract/core/failure.ts'
import type { ProviderKind } from '../../../contract/school/identity/identity.calls.ts'
import { casProtocol } from './cas-protocol.ts'
import { dingtalkProtocol } from './dingtalk-protocol.ts'
import { oidcProtocol } from './oidc-protocol.ts'
import type { Provider, SignInProtocol } from './protocol.ts'
import { wecomProtocol } from './wecom-protocol.ts'
import { samlProtocol } from './saml-protocol.ts'

const protocols: Partial<Record<ProviderKind, SignInProtocol>> = {
  cas: casProtocol,
  oidc: oidcProtocol,
  wecom: wecomProtocol,
  dingtalk: dingtalkProtocol,
  saml: samlProtocol,
}

/** How a provider is asked at whose own page people sign in. Throws where they type their password on ours. */
export function protocolOf({ kind }: Pick<Provider, 'kind'>): SignInProtocol {
  const protocol = protocols[kind]
  if (!protocol) throw new Failure('identity-off')
  return protocol
}
