import { createHmac } from 'node:crypto'
import { generateServiceProviderMetadata, SAML, ValidateInResponseTo } from '@node-saml/node-saml'
import { Failure } from '../../../contract/core/failure.ts'
import { callbackPath, metadataPath } from '../../../contract/school/identity/identity.calls.ts'
import { epochOf } from '../../core/base/clock.ts'
import type { PublicContext } from '../../core/request/context.ts'
import type { Provider, AuthRequest } from './protocol.ts'
import { providerOf } from './providers.service.ts'
import { samlSkewMs } from './saml-assertion.ts'
import { samlKeyOf } from './saml-key.ts'
import { certificatesAt, MetadataFault, samlMetadata, type SamlMetadata } from './saml-metadata.ts'

/** The page where somebody signs in, with our request. */
export async function samlLogin(ctx: PublicContext, provider: Provider, authRequest: AuthRequest): Promise<string> {
  const { metadata } = await samlMetadata(ctx, provider)
  return samlLibrary(ctx, provider, metadata, authRequest).getAuthorizeUrlAsync(authRequest.state, undefined, {})
}

/**
 * What this program says of itself to a provider, which may be read before people sign in by it.
 * @param origin scheme and host at which it is asked for
 */
export async function metadataFor(ctx: PublicContext, providerId: string, origin: string): Promise<string> {
  const provider = await providerOf(ctx, providerId)
  if (provider?.kind !== 'saml') throw new Failure('not-found')
  const callback = `${origin}${callbackPath}${providerId}`
  const { key, certificate } = samlKeyOf(provider, ctx.secrets)
  return generateServiceProviderMetadata({
    issuer: entityIdOf(provider, callback),
    callbackUrl: callback,
    logoutCallbackUrl: callback,
    identifierFormat: null,
    wantAssertionsSigned: true,
    privateKey: key,
    publicCerts: certificate,
    decryptionPvk: key,
    decryptionCert: certificate,
  })
}

/** By which a provider knows this program: by the address of its metadata, unless it has been given another name. */
export const entityIdOf = ({ settings }: Provider, callback: string): string =>
  settings.clientId || callback.replace(callbackPath, metadataPath)

/** The id of our request, out of the state: nothing has to be stored, and who sees the id cannot tell the state. */
export const requestIdOf = ({ secrets }: Pick<PublicContext, 'secrets'>, state: string): string =>
  `_${createHmac('sha256', secrets.hashKey).update(`saml request ${state}`).digest('hex')}`

/** The library that makes and checks messages between a provider and us. */
export function samlLibrary(
  ctx: PublicContext,
  provider: Provider,
  metadata: SamlMetadata,
  { callback, state }: { callback: string; state?: string },
): SAML {
  const { key, certificate } = samlKeyOf(provider, ctx.secrets)
  const certificates = certificatesAt(metadata, new Date(epochOf(ctx.clock.now())))
  if (certificates.length === 0) throw new MetadataFault('对方没有有效的签名证书')
  const issuer = entityIdOf(provider, callback)
  const requestId = state === undefined ? undefined : requestIdOf(ctx, state)
  return new SAML({
    callbackUrl: callback,
    issuer,
    audience: issuer,
    entryPoint: metadata.signOn,
    logoutUrl: metadata.logoutAnswer ?? '',
    idpIssuer: metadata.entityId,
    idpCert: certificates.map(({ der }) => der),
    privateKey: key,
    publicCert: certificate,
    decryptionPvk: key,
    signatureAlgorithm: 'sha256',
    digestAlgorithm: 'sha256',
    // that of the answer covers the assertion in it; one of the two there has to be
    wantAssertionsSigned: false,
    wantAuthnResponseSigned: false,
    identifierFormat: null,
    disableRequestedAuthnContext: true,
    acceptedClockSkewMs: samlSkewMs,
    validateInResponseTo: ValidateInResponseTo.always,
    ...(requestId !== undefined && { generateUniqueId: () => requestId }),
    // the one request that an answer may be to; the flow sees to it that it is used once
    cacheProvider: {
      saveAsync: async () => null,
      getAsync: async (id) => (id === requestId ? new Date().toISOString() : null),
      removeAsync: async () => null,
    },
  })
}
