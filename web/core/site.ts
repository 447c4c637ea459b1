/** What an installation may set when the console is built (environment variables `VITE_...`). */

/** Name and word that tell the service which client asks when nobody is signed in; it proves nothing and is public. */
export const clientCredential: string = import.meta.env.VITE_CLIENT_CREDENTIAL ?? 'console:console'

/** The school proposed on the login page of a fresh browser. */
export const defaultSchool: string = import.meta.env.VITE_DEFAULT_SCHOOL ?? ''

/**
 * Where a person goes to sign in, by the host he is on; hosts that are not listed sign in at the console's own root.
 * `VITE_LOGIN_RETURN` holds JSON: `{"console.example.edu.cn": "https://sso.example.edu.cn/second-classroom"}`.
 */
export const loginReturn: Record<string, string> = parseAddresses(import.meta.env.VITE_LOGIN_RETURN)

/** The allowed sign-in address for a host: one of the configured list, or the console's own root. */
export function loginAddress(host: string, allowed: Record<string, string> = loginReturn): string {
  const address = Object.hasOwn(allowed, host) ? allowed[host]! : '/'
  return address.startsWith('https://') || /^\/(?![/\\])/.test(address) ? address : '/'
}

/** A wish to come back to after signing in, if it lies inside the console; anything else gives undefined. */
export function safeReturn(wish: string | null | undefined): string | undefined {
  if (!wish || !/^\/[\w-]/.test(wish) || /[\\\s]|[^\x20-\x7e]/.test(wish)) return undefined
  const resolved = new URL(wish, 'https://inside.invalid')
  return resolved.origin === 'https://inside.invalid' ? resolved.pathname + resolved.search + resolved.hash : undefined
}

function parseAddresses(json: string | undefined): Record<string, string> {
  return json ? (JSON.parse(json) as Record<string, string>) : {}
}
