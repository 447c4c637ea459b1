import { base58 } from '@scure/base'
import type { TranscriptData } from '../../../contract/outcomes/transcripts/transcripts.schema.ts'
import { sha256 } from '../../core/base/hashes.ts'
import { isoText } from '../../core/base/clock.ts'
import { canonicalJson } from '../../core/credentials/canonical-json.ts'
import { isSignedBy, multikeyOf, signBytes } from '../../core/credentials/ed25519.ts'

/**
 * A transcript as a credential that anybody can check: after Open Badges 3.0 (W3C Verifiable Credentials 2.0), signed
 * by Data Integrity `eddsa-jcs-2022`. What is signed is 64 bytes: SHA-256 of the canonical proof without its value,
 * then SHA-256 of the canonical document. Pure.
 */

/** What an issue says: the whole transcript but what only concerns its printing. */
export type IssuedTranscript = Omit<TranscriptData, 'digest' | 'verifyUrl'>

interface CredentialDocument {
  '@context': string[]
  id: string
  type: string[]
  name: string
  issuer: { id: string; type: string[]; name: string }
  validFrom: string
  credentialStatus: CredentialStatus
  credentialSubject: {
    type: string[]
    identifier: { type: 'IdentityObject'; identityHash: string; identityType: string; hashed: false }[]
    achievement: object
    transcript: IssuedTranscript
  }
}

/**
 * Where the list stands that tells whether the issue has been superseded or revoked; it names issues by the SHA-256 of
 * their canonical document.
 */
export interface CredentialStatus {
  id: string
  type: 'TranscriptStatusEntry'
  statusPurpose: 'revocation'
  statusListCredential: string
}

export interface CredentialProof {
  '@context': string[]
  type: 'DataIntegrityProof'
  cryptosuite: 'eddsa-jcs-2022'
  created: string
  verificationMethod: string
  proofPurpose: 'assertionMethod'
  proofValue: string
}

export type Credential = CredentialDocument & { proof: CredentialProof }

/** Of credentials and of the lists of their states. */
export const context = [
  'https://www.w3.org/ns/credentials/v2',
  'https://purl.imsglobal.org/spec/ob/v3p0/context-3.0.3.json',
]
const idHead = 'urn:second-classroom:transcript:'

/** What a school is called in what it signs. */
export const issuerOf = (schoolId: string, name: string) => ({
  id: `urn:second-classroom:school:${schoolId}`,
  type: ['Profile'],
  name,
})

/**
 * The document of an issue.
 * @param at when it is issued, wall-clock text @param statusList address of the list of the month in which it is issued
 */
export function documentOf(
  transcript: IssuedTranscript,
  schoolId: string,
  at: string,
  statusList: string,
): CredentialDocument {
  const { student, schName, serial } = transcript
  return {
    '@context': context,
    id: idHead + serial,
    type: ['VerifiableCredential', 'OpenBadgeCredential'],
    name: `第二课堂成绩单 ${student.suiNumber} ${student.suiName}`,
    issuer: issuerOf(schoolId, schName),
    validFrom: isoText(at),
    credentialStatus: {
      id: `${idHead}${serial}#status`,
      type: 'TranscriptStatusEntry',
      statusPurpose: 'revocation',
      statusListCredential: statusList,
    },
    credentialSubject: {
      type: ['AchievementSubject'],
      identifier: [
        { type: 'IdentityObject', identityHash: student.suiName, identityType: 'name', hashed: false },
        { type: 'IdentityObject', identityHash: student.suiNumber, identityType: 'sourcedId', hashed: false },
      ],
      achievement: {
        id: `urn:second-classroom:school:${schoolId}:transcript`,
        type: ['Achievement'],
        achievementType: 'CoCurricular',
        name: '第二课堂成绩单',
        description: '学生参与第二课堂活动的经历与学时',
        criteria: { narrative: transcript.notes.join('\n') },
      },
      transcript,
    },
  }
}

/**
 * What is the same as long as nothing of the transcript has changed, whenever it is issued. What others have is not of
 * it: their progress makes no new paper; nor does a photo that is not printed.
 */
export function substanceOf({
  serial: _,
  asOf: __,
  student: { suiPhoto, ...student },
  ...transcript
}: IssuedTranscript): Buffer {
  return sha256(
    canonicalJson({
      ...transcript,
      student: suiPhoto ? { ...student, suiPhoto } : student,
      summary: { ...transcript.summary, rankClass: null, rankMajor: null },
      ability: transcript.ability.map((one) => ({ ...one, avgCollege: null })),
    }),
  )
}

/** The bytes that are signed. */
const signedBytes = (content: string, proof: Omit<CredentialProof, 'proofValue'>): Buffer =>
  Buffer.concat([sha256(canonicalJson(proof)), sha256(content)])

/** Signs a canonical document. */
export function proofFor(
  content: string,
  keys: { publicKey: Buffer; privateKey: Buffer },
  at: string,
): CredentialProof {
  const multikey = multikeyOf(keys.publicKey)
  const proof = {
    '@context': context,
    type: 'DataIntegrityProof',
    cryptosuite: 'eddsa-jcs-2022',
    created: isoText(at),
    verificationMethod: `did:key:${multikey}#${multikey}`,
    proofPurpose: 'assertionMethod',
  } as const
  return {
    ...proof,
    '@context': [...context],
    proofValue: `z${base58.encode(signBytes(signedBytes(content, proof as never), keys.privateKey))}`,
  }
}

/** Whether a canonical document carries a good signature of this key. Whatever the proof holds, it throws nothing. */
export function isProven(content: string, proof: CredentialProof, publicKey: Buffer): boolean {
  const { proofValue, ...config } = proof
  const multikey = multikeyOf(publicKey)
  if (
    typeof proofValue !== 'string' ||
    !/^z.{1,90}$/.test(proofValue) ||
    config.verificationMethod !== `did:key:${multikey}#${multikey}` ||
    config.cryptosuite !== 'eddsa-jcs-2022'
  )
    return false
  try {
    return isSignedBy(signedBytes(content, config), base58.decode(proofValue.slice(1)), publicKey)
  } catch {
    // characters that base58 does not have, or a text that RFC 8785 does not allow
    return false
  }
}

/** The transcript of a stored document. */
export const transcriptIn = (content: string): IssuedTranscript =>
  (JSON.parse(content) as CredentialDocument).credentialSubject.transcript

/** The file of a credential: the very document that was signed, with its proof. */
export const credentialText = (content: string, proof: CredentialProof): string =>
  canonicalJson({ ...(JSON.parse(content) as CredentialDocument), proof })

/** A credential file taken apart: the canonical document, its proof and its serial; undefined where it is none. */
export function readCredential(text: string): { content: string; proof: CredentialProof; serial: string } | undefined {
  try {
    const { proof, ...document } = JSON.parse(text) as Credential
    if (
      typeof proof !== 'object' ||
      proof === null ||
      typeof document.id !== 'string' ||
      !document.id.startsWith(idHead)
    )
      return undefined
    return { content: canonicalJson(document), proof, serial: document.id.slice(idHead.length) }
  } catch {
    return undefined
  }
}
