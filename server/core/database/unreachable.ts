/** What the system says of a server that is away or not to be found: it may be there again at the next try. */
const awayCodes: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOENT', // of a socket in a folder
  'EPIPE',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'EHOSTDOWN',
  'ENETUNREACH',
  'ENETDOWN',
])

/** Whether the way to a server failed, by the code of the system's error. */
export const isAway = (code: string | undefined): boolean => code !== undefined && awayCodes.has(code)
