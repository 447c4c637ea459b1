import { createPrivateKey, createPublicKey, generateKeyPairSync, sign, verify } from 'node:crypto'
import { base58 } from '@scure/base'

/**
 * Ed25519 keys as the 32 bytes that they are, and the texts by which the W3C writes them down (Multibase, base58-btc).
 */

/** What stands before the 32 bytes in the usual wrappings (RFC 8410). */
const spki = Buffer.from('302a300506032b6570032100', 'hex')
const pkcs8 = Buffer.from('302e020100300506032b657004220420', 'hex')
/** Multicodec `ed25519-pub`. */
const publicCode = Buffer.from([0xed, 0x01])

export interface KeyPair {
  publicKey: Buffer
  /** The seed; whoever has it can sign. */
  privateKey: Buffer
}

/** A new pair of keys, both as raw 32 bytes. */
export function newKeyPair(): KeyPair {
  const pair = generateKeyPairSync('ed25519')
  return {
    publicKey: pair.publicKey.export({ type: 'spki', format: 'der' }).subarray(spki.length),
    privateKey: pair.privateKey.export({ type: 'pkcs8', format: 'der' }).subarray(pkcs8.length),
  }
}

/** The signature of some bytes, 64 bytes long. */
export const signBytes = (bytes: Uint8Array, privateKey: Buffer): Buffer =>
  sign(null, bytes, createPrivateKey({ key: Buffer.concat([pkcs8, privateKey]), format: 'der', type: 'pkcs8' }))

/** Whether a signature is that of these bytes by this key; false for keys and signatures of a wrong length. */
export const isSignedBy = (bytes: Uint8Array, signature: Uint8Array, publicKey: Buffer): boolean =>
  publicKey.length === 32 &&
  signature.length === 64 &&
  verify(
    null,
    bytes,
    createPublicKey({ key: Buffer.concat([spki, publicKey]), format: 'der', type: 'spki' }),
    signature,
  )

/** `z6Mk…`: a public key as Multikey text; `did:key:` before it makes it an identifier. */
export const multikeyOf = (publicKey: Buffer): string => `z${base58.encode(Buffer.concat([publicCode, publicKey]))}`
