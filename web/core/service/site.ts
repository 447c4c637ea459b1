/** What an installation may set when the console is built (environment variables `VITE_...`). */

/** Name and word that tell the service which client asks when nobody is signed in; it proves nothing and is public. */
export const clientCredential: string = import.meta.env.VITE_CLIENT_CREDENTIAL ?? 'console:console'

/** The school proposed on the login page of a fresh browser. */
export const defaultSchool: string = import.meta.env.VITE_DEFAULT_SCHOOL ?? ''

/**
 * Where a person goes to sign in, by the host they are on; hosts that are not listed sign in at the console's own root.
 * A test host or an address inside the campus may have no TLS.
 * `VITE_LOGIN_RETURN` holds JSON: `{"console.example.edu.cn": "https://sso.example.edu.cn/second-classroom"}`.
 */
const loginReturn: Record<string, string> = parseAddresses(import.meta.env.VITE_LOGIN_RETURN)

/** The allowed sign-in address for a host: one of the configured list, or the console's own root. */
export function loginAddress(host: string, allowed: Record<string, string> = loginReturn): string {
  const address = Object.hasOwn(allowed, host) ? allowed[host]! : '/'
  return /^https?:\/\//.test(address) || /^\/(?![/\\])/.test(address) ? address : '/'
}

/** A path of this host, and not its root: the sign-in page itself. */
const isInner = /^\/[\w-]/

/** An address to come back to after signing in, if it lies inside the console; anything else gives undefined. */
export function safeReturn(wanted: string | null | undefined): string | undefined {
  if (!wanted || !isInner.test(wanted) || /[\\\s]|[^\x20-\x7e]/.test(wanted)) return undefined
  const resolved = new URL(wanted, 'https://inside.invalid')
  const address = resolved.pathname + resolved.search + resolved.hash
  // dots are resolved by now: `/a/..//host` has become `//host`, which names another machine
  return resolved.origin === 'https://inside.invalid' && isInner.test(address) ? address : undefined
}

function parseAddresses(json: string | undefined): Record<string, string> {
  return json ? (JSON.parse(json) as Record<string, string>) : {}
}
