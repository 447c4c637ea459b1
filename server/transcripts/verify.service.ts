import type { Checked, Output } from '../../contract/core/call.ts'
import { Failure } from '../../contract/core/failure.ts'
import type { Verdict, verifyApi } from '../../contract/transcripts/verify.calls.ts'
import type { Config } from '../core/config.ts'
import type { PublicContext } from '../core/context.ts'
import { multikeyOf } from '../core/ed25519.ts'
import { limiter } from '../core/limits.ts'
import { isProven, readCredential, sha256, transcriptIn, type CredentialProof } from './credential.ts'
import { publicKeys } from './signing-keys.service.ts'
import { statusList } from './status-list.service.ts'

/** Checks that one address may make a minute: a person with a pile of papers may, a program that tries serials may not. */
export const checksPerMinute = 30

/** One brake for all public calls of one service. */
const brakes = new WeakMap<Config, ReturnType<typeof limiter>>()
async function brake({ config, origin }: PublicContext): Promise<void> {
  const own = brakes.get(config) ?? limiter(config.requestsPerMinute === 0 ? 0 : checksPerMinute, 60)
  brakes.set(config, own)
  await own(origin.ip)
}

/** What anybody may know who can name a serial. */
export async function verifySerial(ctx: PublicContext, { serial }: Checked<typeof verifyApi.verify>): Promise<Verdict> {
  await brake(ctx)
  const found = await issueBy(ctx, serial)
  if (!found) throw new Failure('no-such-transcript')
  return found.verdict
}

/** Compares a credential file with what was issued. */
export async function verifyCredential(ctx: PublicContext, { credential }: Checked<typeof verifyApi.credential>): Promise<Output<typeof verifyApi.credential>> {
  await brake(ctx)
  const read = readCredential(credential)
  if (!read) throw new Failure('no-credential')
  const found = await issueBy(ctx, read.serial)
  if (!found) throw new Failure('no-such-transcript')
  return { isSame: read.content === found.content, isSigned: isProven(read.content, read.proof, found.publicKey), verdict: found.verdict }
}

export const verifyKeys: (ctx: PublicContext, input: Checked<typeof verifyApi.publicKeys>) => ReturnType<typeof publicKeys> = async (ctx, input) => {
  await brake(ctx)
  return publicKeys(ctx, input)
}

export const verifyStatusList: (ctx: PublicContext, input: Checked<typeof verifyApi.statusList>) => ReturnType<typeof statusList> = async (ctx, input) => {
  await brake(ctx)
  return statusList(ctx, input)
}

const states = { '1': 'valid', '2': 'superseded', '3': 'revoked' } as const

async function issueBy({ db }: PublicContext, serial: string) {
  const row = await db
    .selectFrom('transcriptIssue as i')
    .innerJoin('signingKey as k', (join) => join.onRef('k.schoolId', '=', 'i.schoolId').onRef('k.skId', '=', 'i.skId'))
    .select(['i.serial', 'i.content', 'i.proof', 'i.digest', 'i.tiStatus', 'i.issueTime', 'i.endTime', 'i.revokeReason', 'i.skId', 'k.publicKey'])
    .where('i.serial', '=', serial)
    .executeTakeFirst()
  if (!row) return undefined
  const isWhole = sha256(row.content).equals(row.digest) && isProven(row.content, row.proof as CredentialProof, row.publicKey)
  const { student, summary, schName, extract } = transcriptIn(row.content)
  const verdict: Verdict = {
    serial: row.serial,
    // a paper whose record was tampered with must not look revoked or valid: nothing in it can be trusted
    status: isWhole ? states[row.tiStatus as keyof typeof states] : 'broken',
    schName, suiName: maskedName(student.suiName), suiNumber: maskedNumber(student.suiNumber), title: '第二课堂成绩单', extract: extract ?? '', totalHours: summary.totalHours, totalCredit: summary.totalCredit,
    issueTime: row.issueTime, endTime: row.endTime, revokeReason: row.revokeReason, digest: row.digest.toString('hex'), keyId: row.skId, publicKey: multikeyOf(row.publicKey),
  }
  return { verdict, content: row.content, publicKey: row.publicKey }
}

/** `张小明` -> `张*明`, `张明` -> `张*`: first and last sign of a name, as in public notices. */
export function maskedName(name: string): string {
  const signs = Array.from(name)
  return signs.length <= 2 ? `${signs[0] ?? ''}*` : `${signs[0]}${'*'.repeat(signs.length - 2)}${signs.at(-1)}`
}

/** The last four signs of a number. */
const maskedNumber = (number: string): string => (number.length <= 4 ? '*'.repeat(number.length) : '*'.repeat(number.length - 4) + number.slice(-4))
