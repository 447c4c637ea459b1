/** A path of this side alone, whoever wrote the address that names it; undefined for any other. */
export const ownPath = (from: string | null | undefined): string | undefined =>
  from?.startsWith('/') && !/^\/[/\\]/.test(from) ? from : undefined

/** Where the sign-in page is, with the way back to the page that wanted a session. */
export const signInPath = ({ pathname, search }: { pathname: string; search: string }): string => {
  const from = pathname.replace(/^\/m(?=\/|$)/, '') + search
  return /^\/?$/.test(from) ? '/login' : `/login?from=${encodeURIComponent(from)}`
}
