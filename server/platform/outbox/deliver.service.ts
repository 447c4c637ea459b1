import { sql } from 'kysely'
import {
  deliveryStatus,
  enableStatus,
  outboxChannel,
  type DeliveryStatus,
} from '../../../contract/core/codes/platform.ts'
import { addSeconds, epochOf, isoText } from '../../core/base/clock.ts'
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
  odChannel: string
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
  sealedSecret: Buffer | null
  odChannel: string
  /** Of a channel of messages: see its settings' schema. */
  settings: unknown
  version: number
  /** Who is told, and the copy in the inbox; null of an event, a code or a test. */
  suId: string | null
  iurId: string | null
  isUrgent: boolean
  /** What stands nowhere else, until it has ended. */
  sealedContent: Buffer | null
  queueTime: string
}

/** How an attempt ended. */
export interface Attempt {
  isDelivered: boolean
  /** The other side's status; null where nothing came back. */
  code: number | null
  text: string
  /** Ends the delivery now, where trying again would not help or might send it twice. */
  endsAs?: DeliveryStatus
  /** It failed for the person told, such as for a mailbox that is full, and says nothing about the destination. */
  isAboutPerson?: boolean
  /** Where it went, masked. */
  target?: string
  /** By which the other side can be asked whether what it has taken has arrived. */
  laterId?: string
}

/** One attempt at a message to a person; what comes of it is the result. */
export type Sender = (ctx: Context, sending: Sending) => Promise<Attempt>

/** The senders by channel; what is not among them is an event for another system. */
export type Senders = Readonly<Record<string, Sender>>

/** The body of a delivery: the same text at each try, for it is what the signature covers. */
export const bodyOf = ({ eventKind, eventData, createTime }: Pick<Sending, 'eventKind' | 'eventData' | 'createTime'>) =>
  JSON.stringify({ type: eventKind, timestamp: isoText(createTime.slice(0, 19)), data: eventData })

/**
 * One attempt. What the other side answers or why nothing came back is the result.
 * @throws only where the program stops
 */
export async function attempt(ctx: Context, sending: Sending, signal?: AbortSignal): Promise<Attempt> {
  const body = bodyOf(sending)
  const seconds = epochOf(ctx.clock.now().slice(0, 19)) / 1000
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

/** Whether it is a destination's quiet time of day, in SQL; `o` is the destination. */
export const isQuiet = (now: string) => sql<boolean>`(
  case
    when o."quietFrom" = o."quietTo" then false
    when o."quietFrom" < o."quietTo" then ${now.slice(11, 16)} >= o."quietFrom" and ${now.slice(11, 16)} < o."quietTo"
    else ${now.slice(11, 16)} >= o."quietFrom" or ${now.slice(11, 16)} < o."quietTo"
  end
)`

/**
 * Takes the next delivery of a destination that is due; undefined where there is none, it pauses or its school does.
 */
export async function takeNext(ctx: Context, odId: string): Promise<Sending | undefined> {
  const { schoolId } = ctx.actor
  const now = ctx.clock.now()
  const { rows } = await sql<Sending>`
    update "outboxDelivery" d
    set "dlStatus" = ${sql.lit(deliveryStatus.sending)}, "attempts" = d."attempts" + 1, "lastTime" = ${now}
    from "outboxDestination" o
    where d."schoolId" = ${schoolId} and d."dlId" = (
        select w."dlId"
        from "outboxDelivery" w
        join "outboxDestination" o on o."schoolId" = w."schoolId" and o."odId" = w."odId"
        where w."schoolId" = ${schoolId} and w."odId" = ${odId}::uuid
          and w."dlStatus" in (${sql.lit(deliveryStatus.waiting)}, ${sql.lit(deliveryStatus.sending)})
          and (w."nextTime" is null or w."nextTime" <= ${now})
          and (w."isUrgent" or not ${isQuiet(now)})
        order by w."isUrgent" desc, w."createTime", w."eventId"
        limit 1
        for update of w skip locked
      )
      and o."schoolId" = d."schoolId" and o."odId" = d."odId"
      and o."enable" = ${enableStatus.enabled} and (o."pausedUntil" is null or o."pausedUntil" <= ${now})
      and ${ofWorkingSchool('o')}
    returning d."dlId", d."odId", d."eventId", d."eventKind", d."eventData", d."attempts", d."createTime",
      o."address", o."sealedSecret", o."odChannel", o."settings", o."version", d."suId", d."iurId", d."isUrgent",
      d."sealedContent", d."queueTime"`.execute(ctx.db)
  return rows[0]
}

/**
 * Ends messages that a process left half-way: they may have arrived, and nobody is told anything twice (decision 092).
 * The job that sends to a destination is the only one that does, so what is under way when it begins is nobody's.
 */
export async function endUnknown(ctx: Context, odId: string): Promise<void> {
  const now = ctx.clock.now()
  await sql`
    update "outboxDelivery" d
    set "dlStatus" = ${deliveryStatus.unknown}, "endTime" = ${now}, "nextTime" = null, "sealedContent" = null,
      "answerText" = '发送途中程序中断，不能确定是否送达'
    from "outboxDestination" o
    where d."schoolId" = ${ctx.actor.schoolId} and d."odId" = ${odId}::uuid
      and d."dlStatus" = ${sql.lit(deliveryStatus.sending)}
      and o."schoolId" = d."schoolId" and o."odId" = d."odId" and o."odChannel" <> ${outboxChannel.webhook}`.execute(
    ctx.db,
  )
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
      .select(['odId', 'odName', 'odChannel', 'failures', 'failedSince', 'isTold', 'enable', 'pausedUntil'])
      .where('odId', '=', odId)
      .forUpdate()
      .executeTakeFirst()
    // removed while the attempt was under way, and its deliveries with it
    if (!destination) return
    const ended = isDelivered
      ? deliveryStatus.delivered
      : (result.endsAs ?? (attempts >= maxAttempts ? deliveryStatus.dead : undefined))
    await tx.db
      .updateTable('outboxDelivery')
      .set({
        dlStatus: ended ?? deliveryStatus.waiting,
        nextTime: ended ? null : addSeconds(now, waitSeconds(attempts, Math.random())),
        answerCode: code,
        answerText: text,
        endTime: ended ? now : null,
        laterId: result.laterId ?? null,
        ...(result.target !== undefined && { target: result.target }),
        ...(ended && { sealedContent: null }),
      })
      .where('schoolId', '=', schoolId)
      .where('dlId', '=', dlId)
      .execute()
    if (result.isAboutPerson) return
    const { failedSince, isTold, pausedUntil } = destination
    // of thousands of messages that arrive one after the other there is nothing to note for the destination
    if (isDelivered && destination.failures === 0 && !failedSince && !isTold && !pausedUntil) return
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
    const { odName, odChannel } = destination
    const news = { odId, odName, odChannel, reason: attemptText(result) }
    if (isGone) await tell(tx, { ...news, kind: 'gone' })
    else if (isFailing && !destination.isTold) await tell(tx, { ...news, kind: 'failing' })
    else if (isDelivered && destination.isTold) await tell(tx, { ...news, kind: 'recovered' })
  })
}
