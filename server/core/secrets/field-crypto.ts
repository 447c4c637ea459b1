import { createCipheriv, createDecipheriv, hash, randomBytes } from 'node:crypto'
import type { Secrets } from './secrets.ts'

/** Encrypts a sensitive field (AES-256-GCM; 12-byte nonce, 16-byte tag, cipher text). Null stays null. */
export const seal = (value: string | null | undefined, secrets: Secrets): Buffer | null =>
  value ? sealBytes(Buffer.from(value, 'utf8'), secrets) : null

/** Opens what {@link seal} closed. Throws when the key is another or the bytes were changed. */
export const unseal = (sealed: Buffer | null, secrets: Secrets): string | null =>
  sealed ? unsealBytes(sealed, secrets).toString('utf8') : null

/** As {@link seal}, for whole files. */
export function sealBytes(bytes: Buffer, { fieldKey }: Secrets): Buffer {
  const nonce = someNonce()
  const cipher = createCipheriv('aes-256-gcm', fieldKey, nonce)
  const body = cipher.update(bytes)
  cipher.final()
  return Buffer.concat([nonce, cipher.getAuthTag(), body])
}

/** Opens what {@link sealBytes} closed. */
export function unsealBytes(sealed: Buffer, { fieldKey }: Secrets): Buffer {
  const decipher = createDecipheriv('aes-256-gcm', fieldKey, sealed.subarray(0, 12))
  decipher.setAuthTag(sealed.subarray(12, 28))
  const body = decipher.update(sealed.subarray(28))
  decipher.final()
  return body
}

/**
 * Nonces are drawn from the system a few hundred at a time: a call for each would be half the cost of sealing a field.
 */
let drawn = Buffer.alloc(0)
let used = 0
function someNonce(): Buffer {
  if (used >= drawn.length) {
    drawn = randomBytes(12 * 340)
    used = 0
  }
  return drawn.subarray(used, (used += 12))
}

/** A keyed hash of a sensitive field (HMAC-SHA256), equal for equal values: for exact search and uniqueness only. */
export function sealedKey(value: string | null | undefined, { hashKey }: Secrets): Buffer | null {
  if (!value) return null
  const { inner, outer } = padsOf(hashKey)
  // by two plain hashes: an object for each of the hundred thousand values of an import would cost more than hashing
  // them
  return hash(
    'sha256',
    Buffer.concat([
      outer,
      hash('sha256', Buffer.concat([inner, Buffer.from(value.normalize('NFKC').toUpperCase(), 'utf8')]), 'buffer'),
    ]),
    'buffer',
  )
}

const pads = new WeakMap<Buffer, { inner: Buffer; outer: Buffer }>()
function padsOf(key: Buffer) {
  const known = pads.get(key)
  if (known) return known
  const block = Buffer.alloc(64)
  key.copy(block)
  const made = { inner: block.map((byte) => byte ^ 0x36) as Buffer, outer: block.map((byte) => byte ^ 0x5c) as Buffer }
  pads.set(key, made)
  return made
}
