import { issueStatus } from '../../../contract/core/codes/outcomes.ts'
import type { Checked, Output } from '../../../contract/core/call.ts'
import { Failure } from '../../../contract/core/failure.ts'
import type { Verdict, verifyApi } from '../../../contract/outcomes/transcripts/verify.calls.ts'
import { networkOf } from '../../core/base/address.ts'
import type { Config } from '../../core/base/config.ts'
import { sha256 } from '../../core/base/hashes.ts'
import { withinSchool } from '../../core/database/tenant.ts'
import type { PublicContext } from '../../core/request/context.ts'
import { canonicalJson } from '../../core/credentials/canonical-json.ts'
import { multikeyOf } from '../../core/credentials/ed25519.ts'
import { sharingOf } from '../../core/http/limit-sharing.ts'
import { createRateLimiter } from '../../core/http/rate-limiter.ts'
import { maskedName, maskedNumber } from '../../core/secrets/masks.ts'
import { moveState } from '../../school/school/school-status.ts'
import { isProven, readCredential, transcriptIn, type CredentialProof, type IssuedTranscript } from './credential.ts'
import { publicKeys } from './signing-keys.service.ts'
import { statusList } from './status-list.service.ts'

/**
 * Checks that one address may make a minute: a person with a pile of papers may, a program that tries serials may not.
 */
export const checksPerMinute = 30

/** One rate limit for all public calls of one service. */
const limiters = new WeakMap<Config, ReturnType<typeof createRateLimiter>>()
/** @throws Failure where an address asks more often than {@link checksPerMinute} */
export function checkRate(ctx: PublicContext): void {
  const { config, origin } = ctx
  const own = limiters.get(config) ?? createLimiter(ctx)
  limiters.set(config, own)
  own(networkOf(origin.ip))
}

function createLimiter(ctx: PublicContext) {
  const sharing = sharingOf(ctx)
  const perMinute = ctx.config.requestsPerMinute === 0 ? 0 : checksPerMinute
  return createRateLimiter(perMinute, 60, sharing && { sharing, name: 'verify' })
}

/** What anybody may know who can name a serial. */
export async function verifySerial(ctx: PublicContext, { serial }: Checked<typeof verifyApi.verify>): Promise<Verdict> {
  checkRate(ctx)
  const found = await issueBy(ctx, serial)
  if (!found) throw new Failure('no-such-transcript')
  return found.verdict
}

/** Compares a credential file with what was issued. */
export async function verifyCredential(
  ctx: PublicContext,
  { credential }: Checked<typeof verifyApi.credential>,
): Promise<Output<typeof verifyApi.credential>> {
  checkRate(ctx)
  const read = readCredential(credential)
  if (!read) throw new Failure('no-credential')
  const found = await issueBy(ctx, read.serial)
  if (!found) throw new Failure('no-such-transcript')
  const isSame = found.verdict.digest === sha256(read.content).toString('hex') && isSameProof(read.proof, found.proof)
  const isSigned = isProven(read.content, read.proof, found.publicKey)
  // of somebody who has become anonymous only the paper itself still tells who it is for
  const outline = found.isErased && isSame && isSigned ? outlineOf(transcriptIn(read.content)) : {}
  return { isSame, isSigned, verdict: { ...found.verdict, ...outline } }
}

/** Whether a proof is the one that was issued, however its fields are ordered. What it holds may be anything. */
function isSameProof(read: CredentialProof, issued: unknown): boolean {
  try {
    return canonicalJson(read) === canonicalJson(issued as CredentialProof)
  } catch {
    // a text that RFC 8785 does not allow, or more depth than a proof has: not what was issued
    return false
  }
}

export const verifyKeys: (
  ctx: PublicContext,
  input: Checked<typeof verifyApi.publicKeys>,
) => ReturnType<typeof publicKeys> = async (ctx, input) => {
  checkRate(ctx)
  return publicKeys(ctx, input)
}

export const verifyStatusList: (
  ctx: PublicContext,
  input: Checked<typeof verifyApi.statusList>,
) => ReturnType<typeof statusList> = async (ctx, input) => {
  checkRate(ctx)
  return statusList(ctx, input)
}

const states = {
  [issueStatus.valid]: 'valid',
  [issueStatus.replaced]: 'superseded',
  [issueStatus.revoked]: 'revoked',
} as const

async function issueBy({ db }: PublicContext, serial: string) {
  const row = await db
    .selectFrom('transcriptIssue as i')
    .innerJoin('signingKey as k', withinSchool('k.skId', 'i.skId'))
    .innerJoin('school as s', 's.schoolId', 'i.schoolId')
    .select([
      'i.serial',
      'i.suId',
      'i.content',
      'i.proof',
      'i.digest',
      'i.tiStatus',
      'i.issueTime',
      'i.endTime',
      'i.revokeReason',
      'i.skId',
      'k.publicKey',
      's.moveState',
      's.movedTo',
    ])
    .where('i.serial', '=', serial)
    .executeTakeFirst()
  if (!row) return undefined
  // what becomes of it from now on is known there alone
  if (row.moveState === moveState.moved) throw new Failure('paper-moved', { address: row.movedTo })
  const transcript = signedFor(row)
  // emptied with the identity of its person (decision 042): the database lets that happen to no other
  const isErased = row.content === ''
  const verdict: Verdict = {
    serial: row.serial,
    // a paper whose record was tampered with must not look revoked or valid, nor say anything: nothing in it can be
    // trusted
    status: transcript || isErased ? states[row.tiStatus as keyof typeof states] : 'broken',
    ...(transcript
      ? outlineOf(transcript)
      : { schName: '', suiName: '', suiNumber: '', extract: '', totalHours: '', totalCredit: '' }),
    title: '第二课堂成绩单',
    issueTime: row.issueTime,
    endTime: row.endTime,
    revokeReason: row.revokeReason,
    digest: row.digest.toString('hex'),
    keyId: row.skId,
    publicKey: multikeyOf(row.publicKey),
  }
  return { verdict, isErased, proof: row.proof, publicKey: row.publicKey }
}

/**
 * What an issue says where it is what was signed for this serial and this student; undefined where it is not, however
 * well signed for another.
 */
function signedFor({
  serial,
  suId,
  content,
  proof,
  digest,
  publicKey,
}: {
  serial: string
  suId: string
  content: string
  proof: unknown
  digest: Buffer
  publicKey: Buffer
}): IssuedTranscript | undefined {
  if (!sha256(content).equals(digest) || !isProven(content, proof as CredentialProof, publicKey)) return undefined
  const transcript = transcriptIn(content)
  return transcript.serial === serial && transcript.student.suId === suId ? transcript : undefined
}

const outlineOf = ({ student, summary, schName, extract }: IssuedTranscript) => ({
  schName,
  suiName: maskedName(student.suiName),
  suiNumber: maskedNumber(student.suiNumber),
  extract: extract ?? '',
  totalHours: summary.totalHours,
  totalCredit: summary.totalCredit,
})
