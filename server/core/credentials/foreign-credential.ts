import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { UnknownContext } from './contexts.ts'
import { fieldsOf, NotACredential, type DocumentGetter, type Fields } from './foreign-documents.ts'
import { foreignProof } from './foreign-proof.ts'
import { withRdfThread } from './rdf-thread.ts'

/**
 * What a machine can say of a credential that somebody hands in: an Open Badge 3.0, a learner record or any other W3C
 * Verifiable Credential, as JSON with a proof or as a JWT. Nothing is decided here.
 */
export interface ForeignVerdict {
  /**
   * `good`: signed by a key of its issuer. `unbound`: the signature is good, but nothing says that the key is the
   * issuer's. `bad`: changed, or never signed so. `unchecked`: see `why`.
   */
  signature: 'good' | 'unbound' | 'bad' | 'unchecked'
  why: '' | 'no-proof' | 'suite' | 'context' | 'no-key' | 'unreadable'
  revocation: 'no' | 'yes' | 'unknown' | 'none'
  /** Moments as ISO 8601 with zone; '' where it says none. */
  from: string
  until: string
  id: string
  title: string
  issuer: string
  issuerName: string
  identities: { type: string; hash: string; isHashed: boolean; salt: string }[]
}

/** Longest credential, characters. */
const maxCredentialLength = 400_000
/** Milliseconds for reading it as RDF, its key included. */
const rdfMs = 10_000
/** Bytes of an unpacked status list: eight million credentials. */
const maxBits = 1_048_576

/**
 * Verifies a credential of a stranger. Whatever it holds, this ends in time and reaches only where it may.
 * @param now ISO 8601 @throws NotACredential
 */
export async function verifyForeign(text: string, get: DocumentGetter, now: string): Promise<ForeignVerdict> {
  const { credential, ...proof } = await proven(text, get)
  const [issuer, name] = issuerOf(credential)
  return {
    ...proof,
    revocation: proof.signature === 'good' ? await revocationOf(credential, issuer, get, now) : 'unknown',
    from: moment(credential['validFrom'] ?? credential['issuanceDate']),
    until: moment(credential['validUntil'] ?? credential['expirationDate']),
    id: word(credential['id'], 500),
    title: titleOf(credential),
    issuer,
    issuerName: name,
    identities: identitiesOf(credential),
  }
}

async function proven(text: string, get: DocumentGetter) {
  if (text.length > maxCredentialLength) throw new NotACredential()
  try {
    return await withRdfThread(rdfMs, (canonical) => foreignProof(text, { get, canonical, issuerOf }))
  } catch (error) {
    if (error instanceof NotACredential) throw error
    const credential = fieldsOf(text)
    if (!credential) throw new NotACredential()
    const why = error instanceof UnknownContext ? ('context' as const) : ('unreadable' as const)
    return { credential, signature: 'unchecked' as const, why }
  }
}

/** Address and name of whoever issued a credential, as it says. */
function issuerOf({ issuer }: Fields): [id: string, name: string] {
  if (typeof issuer === 'string') return [word(issuer, 500), '']
  const { id, name } = (issuer ?? {}) as Fields
  return [word(id, 500), word(name, 100)]
}

/**
 * Whether a credential was revoked, by the list that it names: one of the same issuer, signed by it, in time. What
 * cannot be had or is another's says nothing.
 */
async function revocationOf(
  credential: Fields,
  issuer: string,
  get: DocumentGetter,
  now: string,
): Promise<ForeignVerdict['revocation']> {
  const entries = [credential['credentialStatus']].flat().filter((one) => typeof one === 'object' && one !== null)
  if (entries.length === 0) return 'none'
  let verdict: ForeignVerdict['revocation'] = 'unknown'
  for (const entry of entries.slice(0, 2) as Fields[]) {
    const purpose = word(entry['statusPurpose'], 30)
    if (purpose !== 'revocation' && purpose !== 'suspension') continue
    const isSet = await bitOf(entry, purpose, { issuer, get, now }).catch(() => undefined)
    if (isSet) return 'yes'
    if (isSet === false) verdict = 'no'
  }
  return verdict
}

async function bitOf(
  entry: Fields,
  purpose: string,
  { issuer, get, now }: { issuer: string; get: DocumentGetter; now: string },
) {
  const [address, place] = [word(entry['statusListCredential'], 500), word(entry['statusListIndex'], 12)]
  const text = /^\d+$/.test(place) ? await get(address) : undefined
  if (text === undefined) return undefined
  const { credential, signature } = await proven(text, get)
  const list = (credential['credentialSubject'] ?? {}) as Fields
  const until = Date.parse(moment(credential['validUntil']))
  if (
    signature !== 'good' ||
    issuerOf(credential)[0] !== issuer ||
    list['statusPurpose'] !== purpose ||
    until < Date.parse(now)
  )
    return undefined
  const packed = Buffer.from(word(list['encodedList'], 2_000_000).replace(/^u/, ''), 'base64url')
  const bits = await promisify(gunzip)(packed, { maxOutputLength: maxBits })
  const byte = bits[Math.floor(Number(place) / 8)]
  return byte === undefined ? undefined : (byte & (0x80 >> (Number(place) % 8))) !== 0
}

function titleOf(credential: Fields): string {
  const [subject] = [credential['credentialSubject']].flat() as (Fields | undefined)[]
  const achievement = subject?.['achievement'] as Fields | undefined
  return word(achievement?.['name'], 100) || word(credential['name'], 100)
}

function identitiesOf(credential: Fields): ForeignVerdict['identities'] {
  const subjects = [credential['credentialSubject']].flat() as (Fields | undefined)[]
  return subjects
    .slice(0, 3)
    .flatMap((subject) => [
      ...([subject?.['identifier'] ?? []].flat() as Fields[]),
      ...(subject?.['name'] === undefined ? [] : [{ identityType: 'name', identityHash: subject['name'] } as Fields]),
    ])
    .filter((one) => typeof one === 'object' && one !== null)
    .slice(0, 10)
    .map((one) => ({
      type: word(one['identityType'], 40),
      hash: word(one['identityHash'], 200),
      isHashed: one['hashed'] === true,
      salt: word(one['salt'], 100),
    }))
}

/** A text that may be shown on a line: one of a language map too, no longer than `most`, without control characters. */
function word(value: unknown, most: number): string {
  const text = typeof value === 'object' && value !== null ? Object.values(value)[0] : value
  return typeof text === 'string' || typeof text === 'number'
    ? String(text)
        .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '')
        .slice(0, most)
    : ''
}

const moment = (value: unknown): string => {
  const text = word(value, 40)
  return Number.isNaN(Date.parse(text)) ? '' : text
}
