import { createHmac, randomBytes } from 'node:crypto'

const prefix = 'whsec_'

/** A new secret as receivers enter it: `whsec_` and 32 random bytes in Base64. */
export const newSecret = (): string => prefix + randomBytes(32).toString('base64')

/**
 * The headers of a delivery as Standard Webhooks asks for them: an id that stays the same at each try, the moment of
 * this try and the HMAC-SHA256 over both and the body.
 * @param seconds since 1970
 */
export function signedHeaders(secret: string, id: string, seconds: number, body: string): Record<string, string> {
  const key = Buffer.from(secret.slice(prefix.length), 'base64')
  const signature = createHmac('sha256', key).update(`${id}.${seconds}.${body}`).digest('base64')
  return { 'webhook-id': id, 'webhook-timestamp': String(seconds), 'webhook-signature': `v1,${signature}` }
}
