import { createHash } from 'node:crypto'
import * as jose from 'jose'
import * as oidc from 'openid-client'
import { Failure, type FailureName } from '../../../contract/core/failure.ts'
import type { PublicContext } from '../../core/request/context.ts'
import { clockSkew, derived, networkFault, oidcClient, oidcKeys, signatures } from './oidc-client.ts'
import type { Provider, SignInProtocol } from './protocol.ts'
import { testOidc } from './test-oidc.ts'

/** The event of a notice of OpenID Connect Back-Channel Logout 1.0. */
const logoutEvent = 'http://schemas.openid.net/event/backchannel-logout'
/** Seconds for which a notice may be under way. */
const noticeSeconds = 300

/** Sign-in by OpenID Connect: authorization code with PKCE, back-channel logout, sign-out begun here. */
export const oidcProtocol: SignInProtocol = {
  async loginPage(ctx, provider, { callback, state }) {
    const verifier = derived(ctx, 'verifier', state)
    const client = await asking(ctx, provider, () => oidcClient(ctx, provider))
    return oidc.buildAuthorizationUrl(client, {
      redirect_uri: callback,
      scope: provider.settings.scope,
      state,
      nonce: derived(ctx, 'nonce', state),
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 'S256',
    }).href
  },

  async resolveCallback(ctx, provider, { callback, state }, query) {
    const back = new URL(callback)
    back.search = new URLSearchParams(query).toString()
    return asking(ctx, provider, async () => {
      const client = await oidcClient(ctx, provider)
      const tokens = await oidc.authorizationCodeGrant(client, back, {
        expectedState: state,
        expectedNonce: derived(ctx, 'nonce', state),
        pkceCodeVerifier: derived(ctx, 'verifier', state),
        idTokenExpected: true,
      })
      const claims = tokens.claims()!
      const name = provider.settings.attribute || 'sub'
      let number = claimOf(claims, name)
      if (number === undefined && client.serverMetadata().userinfo_endpoint)
        number = claimOf(await oidc.fetchUserInfo(client, tokens.access_token, claims.sub), name)
      const { sid, sub } = claims
      return { number: number || null, ticket: typeof sid === 'string' && sid ? sid : null, subject: sub }
    })
  },

  async signedOut(ctx, provider, { logout_token: token = '' }) {
    try {
      const { keys, issuer } = await oidcKeys(ctx, provider)
      const { payload, protectedHeader } = await jose.jwtVerify(token, keys, {
        issuer,
        audience: provider.settings.clientId,
        algorithms: signatures,
        clockTolerance: clockSkew,
        maxTokenAge: noticeSeconds,
        requiredClaims: ['iat', 'jti', 'events'],
      })
      const { sid, sub, jti, events, nonce } = payload
      // a token of a sign-in is never taken for a notice
      const isNotice = typeof events === 'object' && events !== null && logoutEvent in events && nonce === undefined
      if (!isNotice || !/^(logout\+jwt|jwt)$/i.test(protectedHeader.typ ?? 'jwt') || !jti) return undefined
      const ticket = typeof sid === 'string' && sid ? sid : undefined
      if (!ticket && !sub) return undefined
      return {
        ...(ticket ? { ticket } : { subject: sub! }),
        notice: { id: jti, seconds: noticeSeconds + 2 * clockSkew },
      }
    } catch (error) {
      ctx.log.warn({ ...facts(error), providerId: provider.providerId }, 'a notice of a sign-out proves nothing')
      return undefined
    }
  },

  async logoutPage(ctx, provider, back) {
    const client = await asking(ctx, provider, () => oidcClient(ctx, provider))
    if (!client.serverMetadata().end_session_endpoint) return undefined
    return oidc.buildEndSessionUrl(client, { post_logout_redirect_uri: back }).href
  },

  test: testOidc,
}

/**
 * One text of the claims by its name, or by a path of names with dots (`attributes.employeeNumber`); undefined where
 * it is not there, empty where it is none.
 */
function claimOf(claims: object, name: string): string | undefined {
  const all = claims as Record<string, unknown>
  const value = Object.hasOwn(all, name)
    ? all[name]
    : name
        .split('.')
        .reduce<unknown>(
          (at, step) =>
            typeof at === 'object' && at !== null && Object.hasOwn(at, step) ? Reflect.get(at, step) : undefined,
          all,
        )
  if (value === undefined || value === null) return undefined
  const [only, ...others] = Array.isArray(value) ? (value as unknown[]) : [value]
  return others.length === 0 && (typeof only === 'string' || typeof only === 'number') ? String(only).trim() : ''
}

/** Asks a provider, and makes of what goes wrong a failure for the person; the log gets no token. */
async function asking<R>(ctx: PublicContext, { providerId }: Provider, work: () => Promise<R>): Promise<R> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof Failure) throw error
    const reason = reasonOf(error)
    ctx.log.warn({ ...facts(error), providerId }, 'a sign-in by a provider came to nothing')
    throw new Failure(reason)
  }
}

/** What the library or the provider calls an error. Causes hold claims and answers, which no log is to have. */
function facts(error: unknown) {
  const { code, message, error: told } = error as { code?: string; message?: string; error?: string }
  return { code, told, why: message?.slice(0, 200) }
}

/**
 * The provider said no, or what it said does not hold: refused. It could not be asked, or we are not its client:
 * unavailable.
 */
function reasonOf(error: unknown): FailureName {
  if (error instanceof oidc.AuthorizationResponseError) return 'identity-refused'
  if (error instanceof oidc.ResponseBodyError)
    return error.error === 'invalid_grant' ? 'identity-refused' : 'identity-unavailable'
  if (networkFault(error) || error instanceof oidc.WWWAuthenticateChallengeError) return 'identity-unavailable'
  const { code = '' } = error as { code?: string }
  return ['OAUTH_RESPONSE_IS_NOT_CONFORM', 'OAUTH_RESPONSE_IS_NOT_JSON', 'OAUTH_PARSE_ERROR'].includes(code)
    ? 'identity-unavailable'
    : 'identity-refused'
}
