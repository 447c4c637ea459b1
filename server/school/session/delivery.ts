import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { messageChannel, messageKind } from '../../../contract/core/codes/platform.ts'
import { addMinutes } from '../../core/base/clock.ts'
import type { Job } from '../../core/jobs/job-runner.ts'
import { enqueue } from '../../core/jobs/jobs.ts'
import type { PublicContext } from '../../core/request/context.ts'
import { putUrgent } from '../../platform/outbox/urgent.service.ts'
import { seal, unseal } from '../../core/secrets/field-crypto.ts'
import { newId } from '../../core/base/ids.ts'
import { sendCodeMail } from './code-mail.ts'

/** A recovery code on its way to its person. */
export interface CodeMessage {
  schoolId: string
  suId: string
  name: string
  email: string | null
  hasPhone: boolean
  contact: string | null
  code: string
  /** Wall-clock text; the code is worth nothing afterwards. */
  expireTime: string
}

type DeliveryServices = Pick<PublicContext, 'config' | 'clock'>
const outboxOf = ({ config }: DeliveryServices): string => join(config.dataDir, 'outbox')

/** The kind of job that mails one code. */
export const codeMailJob = 'session:mail-code'

/**
 * Tries within two minutes, so that of a code's ten some are left for an administrator when mail does not get through.
 */
const mailTries = 4

/**
 * Hands a recovery code over, if and when the transaction of `ctx` commits: by the channels of the school that carry
 * codes; else by mail where the installation has a mail server and the account an address; else into the outbox folder
 * of the data folder, from where an administrator who has checked the person's identity passes it on (see
 * docs/operations.md).
 */
export async function deliverCode(
  ctx: Pick<PublicContext, 'config' | 'clock' | 'db' | 'secrets'>,
  message: CodeMessage,
): Promise<void> {
  const { schoolId, suId, code, expireTime } = message
  const sealedContent = seal(JSON.stringify({ code, expireTime }), ctx.secrets)!
  const without = [...(message.email ? [] : [messageChannel.mail]), ...(message.hasPhone ? [] : [messageChannel.sms])]
  if (await putUrgent(ctx, { schoolId, suId, eventKind: messageKind.recovery, sealedContent, without })) return
  if (!ctx.config.mail || !message.email) return keepInFolder(ctx, message)
  const sealed = seal(JSON.stringify(message), ctx.secrets)!.toString('base64')
  await enqueue(ctx, { schoolId: message.schoolId, kind: codeMailJob, payload: { sealed } })
}

async function keepInFolder(ctx: DeliveryServices, message: CodeMessage): Promise<void> {
  const outbox = outboxOf(ctx)
  // of several machines only one does the periodic work; each keeps its own folder clean at least while it is in use
  await sweepOutbox(ctx)
  await mkdir(outbox, { recursive: true, mode: 0o700 })
  await writeFile(join(outbox, `${newId()}.json`), JSON.stringify(message, null, 2), { mode: 0o600, flag: 'wx' })
}

/**
 * The job that mails codes. A code that has run out is not sent; one that no try gets through lies in the outbox folder
 * afterwards, and the job counts as failed, which 运行状态 shows.
 */
export const codeMailHandler = (services: Pick<PublicContext, 'config' | 'clock' | 'secrets'>) => ({
  attempts: mailTries,
  run: async ({ payload, jobId, attempts }: Job) => {
    const { sealed } = payload as { sealed: string }
    const message = JSON.parse(unseal(Buffer.from(sealed, 'base64'), services.secrets)!) as CodeMessage
    if (message.expireTime <= services.clock.now()) return
    // the setting may have been taken away since
    if (!services.config.mail) return keepInFolder(services, message)
    try {
      await sendCodeMail(services.config.mail, jobId, message)
    } catch (err) {
      if (attempts >= mailTries) await keepInFolder(services, message)
      throw withoutAddresses(err)
    }
  },
})

/** What the mail server said no with, for the log and the job's record: its words may name the person's address. */
function withoutAddresses(err: unknown): Error {
  const { code, responseCode } = err as { code?: string; responseCode?: number }
  return new Error(`邮件未能送出（${[code, responseCode].filter(Boolean).join(' ') || '原因不明'}）`)
}

/**
 * Removes the codes that have run out, and what cannot be read as one after an hour.
 * @returns how many files were removed
 */
export async function sweepOutbox(ctx: DeliveryServices): Promise<number> {
  const outbox = outboxOf(ctx)
  const now = ctx.clock.now()
  let removed = 0
  for (const name of await readdir(outbox).catch(() => [])) {
    const path = join(outbox, name)
    if ((await endOf(path)) > now) continue
    await rm(path, { force: true })
    removed++
  }
  return removed

  async function endOf(path: string): Promise<string> {
    const read = await readFile(path, 'utf8')
      .then((text) => JSON.parse(text) as Partial<CodeMessage>)
      .catch(() => undefined)
    if (typeof read?.expireTime === 'string') return read.expireTime
    const age = await stat(path).then(
      ({ mtimeMs }) => Date.now() - mtimeMs,
      () => 0,
    )
    return addMinutes(now, 60 - age / 60_000)
  }
}
