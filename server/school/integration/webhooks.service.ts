import { sql } from 'kysely'
import type { Checked } from '../../../contract/core/call.ts'
import { deliveryStatus, outboxChannel, type DeliveryStatus } from '../../../contract/core/codes/platform.ts'
import { Failure } from '../../../contract/core/failure.ts'
import { pingKind } from '../../../contract/platform/outbox/events.ts'
import type { webhookApi } from '../../../contract/school/integration/webhooks.calls.ts'
import { audit, changedFields } from '../../core/audit/audit.ts'
import { newId } from '../../core/base/ids.ts'
import { asPage, countOf, likeText, offsetOf } from '../../core/database/paging.ts'
import type { Context } from '../../core/request/context.ts'
import { assertVersion } from '../../core/request/scope-check.ts'
import { createdColumns, updatedColumns } from '../../core/request/stamp-columns.ts'
import { inTransaction } from '../../core/request/transaction.ts'
import { seal } from '../../core/secrets/field-crypto.ts'
import { destinationsOf } from '../../platform/outbox/destinations.service.ts'
import { attempt, attemptText, type Attempt } from '../../platform/outbox/deliver.service.ts'
import { newSecret } from '../../platform/outbox/signature.ts'

type CallInput<K extends keyof typeof webhookApi> = Checked<(typeof webhookApi)[K]>

/** Subscriptions a school may have: each event is written once for every one that wants it. */
const maxWebhooks = 20

/** What a delivery of an event has not. */
const toNobody = { suId: null, iurId: null, isUrgent: false, sealedContent: null }

const webhooks = destinationsOf({ channels: [outboxChannel.webhook], bizType: 'webhook', what: '事件推送' })

/** The subscriptions of a school; switched on and off, and removed with their deliveries. */
export const { visible: visibleWebhooks, enable: enableWebhooks, remove: removeWebhooks } = webhooks

/** Subscriptions by name, with how their deliveries go. */
export async function listWebhooks(ctx: Context, input: CallInput<'list'>) {
  let query = visibleWebhooks(ctx)
  if (input.odName) query = query.where('odName', 'like', likeText(input.odName))
  if (input.enable) query = query.where('enable', '=', input.enable)
  const total = await countOf(query)
  const rows = await query
    .select(['odId', 'odName', 'address', 'eventKinds', 'enable', 'failedSince', 'version', 'updateTime'])
    .select([
      countIn(deliveryStatus.waiting, deliveryStatus.sending).as('waiting'),
      countIn(deliveryStatus.dead).as('dead'),
      sql<{ code: number | null; text: string; dlStatus: string } | null>`(
        select jsonb_build_object('code', d."answerCode", 'text', d."answerText", 'dlStatus', d."dlStatus")
        from "outboxDelivery" d
        where d."schoolId" = "outboxDestination"."schoolId" and d."odId" = "outboxDestination"."odId"
          and d."lastTime" is not null
        order by d."lastTime" desc
        limit 1
      )`.as('latest'),
    ])
    .orderBy('odName')
    .orderBy('odId')
    .offset(offsetOf(input))
    .limit(input.pageSize)
    .execute()
  const records = rows.map(({ latest, failedSince, ...row }) => ({
    ...row,
    ...stateOf(latest, failedSince),
  }))
  return asPage(records, total, input)
}

/** How a subscription does, by its latest delivery, a test among them. */
function stateOf(latest: (Pick<Attempt, 'code' | 'text'> & { dlStatus: string }) | null, failedSince: string | null) {
  if (!latest) return { state: 'idle' as const, stateText: '' }
  if (!failedSince && latest.dlStatus === deliveryStatus.delivered) return { state: 'good' as const, stateText: '' }
  const since = failedSince ? `自 ${failedSince} 起未送达` : '最近一次未送达'
  return { state: 'failing' as const, stateText: `${since}：${attemptText(latest)}` }
}

/** How many deliveries of a subscription are in one of these states. */
const countIn = (...states: DeliveryStatus[]) => sql<number>`(
  select count(*)::int
  from "outboxDelivery" d
  where d."schoolId" = "outboxDestination"."schoolId" and d."odId" = "outboxDestination"."odId"
    and d."dlStatus" = any(${states}::text[])
)`

/** Adds a subscription. Its secret is told this once. */
export const addWebhook = (ctx: Context, input: CallInput<'add'>) =>
  webhooks.inNaming(ctx, async (tx) => {
    if ((await countOf(visibleWebhooks(tx))) >= maxWebhooks) throw new Failure('too-many-webhooks', { n: maxWebhooks })
    await webhooks.checkName(tx, input.odName)
    const [odId, secret] = [newId(), newSecret()]
    await tx.db
      .insertInto('outboxDestination')
      .values({
        ...input,
        ...createdColumns(tx),
        odId,
        odChannel: outboxChannel.webhook,
        sealedSecret: seal(secret, tx.secrets)!,
      })
      .execute()
    await audit(tx, { action: '新增事件推送', bizType: 'webhook', bizId: odId, bizName: input.odName, after: input })
    return { odId, secret }
  })

/** Changes name, address or kinds. What fails is tried at the new address at once. */
export const editWebhook = (ctx: Context, { odId, version, ...values }: CallInput<'edit'>) =>
  webhooks.inNaming(ctx, async (tx) => {
    const before = await visibleWebhooks(tx)
      .select(['odName', 'address', 'eventKinds', 'version'])
      .where('odId', '=', odId)
      .forUpdate()
      .executeTakeFirst()
    assertVersion(tx, before, version)
    await webhooks.checkName(tx, values.odName, odId)
    await tx.db
      .updateTable('outboxDestination')
      .set({ ...values, ...updatedColumns(tx), pausedUntil: null })
      .where('schoolId', '=', tx.actor.schoolId)
      .where('odId', '=', odId)
      .execute()
    const changes = changedFields<object>(before, values)
    await audit(tx, { action: '编辑事件推送', bizType: 'webhook', bizId: odId, bizName: values.odName, ...changes })
    return { affected: 1 }
  })

/** A new secret instead of the old one, told this once; deliveries are signed by it from now on. */
export const renewSecret = (ctx: Context, { odId }: CallInput<'renew'>) =>
  inTransaction(ctx, async (tx) => {
    const [row] = await webhooks.lock(tx, [odId])
    const secret = newSecret()
    await tx.db
      .updateTable('outboxDestination')
      .set({ sealedSecret: seal(secret, tx.secrets)!, ...updatedColumns(tx) })
      .where('schoolId', '=', tx.actor.schoolId)
      .where('odId', '=', odId)
      .execute()
    await audit(tx, { action: '更换签名密钥', bizType: 'webhook', bizId: odId, bizName: row!.odName })
    return { odId, secret }
  })

/**
 * Sends a test event now, whatever waits, and says how it was answered. It is among the deliveries and is not repeated;
 * how the destination counts does not change by it.
 */
export async function testWebhook(ctx: Context, { odId }: CallInput<'test'>) {
  const row = await visibleWebhooks(ctx)
    .select(['odId', 'odName', 'odChannel', 'address', 'sealedSecret', 'settings', 'version'])
    .where('odId', '=', odId)
    .executeTakeFirst()
  if (!row) throw new Failure('not-found')
  const createTime = ctx.clock.now()
  const event = { dlId: newId(), eventId: newId(), eventKind: pingKind, eventData: { odId }, createTime }
  const sending = { ...row, ...event, ...toNobody, queueTime: createTime, attempts: 1 }
  const result = await attempt(ctx, sending)
  await inTransaction(ctx, async (tx) => {
    await tx.db
      .insertInto('outboxDelivery')
      .values({
        ...event,
        eventData: JSON.stringify(event.eventData),
        schoolId: tx.actor.schoolId,
        odId,
        dlStatus: result.isDelivered ? deliveryStatus.delivered : deliveryStatus.dead,
        attempts: 1,
        answerCode: result.code,
        answerText: result.text,
        lastTime: createTime,
        endTime: tx.clock.now(),
      })
      .execute()
    const after = { 结果: attemptText(result) }
    await audit(tx, { action: '发送测试事件', bizType: 'webhook', bizId: odId, bizName: row.odName, after })
  })
  const { isDelivered } = result
  return { isDelivered, text: `${isDelivered ? '已送达' : '未送达'}：${attemptText(result)}` }
}
