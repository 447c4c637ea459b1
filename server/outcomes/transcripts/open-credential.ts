import type { TranscriptRow } from '../../../contract/outcomes/transcripts/transcripts.schema.ts'
import { printWords } from '../../../contract/outcomes/transcripts/words.ts'
import {
  credentialsContext,
  learnerRecordContext,
  openBadgesContext,
  openBadgesExtensions,
} from '../../core/credentials/contexts.ts'
import { dayOf, isoText } from '../../core/base/clock.ts'
import type { IssuedTranscript } from './credential.ts'

/**
 * What other systems take: a record of the ledger as an Open Badge 3.0, a transcript as a Comprehensive Learner Record
 * 2.0 that holds its badges. Both by the published schemas of 1EdTech, in words that their contexts know. Pure.
 */

/** The public addresses of a school's credentials (decision 100). */
export interface Issuer {
  /** Its profile with its keys. */
  id: string
  name: string
  /** The site. */
  url: string
}

/** Where a credential's place in a status list is. */
interface StatusPlace {
  /** Address of the list. */
  list: string
  index: number
}

const schemaOf = (name: string) => ({
  id: `https://purl.imsglobal.org/spec/${name}`,
  type: '1EdTechJsonSchemaValidator2019',
})

const profileOf = ({ id, name, url }: Issuer) => ({ id, type: ['Profile'], name, url })

const statusOf = ({ list, index }: StatusPlace) => ({
  id: `${list}#${index}`,
  type: 'BitstringStatusListEntry',
  statusPurpose: 'revocation',
  statusListIndex: String(index),
  statusListCredential: list,
})

const identityOf = ({ suiName, suiNumber }: Pick<IssuedTranscript['student'], 'suiName' | 'suiNumber'>) =>
  [
    ['name', suiName],
    ['sourcedId', suiNumber],
  ].map(([identityType, identityHash]) => ({ type: 'IdentityObject', hashed: false, identityHash, identityType }))

const criteria = '参加并完成，经学院团委和学校审核、公示后计入第二课堂成绩单。'

/**
 * One record as an Open Badge.
 * @param at when it is signed, wall-clock text
 */
export function badgeOf(
  row: TranscriptRow,
  student: Pick<IssuedTranscript['student'], 'suiName' | 'suiNumber'>,
  { issuer, status, at }: { issuer: Issuer; status: StatusPlace; at: string },
) {
  const facts = [row.moduleName, row.levelName, row.awardName].filter((word) => word !== '')
  const hours = `urn:uuid:${row.recId}#hours`
  return {
    '@context': [credentialsContext, openBadgesContext, openBadgesExtensions],
    id: `urn:uuid:${row.recId}`,
    type: ['VerifiableCredential', 'OpenBadgeCredential'],
    name: row.name,
    issuer: profileOf(issuer),
    validFrom: isoText(at),
    awardedDate: isoText(row.grantTime),
    credentialSubject: {
      type: ['AchievementSubject'],
      identifier: identityOf(student),
      activityStartDate: isoText(row.startTime),
      ...(row.endTime && { activityEndDate: isoText(row.endTime) }),
      creditsEarned: Number(row.credit),
      achievement: {
        id: `urn:uuid:${row.liId ?? row.lisId ?? row.recId}`,
        type: ['Achievement'],
        achievementType: 'CoCurricular',
        name: row.name,
        description: facts.join('，') || row.name,
        criteria: { narrative: criteria },
        tag: facts,
        resultDescription: [{ id: hours, type: ['ResultDescription'], name: '学时', resultType: 'ext:hours' }],
      },
      result: [{ type: ['Result'], resultDescription: hours, value: row.hours }],
    },
    credentialStatus: statusOf(status),
    credentialSchema: [schemaOf('ob/v3p0/schema/json/ob_v3p0_achievementcredential_schema.json')],
  }
}

/**
 * An issued transcript as a learner record.
 * @param verifyUrl where people check the same issue by its serial @param badges the signed badges of its records
 */
export function learnerRecordOf(
  { student, serial, lang, asOf, extract, summary }: IssuedTranscript,
  badges: readonly object[],
  { issuer, status, at, verifyUrl }: { issuer: Issuer; status: StatusPlace; at: string; verifyUrl: string },
) {
  const words = printWords(lang)
  return {
    '@context': [credentialsContext, learnerRecordContext, openBadgesContext, openBadgesExtensions],
    id: verifyUrl,
    type: ['VerifiableCredential', 'ClrCredential'],
    name: `${words.title} ${student.suiNumber} ${student.suiName}`,
    description: [
      serial,
      ...(extract ? [extract] : []),
      `${dayOf(asOf)}: ${summary.totalHours} h, ${summary.totalCredit} cr`,
    ].join(', '),
    partial: extract !== null,
    issuer: profileOf(issuer),
    validFrom: isoText(at),
    credentialSubject: {
      type: ['ClrSubject'],
      identifier: identityOf(student),
      verifiableCredential: badges,
    },
    credentialStatus: statusOf(status),
    credentialSchema: [schemaOf('clr/v2p0/schema/json/clr_v2p0_clrcredential_schema.json')],
  }
}

/** A signed list of which credentials were revoked: one bit each, as W3C Bitstring Status List has it. */
export const statusListOf = (
  address: string,
  { issuer, at, until, encodedList }: { issuer: Issuer; at: string; until: string; encodedList: string },
) => ({
  '@context': [credentialsContext, openBadgesContext],
  id: address,
  type: ['VerifiableCredential', 'BitstringStatusListCredential'],
  issuer: profileOf(issuer),
  validFrom: isoText(at),
  validUntil: isoText(until),
  credentialSubject: {
    id: `${address}#list`,
    type: 'BitstringStatusList',
    statusPurpose: 'revocation',
    encodedList,
  },
})

/** What the contexts of credentials say nothing of: which keys are there, and which may sign statements. */
const keyTerms = {
  verificationMethod: { '@id': 'https://w3id.org/security#verificationMethod', '@type': '@id', '@container': '@set' },
  assertionMethod: { '@id': 'https://w3id.org/security#assertionMethod', '@type': '@id', '@container': '@set' },
}

/** The profile of a school with its keys, those that sign no more as well: what they signed stays verifiable. */
export const profileDocument = (issuer: Issuer, keys: readonly { kid: string; multikey: string }[]) => ({
  '@context': [credentialsContext, openBadgesContext, 'https://w3id.org/security/multikey/v1', keyTerms],
  ...profileOf(issuer),
  type: 'Profile',
  verificationMethod: keys.map(({ kid, multikey }) => ({
    id: keyAddress(issuer.id, kid),
    type: 'Multikey',
    controller: issuer.id,
    publicKeyMultibase: multikey,
  })),
  assertionMethod: keys.map(({ kid }) => keyAddress(issuer.id, kid)),
})

/** Where a public key of a school is read. */
export const keyAddress = (issuer: string, skId: string): string => `${issuer}#${skId}`
