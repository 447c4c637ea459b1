import { createPublicKey, verify, type KeyObject } from 'node:crypto'
import { base58 } from '@scure/base'

/** Public keys as the W3C writes them down, and signatures by them. */

/** How a key begins as Multikey (Multicodec), and what stands before its bytes as SPKI (RFC 8410, RFC 5480). */
const kinds = [
  { code: 'ed01', bytes: 32, spki: '302a300506032b6570032100' },
  { code: '8024', bytes: 33, spki: '3039301306072a8648ce3d020106082a8648ce3d030107032200' },
]

/** A key from Multikey text, `z6Mk…` (Ed25519) or `zDn…` (P-256). @throws where it is none */
export function keyOfMultikey(text: string): KeyObject {
  if (!/^z[1-9A-HJ-NP-Za-km-z]{40,60}$/.test(text)) throw new TypeError('not a Multikey')
  const bytes = Buffer.from(base58.decode(text.slice(1)))
  const kind = kinds.find(({ code, bytes: size }) => bytes.toString('hex', 0, 2) === code && bytes.length === size + 2)
  if (!kind) throw new TypeError('not a known Multikey')
  return createPublicKey({
    key: Buffer.concat([Buffer.from(kind.spki, 'hex'), bytes.subarray(2)]),
    format: 'der',
    type: 'spki',
  })
}

/** A key from a JSON Web Key, its public part alone. @throws where it is none */
export function keyOfJwk({ kty, crv, x, y, n, e }: Record<string, unknown>): KeyObject {
  return createPublicKey({ key: { kty, crv, x, y, n, e } as never, format: 'jwk' })
}

export type Algorithm = 'EdDSA' | 'ES256' | 'RS256'

/** Whether a signature is good under a key and an algorithm that fit each other. */
export function isSigned(algorithm: Algorithm, bytes: Uint8Array, signature: Uint8Array, key: KeyObject): boolean {
  const type = key.asymmetricKeyType
  if (algorithm === 'EdDSA') return type === 'ed25519' && verify(null, bytes, key, signature)
  if (algorithm === 'ES256')
    return (
      type === 'ec' &&
      key.asymmetricKeyDetails?.namedCurve === 'prime256v1' &&
      verify('sha256', bytes, { key, dsaEncoding: 'ieee-p1363' }, signature)
    )
  return (
    type === 'rsa' && (key.asymmetricKeyDetails?.modulusLength ?? 0) >= 2048 && verify('sha256', bytes, key, signature)
  )
}
