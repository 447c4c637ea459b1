import { messageChannel, messageKind } from '../../../contract/core/codes/platform.ts'
import { accountStatus } from '../../../contract/core/codes/school.ts'
import type { Job } from '../../core/jobs/job-runner.ts'
import { enqueue } from '../../core/jobs/jobs.ts'
import type { PublicContext } from '../../core/request/context.ts'
import { putUrgent } from '../../platform/outbox/urgent.service.ts'
import { seal, unseal } from '../../core/secrets/field-crypto.ts'
import { sha256 } from '../../core/base/hashes.ts'
import { unavailableReason } from '../school/school-status.ts'
import { sendCodeMail } from './code-mail.ts'

/** A recovery code on its way to its person. */
export interface CodeMessage {
  schoolId: string
  suId: string
  name: string
  /** 学工号. */
  number: string
  email: string | null
  hasPhone: boolean
  contact: string | null
  code: string
  /** Wall-clock text; the code is worth nothing afterwards. */
  expireTime: string
}

/** As which a code is stored. */
export const codeDigest = (suId: string, code: string): Buffer => sha256(`${suId}:${code}`)

/** The kind of job that mails one code. */
export const codeMailJob = 'session:mail-code'

/**
 * Tries within two minutes, so that of a code's ten some are left for an administrator when mail does not get through.
 */
const mailTries = 4

/**
 * Hands a recovery code over, if and when the transaction of `ctx` commits: by the channels of the school that carry
 * codes; else by mail where the installation has a mail server and the account an address; else it is kept with its
 * request, from where an administrator who has checked the person's identity passes it on (see docs/operations.md).
 */
export async function deliverCode(
  ctx: Pick<PublicContext, 'config' | 'clock' | 'db' | 'secrets'>,
  message: CodeMessage,
): Promise<void> {
  const { schoolId, suId, code, expireTime } = message
  const sealedContent = seal(JSON.stringify({ code, expireTime }), ctx.secrets)!
  const without = [...(message.email ? [] : [messageChannel.mail]), ...(message.hasPhone ? [] : [messageChannel.sms])]
  if (await putUrgent(ctx, { schoolId, suId, eventKind: messageKind.recovery, sealedContent, without })) return
  if (!ctx.config.mail || !message.email) return keepCode(ctx, message)
  const sealed = seal(JSON.stringify(message), ctx.secrets)!.toString('base64')
  await enqueue(ctx, { schoolId: message.schoolId, kind: codeMailJob, payload: { sealed } })
}

/** Keeps a code with its request, sealed, unless that has been used. */
async function keepCode({ db, secrets }: Pick<PublicContext, 'db' | 'secrets'>, message: CodeMessage): Promise<void> {
  await db
    .updateTable('resetRequest')
    .set({ sealedMessage: seal(JSON.stringify(message), secrets) })
    .where('schoolId', '=', message.schoolId)
    .where('suId', '=', message.suId)
    .where('codeHash', '=', codeDigest(message.suId, message.code))
    .where('usedTime', 'is', null)
    .execute()
}

export interface KeptCodes {
  codes: CodeMessage[]
  /** How many cannot be unsealed. */
  unreadable: number
}

/**
 * The kept codes that are still good, of each person the newest alone, as only that one is taken; none of a school that
 * stands still or of an account that nobody may use.
 */
export async function keptCodes(
  { db, secrets }: Pick<PublicContext, 'db' | 'secrets'>,
  now: string,
): Promise<KeptCodes> {
  const newest = await db
    .selectFrom('resetRequest as r')
    .innerJoin('account as a', (join) => join.onRef('a.schoolId', '=', 'r.schoolId').onRef('a.suId', '=', 'r.suId'))
    .innerJoin('school as s', 's.schoolId', 'r.schoolId')
    .distinctOn(['r.schoolId', 'r.suId'])
    .select(['r.schoolId', 'r.sealedMessage', 'r.usedTime', 's.suspendedTime', 's.moveState', 's.movedTo'])
    .where('r.expireTime', '>', now)
    .where('a.suStatus', '=', accountStatus.active)
    .orderBy('r.schoolId')
    .orderBy('r.suId')
    .orderBy('r.createTime', 'desc')
    .orderBy('r.rqId', 'desc')
    .execute()
  const kept: KeptCodes = { codes: [], unreadable: 0 }
  for (const { sealedMessage, usedTime, ...school } of newest) {
    if (sealedMessage === null || usedTime !== null || unavailableReason(school)) continue
    try {
      kept.codes.push(JSON.parse(unseal(sealedMessage, secrets)!) as CodeMessage)
    } catch {
      kept.unreadable++
    }
  }
  return kept
}

/**
 * The job that mails codes. A code that has run out is not sent; one that no try gets through is kept with its
 * request, and the job counts as failed, which 运行状态 shows.
 */
export const codeMailHandler = (services: Pick<PublicContext, 'config' | 'clock' | 'db' | 'secrets'>) => ({
  attempts: mailTries,
  run: async ({ payload, jobId, attempts }: Job) => {
    const { sealed } = payload as { sealed: string }
    const message = JSON.parse(unseal(Buffer.from(sealed, 'base64'), services.secrets)!) as CodeMessage
    if (message.expireTime <= services.clock.now()) return
    // the setting may have been taken away since
    if (!services.config.mail) return keepCode(services, message)
    try {
      await sendCodeMail(services.config.mail, jobId, message)
    } catch (err) {
      if (attempts >= mailTries) await keepCode(services, message)
      throw withoutAddresses(err)
    }
  },
})

/** What the mail server said no with, for the log and the job's record: its words may name the person's address. */
function withoutAddresses(err: unknown): Error {
  const { code, responseCode } = err as { code?: string; responseCode?: number }
  return new Error(`邮件未能送出（${[code, responseCode].filter(Boolean).join(' ') || '原因不明'}）`)
}
