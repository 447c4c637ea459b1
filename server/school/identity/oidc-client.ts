import { createHmac } from 'node:crypto'
import * as jose from 'jose'
import * as oidc from 'openid-client'
import { askOutbound, OutboundFault } from '../../core/base/outbound.ts'
import type { PublicContext } from '../../core/request/context.ts'
import { unseal } from '../../core/secrets/field-crypto.ts'
import { providerLimits } from './ask-provider.ts'
import type { Provider, ProviderServices } from './protocol.ts'

/** Seconds by which the provider's clock may differ from ours. */
export const clockSkew = 60
/** Signatures that can be checked by a public key; `none` and those by a shared secret prove nothing here. */
export const signatures = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA']
/** Milliseconds for which the document of a provider is kept: who begins is not led there by a question each time. */
const keptMs = 5 * 60_000

interface Kept {
  until: number
  metadata: Promise<oidc.ServerMetadata>
  keys?: ReturnType<typeof jose.createRemoteJWKSet>
}
const kept = new Map<string, Kept>()

/** Every question of the libraries goes out as those to other systems do. */
const fetching =
  ({ config }: Pick<PublicContext, 'config'>) =>
  async (address: string, options: { method?: string; headers?: unknown; body?: unknown }): Promise<Response> => {
    const { status, headers, text } = await askOutbound(
      {
        address,
        method: options.method === 'POST' ? 'POST' : 'GET',
        headers: Object.fromEntries(new Headers(options.headers as Record<string, string> | undefined)),
        ...(options.body instanceof URLSearchParams || typeof options.body === 'string'
          ? { body: options.body.toString() }
          : {}),
      },
      config.outboundPrivate,
      providerLimits,
    )
    const type = headers['content-type']
    return new Response([204, 205, 304].includes(status) ? null : text, {
      status,
      ...(type && { headers: { 'content-type': type } }),
    })
  }

/**
 * What a provider says of itself, at most five minutes old.
 * @param isFresh whether it is asked anew in any case
 */
function metadataOf(ctx: ProviderServices, { providerId, version, settings }: Provider, isFresh: boolean): Kept {
  const key = `${providerId}:${version}`
  const known = kept.get(key)
  if (known && known.until > Date.now() && !isFresh) return known
  const address = new URL(settings.address)
  const found: Kept = {
    until: Date.now() + keptMs,
    metadata: oidc
      .discovery(address, settings.clientId, {}, oidc.None(), {
        execute: address.protocol === 'http:' ? [oidc.allowInsecureRequests] : [],
        [oidc.customFetch]: fetching(ctx) as oidc.CustomFetch,
      })
      .then((configuration) => structuredClone({ ...configuration.serverMetadata() })),
  }
  // one that could not be asked is asked again by the next
  found.metadata.catch(() => kept.get(key) === found && kept.delete(key))
  if (kept.size >= 500) kept.clear()
  kept.set(key, found)
  return found
}

/**
 * The client of a provider, with no keys of an earlier sign-in: those are asked for each time, so that a provider may
 * change them whenever it likes. Tokens are checked by their signatures although they come by TLS.
 */
export async function oidcClient(
  ctx: ProviderServices,
  provider: Provider,
  isFresh = false,
): Promise<oidc.Configuration> {
  const { clientId, address } = provider.settings
  const metadata = await metadataOf(ctx, provider, isFresh).metadata
  const secret = unseal(provider.sealedSecret, ctx.secrets) ?? ''
  const methods = metadata.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
  const proof = methods.includes('client_secret_basic') ? oidc.ClientSecretBasic(secret) : oidc.ClientSecretPost(secret)
  const configuration = new oidc.Configuration(metadata, clientId, { [oidc.clockTolerance]: clockSkew }, proof)
  configuration[oidc.customFetch] = fetching(ctx) as oidc.CustomFetch
  oidc.enableNonRepudiationChecks(configuration)
  if (new URL(address).protocol === 'http:') oidc.allowInsecureRequests(configuration)
  return configuration
}

/**
 * The keys by which a provider signs notices, which anybody may send: an unknown one is asked for every 5 s at most.
 */
export async function oidcKeys(ctx: ProviderServices, provider: Provider) {
  const found = metadataOf(ctx, provider, false)
  const { jwks_uri: address, issuer } = await found.metadata
  if (!address) throw new Error('the provider publishes no keys')
  found.keys ??= jose.createRemoteJWKSet(new URL(address), {
    cooldownDuration: 5000,
    cacheMaxAge: 60_000,
    [jose.customFetch]: fetching(ctx) as unknown as typeof fetch,
  })
  return { keys: found.keys, issuer }
}

/**
 * What this program keeps to itself of a way to a provider and back, out of its state: nothing has to be stored, and
 * who sees the state cannot tell it.
 */
export const derived = ({ secrets }: ProviderServices, purpose: 'nonce' | 'verifier', state: string): string =>
  createHmac('sha256', secrets.hashKey).update(`oidc ${purpose} ${state}`).digest('base64url')

/** What went wrong on the network, which the libraries wrap into errors of their own; undefined where nothing did. */
export function networkFault(error: unknown): OutboundFault | undefined {
  for (let at = error; at instanceof Error; at = at.cause) if (at instanceof OutboundFault) return at
  return undefined
}
