import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto'
import type { Secrets } from './secrets.ts'

/** Encrypts a sensitive field (AES-256-GCM; 12-byte nonce, 16-byte tag, cipher text). Null stays null. */
export function seal(value: string | null | undefined, { fieldKey }: Secrets): Buffer | null {
  if (!value) return null
  const nonce = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', fieldKey, nonce)
  const body = Buffer.concat([cipher.update(value, 'utf8'), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), body])
}

/** Opens what {@link seal} closed. Throws when the key is another or the bytes were changed. */
export function unseal(sealed: Buffer | null, { fieldKey }: Secrets): string | null {
  if (!sealed) return null
  const decipher = createDecipheriv('aes-256-gcm', fieldKey, sealed.subarray(0, 12))
  decipher.setAuthTag(sealed.subarray(12, 28))
  return Buffer.concat([decipher.update(sealed.subarray(28)), decipher.final()]).toString('utf8')
}

/** A keyed hash of a sensitive field, equal for equal values: for exact search and uniqueness only. */
export const sealedKey = (value: string | null | undefined, { hashKey }: Secrets): Buffer | null =>
  value ? createHmac('sha256', hashKey).update(value.normalize('NFKC').toUpperCase()).digest() : null

/** `13812345678` -> `138****5678`; id numbers keep three and four signs at the ends. */
export const masked = (value: string | null): string | null =>
  value === null ? null : value.length <= 7 ? '*'.repeat(value.length) : value.slice(0, 3) + '*'.repeat(value.length - 7) + value.slice(-4)
