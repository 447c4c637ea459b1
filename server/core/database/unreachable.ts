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

/** What the driver itself says when the connection of a statement is gone. */
const connectionLost =
  /Connection terminated|Connection ended|timeout exceeded when trying to connect|is not queryable|Client was closed/

/** Whether a statement failed because its connection is gone, by whichever side. */
export function isConnectionLost(error: unknown): boolean {
  const { code, message } = error as { code?: string; message?: string }
  return /^(08|57P)/.test(code ?? '') || isAway(code) || connectionLost.test(message ?? '')
}

/** Whether the way to a server failed, by the code of the system's error. */
export const isAway = (code: string | undefined): boolean => code !== undefined && awayCodes.has(code)
