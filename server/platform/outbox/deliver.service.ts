import { sql } from 'kysely'
import { deliveryStatus, enableStatus } from '../../../contract/core/codes/platform.ts'
import { addSeconds } from '../../core/base/clock.ts'
import { from, ofWorkingSchool } from '../../core/database/tenant.ts'
import type { Context } from '../../core/request/context.ts'
import { inTransaction } from '../../core/request/transaction.ts'
import { unseal } from '../../core/secrets/field-crypto.ts'
import { failuresToPause, maxAttempts, pauseSeconds, waitSeconds } from './backoff.ts'
import { OutboundFault } from '../../core/base/outbound.ts'
import { sendOutbound } from './outbound.ts'
import { signedHeaders } from './signature.ts'

/** What a change in how a destination answers is told as. */
export interface DestinationNews {
  odId: string
  odName: string
  kind: 'failing' | 'gone' | 'recovered'
  /** The last answer, in words. */
  reason: string
}

/** Tells the administrators, in the transaction of the change. */
export type TellDestination = (ctx: Context, news: DestinationNews) => Promise<void>

/** A delivery with what it takes to send it. */
export interface Sending {
  dlId: string
  odId: string
  eventId: string
  eventKind: string
  eventData: unknown
  attempts: number
  createTime: string
  address: string
  sealedSecret: Buffer
}

/** How an attempt ended. */
export interface Attempt {
  isDelivered: boolean
  /** The other side's status; null where nothing came back. */
  code: number | null
  text: string
}

/** The body of a delivery: the same text at each try, for it is what the signature covers. */
export const bodyOf = ({ eventKind, eventData, createTime }: Pick<Sending, 'eventKind' | 'eventData' | 'createTime'>) =>
  JSON.stringify({ type: eventKind, timestamp: `${createTime.slice(0, 19).replace(' ', 'T')}+08:00`, data: eventData })

/**
 * One attempt. What the other side answers or why nothing came back is the result.
 * @throws only where the program stops
 */
export async function attempt(ctx: Context, sending: Sending, signal?: AbortSignal): Promise<Attempt> {
  const body = bodyOf(sending)
  const seconds = Math.floor(Date.parse(`${ctx.clock.now().slice(0, 19).replace(' ', 'T')}+08:00`) / 1000)
  const headers = {
    'content-type': 'application/json',
    ...signedHeaders(unseal(sending.sealedSecret, ctx.secrets)!, sending.eventId, seconds, body),
  }
  try {
    const { address } = sending
    const answer = await sendOutbound({ address, method: 'POST', headers, body }, ctx.config.outboundPrivate, signal)
    const isDelivered = answer.status >= 200 && answer.status < 300
    return { isDelivered, code: answer.status, text: answer.text }
  } catch (error) {
    if (!(error instanceof OutboundFault)) throw error
    return { isDelivered: false, code: null, text: error.message }
  }
}

/** What an attempt came to, in a sentence. */
export const attemptText = ({ code, text }: Pick<Attempt, 'code' | 'text'>): string =>
  code === null
    ? text
    : code >= 300 && code < 400
      ? `对方要求转到别处（HTTP ${code}），不予跟随`
      : `对方答复 HTTP ${code}`

/** Takes the next delivery of a destination that is due; undefined where there is none, it pauses or its school does. */
export async function takeNext(ctx: Context, odId: string): Promise<Sending | undefined> {
  const { schoolId } = ctx.actor
  const now = ctx.clock.now()
  const { rows } = await sql<Sending>`
    update "outboxDelivery" d
    set "dlStatus" = ${sql.lit(deliveryStatus.sending)}, "attempts" = d."attempts" + 1, "lastTime" = ${now}
    from "outboxDestination" o
    where d."schoolId" = ${schoolId} and d."dlId" = (
        select "dlId" from "outboxDelivery"
        where "schoolId" = ${schoolId} and "odId" = ${odId}::uuid
          and "dlStatus" in (${sql.lit(deliveryStatus.waiting)}, ${sql.lit(deliveryStatus.sending)})
          and ("nextTime" is null or "nextTime" <= ${now})
        order by "createTime", "dlId"
        limit 1
        for update skip locked
      )
      and o."schoolId" = d."schoolId" and o."odId" = d."odId"
      and o."enable" = ${enableStatus.enabled} and (o."pausedUntil" is null or o."pausedUntil" <= ${now})
      and ${ofWorkingSchool('o')}
    returning d."dlId", d."odId", d."eventId", d."eventKind", d."eventData", d."attempts", d."createTime",
      o."address", o."sealedSecret"`.execute(ctx.db)
  return rows[0]
}

/** Writes down how an attempt ended, for the delivery and for its destination, and tells what has changed. */
export async function settleAttempt(
  ctx: Context,
  { dlId, odId, attempts }: Pick<Sending, 'dlId' | 'odId' | 'attempts'>,
  result: Attempt,
  tell: TellDestination,
): Promise<void> {
  const { isDelivered, code, text } = result
  const { schoolId } = ctx.actor
  const now = ctx.clock.now()
  await inTransaction(ctx, async (tx) => {
    const destination = await from(tx, 'outboxDestination')
      .select(['odId', 'odName', 'failures', 'failedSince', 'isTold', 'enable'])
      .where('odId', '=', odId)
      .forUpdate()
      .executeTakeFirst()
    // removed while the attempt was under way, and its deliveries with it
    if (!destination) return
    const isDead = !isDelivered && attempts >= maxAttempts
    await tx.db
      .updateTable('outboxDelivery')
      .set({
        dlStatus: isDelivered ? deliveryStatus.delivered : isDead ? deliveryStatus.dead : deliveryStatus.waiting,
        nextTime: isDelivered || isDead ? null : addSeconds(now, waitSeconds(attempts, Math.random())),
        answerCode: code,
        answerText: text,
        endTime: isDelivered || isDead ? now : null,
      })
      .where('schoolId', '=', schoolId)
      .where('dlId', '=', dlId)
      .execute()
    const failures = isDelivered ? 0 : destination.failures + 1
    const isGone = code === 410 && destination.enable === enableStatus.enabled
    const isFailing = failures >= failuresToPause
    await tx.db
      .updateTable('outboxDestination')
      .set({
        failures,
        failedSince: isDelivered ? null : (destination.failedSince ?? now),
        pausedUntil: isFailing ? addSeconds(now, pauseSeconds(failures, Math.random())) : null,
        isTold: !isDelivered && (destination.isTold || isFailing || isGone),
        // 410 is how a receiver says that it wants no more
        ...(isGone && { enable: enableStatus.disabled }),
      })
      .where('schoolId', '=', schoolId)
      .where('odId', '=', odId)
      .execute()
    const news = { odId, odName: destination.odName, reason: attemptText(result) }
    if (isGone) await tell(tx, { ...news, kind: 'gone' })
    else if (isFailing && !destination.isTold) await tell(tx, { ...news, kind: 'failing' })
    else if (isDelivered && destination.isTold) await tell(tx, { ...news, kind: 'recovered' })
  })
}
