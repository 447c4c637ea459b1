import { fullPath } from '../../../contract/core/call.ts'
import { providerRefusals } from '../../../contract/core/provider-refusals.ts'
import { identityApi, type SignInPage } from '../../../contract/school/identity/identity.calls.ts'
import { sha256Hex } from '../../core/service/sha256.ts'
import { sessionStore } from '../../core/service/storage.ts'

/** What this window keeps to itself while somebody is at a provider's page to bind. */
const key = 'bindingBegun'

/** Leaves for a provider's page. Only this window can bind what comes back. */
export function leaveToBind(providerId: string, page: SignInPage): void {
  const verifier = [...crypto.getRandomValues(new Uint8Array(32))]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('')
  sessionStore.set(key, verifier)
  window.location.assign(
    `${fullPath({ ...identityApi.buttons, path: `/identity/start/${providerId}` })}?challenge=${sha256Hex(verifier)}&page=${page}&binds=1`,
  )
}

/** What came back from a provider, to be bound or to be told. */
type Brought = { code: string; verifier: string } | { fault: string }

/** Takes what came back, once: neither code nor fault is of use a second time, and the address stays in the history. */
export function takeBrought(): Brought | undefined {
  const query = new URLSearchParams(window.location.search)
  const [code, fault] = [query.get('bindingCode'), query.get('identityFault')]
  if (!code && !fault) return undefined
  window.history.replaceState(window.history.state, '', window.location.pathname)
  const verifier = sessionStore.get<string>(key)
  sessionStore.remove(key)
  if (code && verifier) return { code, verifier }
  const name = fault ?? 'identity-expired'
  return {
    fault: Object.hasOwn(providerRefusals, name)
      ? providerRefusals[name as keyof typeof providerRefusals]
      : '没有绑定成功，请重试',
  }
}
