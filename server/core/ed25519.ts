import { createPrivateKey, createPublicKey, generateKeyPairSync, sign, verify } from 'node:crypto'

/** Ed25519 keys as the 32 bytes that they are, and the texts by which the W3C writes them down (Multibase, base58-btc). */

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

export function newKeyPair(): KeyPair {
  const pair = generateKeyPairSync('ed25519')
  return {
    publicKey: pair.publicKey.export({ type: 'spki', format: 'der' }).subarray(spki.length),
    privateKey: pair.privateKey.export({ type: 'pkcs8', format: 'der' }).subarray(pkcs8.length),
  }
}

export const signBytes = (bytes: Uint8Array, privateKey: Buffer): Buffer =>
  sign(null, bytes, createPrivateKey({ key: Buffer.concat([pkcs8, privateKey]), format: 'der', type: 'pkcs8' }))

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
export const multikeyOf = (publicKey: Buffer): string => `z${base58(Buffer.concat([publicCode, publicKey]))}`

const signs = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'

/** Bytes as base58 of the Bitcoin alphabet. */
export function base58(bytes: Uint8Array): string {
  let number = BigInt(`0x${Buffer.from(bytes).toString('hex') || '0'}`)
  let text = ''
  for (; number > 0n; number /= 58n) text = signs[Number(number % 58n)] + text
  for (const byte of bytes) {
    if (byte !== 0) break
    text = `1${text}`
  }
  return text
}

/** The bytes of a base58 text, or undefined where it is none. At most 200 characters. */
export function fromBase58(text: string): Buffer | undefined {
  if (text.length > 200) return undefined
  let number = 0n
  for (const sign of text) {
    const value = signs.indexOf(sign)
    if (value < 0) return undefined
    number = number * 58n + BigInt(value)
  }
  const hex = number === 0n ? '' : number.toString(16)
  const zeros = /^1*/.exec(text)![0].length
  return Buffer.concat([Buffer.alloc(zeros), Buffer.from(hex.length % 2 ? `0${hex}` : hex, 'hex')])
}
