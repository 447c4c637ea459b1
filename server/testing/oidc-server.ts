import { createServer, type RequestListener } from 'node:http'
import { exportJWK, generateKeyPair } from 'jose'
import Provider from 'oidc-provider'
import { atFileEnd } from './file-end.ts'

/** Starts a server of the test on a free port of this machine, for as long as the test file runs. */
export async function listening(listener: RequestListener): Promise<string> {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  atFileEnd(() => new Promise<void>((resolve) => (server.closeAllConnections(), server.close(() => resolve()))))
  return `http://127.0.0.1:${(server.address() as { port: number }).port}`
}

/** A pair of keys as an OpenID Connect provider has them. */
export async function signingKey(kid: string) {
  const { privateKey, publicKey } = await generateKeyPair('RS256', { extractable: true })
  const [jwk, open] = [await exportJWK(privateKey), await exportJWK(publicKey)]
  const named = { kid, alg: 'RS256', use: 'sig' }
  return { privateKey, jwk: { ...jwk, ...named }, open: { ...open, ...named } }
}

export const oidcClientId = 'dekt'
export const oidcSecret = 'a secret of the client, +/= and all'

/**
 * The package `oidc-provider` as a server over HTTP. Whoever comes is signed in as `state.number`, by an account whose
 * `sub` is a name; the number is a claim that the provider tells at its user information only.
 */
export async function oidcServer() {
  const state = { number: 'nobody', sub: 'zhang.san' }
  let handler: RequestListener = (_, response) => void response.writeHead(503).end()
  const address = await listening((request, response) => handler(request, response))
  /** Knows the program by its callback address from now on, with keys of its own and nobody signed in. */
  const register = async (callback: string, kid: string) => {
    const { jwk } = await signingKey(kid)
    const provider = new Provider(address, {
      clients: [
        {
          client_id: oidcClientId,
          client_secret: oidcSecret,
          redirect_uris: [callback],
          post_logout_redirect_uris: [`${new URL(callback).origin}/`],
          backchannel_logout_uri: callback,
          backchannel_logout_session_required: true,
        },
      ],
      jwks: { keys: [jwk] },
      cookies: { keys: ['of the test'] },
      // its own way refuses addresses of this machine, where the program under test is
      fetch: (url, options) => fetch(url, { ...options, dispatcher: undefined } as RequestInit),
      pkce: { required: () => true },
      claims: { openid: ['sub', 'sid'], profile: ['employee_number'] },
      features: { devInteractions: { enabled: false }, backchannelLogout: { enabled: true } },
      interactions: { url: (_, { uid }) => `/interaction/${uid}` },
      findAccount: (_, sub) => ({ accountId: sub, claims: () => ({ sub, employee_number: state.number }) }),
      async loadExistingGrant({ oidc }) {
        const grant = new provider.Grant({ clientId: oidcClientId, accountId: oidc.session!.accountId! })
        grant.addOIDCScope('openid profile')
        await grant.save()
        return grant
      },
    })
    const answer = provider.callback()
    handler = (request, response) =>
      request.url!.startsWith('/interaction/')
        ? void provider.interactionFinished(request, response, { login: { accountId: state.sub } })
        : void answer(request, response)
  }
  return { address, state, register }
}

/** What a browser keeps of a provider while somebody goes through its pages. */
export function providerBrowser() {
  const cookies = new Map<string, string>()
  const ask = async (address: string, form?: Record<string, string>) => {
    const response = await fetch(address, {
      redirect: 'manual',
      headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
      ...(form && { method: 'POST', body: new URLSearchParams(form) }),
    })
    for (const cookie of response.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(cookie)!
      cookies.set(name!, value!)
    }
    const location = response.headers.get('location')
    return { text: await response.text(), location: location && new URL(location, address).href }
  }
  /** Follows the pages of a provider until it sends the browser back. */
  const through = async (address: string): Promise<string> => {
    const { origin } = new URL(address)
    for (let at = address, steps = 0; steps < 10; steps++) {
      const { location, text } = await ask(at)
      if (!location) throw new Error(`the provider shows a page: ${text.slice(0, 300)}`)
      if (new URL(location).origin !== origin) return location
      at = location
    }
    throw new Error('the provider leads nowhere')
  }
  return { ask, through }
}
