import { useEffect, useState } from 'react'
import type { Output } from '../../../contract/core/call.ts'
import { bindingApi, type Binding } from '../../../contract/school/identity/bindings.calls.ts'
import type { SignInPage } from '../../../contract/school/identity/identity.calls.ts'
import { notify } from '../../core/service/notice.tsx'
import { passwordDigest } from '../../core/service/sha256.ts'
import { useCall } from '../../core/service/use-call.ts'
import { leaveToBind, takeBrought } from './bindings.ts'

type Mine = Output<typeof bindingApi.mine>
type Provider = Mine['providers'][number]
/**
 * What waits for the person's own proof: what they brought back, a directory that is asked here, or a binding that is
 * to go.
 */
export type AskedBinding = { code: string; verifier: string } | { provider: Provider } | { binding: Binding }

export interface Bindings extends Mine {
  asked: AskedBinding | undefined
  ask: (asked: AskedBinding | undefined) => void
  /** Begins to bind: at the provider's page, or here where a directory has none. */
  begin: (provider: Provider) => void
  /** The proof as the calls take it; nothing of those who have no password of their own. */
  proof: (password: unknown) => { password?: string }
}

/**
 * The accounts at providers that the person has bound and could bind, and what they are asked about just now; undefined
 * where there are none.
 * @param page to which they come back from a provider
 */
export function useBindings(page: SignInPage): Bindings | undefined {
  const { data } = useCall(bindingApi.mine, {}, { staleTime: 0 })
  const [asked, ask] = useState<AskedBinding>()
  useEffect(() => {
    const brought = takeBrought()
    if (!brought) return
    if ('fault' in brought) notify('error', brought.fault)
    else ask(brought)
  }, [])
  if (!data || (data.providers.length === 0 && data.bindings.length === 0)) return undefined
  return {
    ...data,
    asked,
    ask,
    begin: (provider) => (provider.asksHere ? ask({ provider }) : leaveToBind(provider.providerId, page)),
    proof: (password) => (data.asksPassword ? { password: passwordDigest(String(password ?? '')) } : {}),
  }
}
