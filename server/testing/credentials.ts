import { createHash } from 'node:crypto'

/** Canonical JSON, written for tests alone: the independent path must not use the product's own. */
export function jcs(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(jcs).join(',')}]`
  if (value !== null && typeof value === 'object')
    return `{${Object.keys(value)
      .toSorted()
      .map((key) => `${JSON.stringify(key)}:${jcs((value as Record<string, unknown>)[key])}`)
      .join(',')}}`
  return JSON.stringify(value)
}
/** SHA-256 of a text. */
export const sha = (text: string) => createHash('sha256').update(text).digest()

/** Base58 by long division on digits, another way than the product's. */
export function unbase58(text: string): Buffer {
  const bytes: number[] = []
  for (const character of text) {
    let carry = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'.indexOf(character)
    for (let at = 0; at < bytes.length; at++) {
      carry += bytes[at]! * 58
      bytes[at] = carry & 0xff
      carry >>= 8
    }
    for (; carry > 0; carry >>= 8) bytes.push(carry & 0xff)
  }
  // each leading 1 is a byte of zero
  return Buffer.from([...(/^1*/.exec(text)?.[0] ?? '')].map(() => 0).concat(bytes.toReversed()))
}

export interface Credential {
  id: string
  proof: { proofValue: string; verificationMethod: string }
  credentialSubject: {
    transcript: { summary: { totalHours: string }; rows: { name: string; hours: string }[]; serial: string }
  }
}

/** What a third party does who has the file and the school's key set, and nothing else of ours. */
export function apart(text: string) {
  const { proof, ...document } = JSON.parse(text) as Credential
  const { proofValue, ...config } = proof
  return {
    bytes: Buffer.concat([sha(jcs(config)), sha(jcs(document))]),
    signature: unbase58(proofValue.slice(1)),
    digest: sha(jcs(document)).toString('hex'),
    document,
    proof,
  }
}
