import { createHash } from 'node:crypto'
import { base64url, SignJWT, type JWTPayload } from 'jose'
import { listening, oidcClientId, oidcSecret, signingKey } from './oidc-server.ts'

/** What is wrong with the next answer of the hostile provider. */
export interface Wrong {
  claims?: JWTPayload
  without?: string[]
  header?: { alg?: string; kid?: string; typ?: string }
  /** By a key that is not published. */
  isForged?: boolean
  status?: number
  body?: string
  userInfo?: Record<string, unknown>
  document?: Record<string, unknown>
}

const logoutEvents = { 'http://schemas.openid.net/event/backchannel-logout': {} }
const inSeconds = (seconds: number) => Math.floor(Date.now() / 1000) + seconds

/** A provider of OpenID Connect that says what a test tells it to. It sees to PKCE and to the client's secret. */
export async function hostileOidc() {
  const other = await signingKey('first')
  let key = await signingKey('first')
  const state = { wrong: {} as Wrong, number: 'nobody', nonce: '', challenge: '', asked: [] as string[] }
  const address = await listening((request, response) => {
    const { pathname } = new URL(request.url!, address)
    state.asked.push(pathname)
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      const form = new URLSearchParams(Buffer.concat(parts).toString())
      void answer(pathname, form, request.headers.authorization).then(({ status, body }) =>
        response.writeHead(status, { 'content-type': 'application/json' }).end(body),
      )
    })
  })

  async function answer(path: string, form: URLSearchParams, authorization = '') {
    const { wrong } = state
    const json = (body: unknown, status = 200) => ({ status, body: JSON.stringify(body) })
    if (path === '/.well-known/openid-configuration')
      return json({
        issuer: address,
        authorization_endpoint: `${address}/authorize`,
        token_endpoint: `${address}/token`,
        userinfo_endpoint: `${address}/userinfo`,
        jwks_uri: `${address}/keys`,
        response_types_supported: ['code'],
        id_token_signing_alg_values_supported: ['RS256'],
        authorization_response_iss_parameter_supported: true,
        ...wrong.document,
      })
    if (path === '/keys') return json({ keys: [key.open] })
    if (path === '/userinfo') return json({ sub: 'zhang.san', no: state.number, ...wrong.userInfo })
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url')
    const [id, secret] = Buffer.from(authorization.slice(6), 'base64').toString().split(':')
    if (id !== oidcClientId || decodeURIComponent(secret!.replaceAll('+', '%20')) !== oidcSecret)
      return json({ error: 'invalid_client' }, 401)
    if (form.get('code') !== 'good' || challenge !== state.challenge) return json({ error: 'invalid_grant' }, 400)
    if (wrong.status || wrong.body) return { status: wrong.status ?? 200, body: wrong.body ?? '' }
    return json({
      access_token: 'a',
      token_type: 'Bearer',
      id_token: await token({ nonce: state.nonce, no: state.number }),
    })
  }

  async function token(more: JWTPayload): Promise<string> {
    const { wrong } = state
    const claims: JWTPayload = {
      iss: address,
      aud: oidcClientId,
      sub: 'zhang.san',
      sid: 's1',
      iat: inSeconds(0),
      exp: inSeconds(60),
      ...more,
      ...wrong.claims,
    }
    for (const name of wrong.without ?? []) delete claims[name]
    const header = { alg: 'RS256', kid: key.jwk.kid, ...wrong.header }
    if (header.alg === 'none')
      return `${[header, claims].map((part) => base64url.encode(JSON.stringify(part))).join('.')}.`
    const signer = header.alg === 'HS256' ? Buffer.from(oidcSecret) : wrong.isForged ? other.privateKey : key.privateKey
    return new SignJWT(claims).setProtectedHeader(header).sign(signer)
  }

  return {
    address,
    state,
    /** Publishes another key and signs by it. */
    rotate: async (kid: string) => void (key = await signingKey(kid)),
    /** Sends a browser back that came by this address of its sign-in page. */
    answered(login: string, query: Record<string, string> = {}): string {
      const asked = new URL(login).searchParams
      state.nonce = asked.get('nonce')!
      state.challenge = asked.get('code_challenge')!
      const back = new URL(asked.get('redirect_uri')!)
      back.search = new URLSearchParams({ code: 'good', state: asked.get('state')!, iss: address, ...query }).toString()
      return back.href
    },
    /** Tells the program of a sign-out. */
    async notify(callback: string, more: JWTPayload, form?: string): Promise<number> {
      const logout = { events: logoutEvents, jti: Math.random().toString(36), ...more }
      const body = new URLSearchParams({ logout_token: form ?? (await token(logout)) })
      return (await fetch(callback, { method: 'POST', body })).status
    },
    token,
  }
}
