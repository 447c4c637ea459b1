import { sql } from 'kysely'
import type { Checked } from '../../../contract/core/call.ts'
import { deliveryStatus, outboxChannel } from '../../../contract/core/codes/platform.ts'
import { Failure } from '../../../contract/core/failure.ts'
import { eventLabel } from '../../../contract/platform/outbox/events.ts'
import { redeliverable, type webhookApi } from '../../../contract/school/integration/webhooks.calls.ts'
import { auditMany } from '../../core/audit/audit.ts'
import { anyOf } from '../../core/database/any-of.ts'
import { asPage, countOf, likeText, offsetOf } from '../../core/database/paging.ts'
import { code, count, moment, text } from '../../core/export/columns.ts'
import { exportList, inBatches } from '../../core/export/exports.ts'
import { listOrder } from '../../core/database/sorting.ts'
import { from, withinSchool } from '../../core/database/tenant.ts'
import type { Context } from '../../core/request/context.ts'
import { inTransaction } from '../../core/request/transaction.ts'
import { bodyOf } from '../../platform/outbox/deliver.service.ts'

type CallInput<K extends keyof typeof webhookApi> = Checked<(typeof webhookApi)[K]>

const visibleDeliveries = (ctx: Context) =>
  from(ctx, 'outboxDelivery')
    .innerJoin('outboxDestination', withinSchool('outboxDestination.odId', 'outboxDelivery.odId'))
    .where('outboxDestination.odChannel', '=', outboxChannel.webhook)

const columns = [
  'outboxDelivery.dlId',
  'outboxDelivery.odId',
  'outboxDestination.odName',
  'outboxDelivery.eventId',
  'outboxDelivery.eventKind',
  'outboxDelivery.dlStatus',
  'outboxDelivery.attempts',
  'outboxDelivery.nextTime',
  'outboxDelivery.answerCode',
  'outboxDelivery.answerText',
  'outboxDelivery.lastTime',
  'outboxDelivery.createTime',
] as const

/** What the list may be sorted by. */
const sortable = {
  createTime: 'outboxDelivery.createTime',
  odName: 'outboxDestination.odName',
  dlStatus: 'outboxDelivery.dlStatus',
  attempts: 'outboxDelivery.attempts',
}

/** Those that a list finds. */
function matching(ctx: Context, input: Omit<CallInput<'deliveries'>, 'current' | 'pageSize'>) {
  let query = visibleDeliveries(ctx)
  if (input.odId) query = query.where('outboxDelivery.odId', '=', input.odId)
  if (input.odName) query = query.where('outboxDestination.odName', 'like', likeText(input.odName))
  if (input.dlStatus) query = query.where('outboxDelivery.dlStatus', '=', input.dlStatus)
  if (input.eventKind) query = query.where('outboxDelivery.eventKind', '=', input.eventKind)
  return query
}

/** Deliveries, the latest first unless another order is asked for. */
export async function listDeliveries(ctx: Context, input: CallInput<'deliveries'>) {
  const query = matching(ctx, input)
  const total = await countOf(query)
  const rows = await query
    .select(columns)
    .orderBy(listOrder(input, sortable, 'desc'))
    .orderBy('outboxDelivery.dlId')
    .offset(offsetOf(input))
    .limit(input.pageSize)
    .execute()
  return asPage(rows.map(onWire), total, input)
}

const sheetColumns = [
  moment('发生时间', 'createTime'),
  text('事件', (row: { eventKind: string }) => eventLabel(row.eventKind), 20),
  text('编号', 'eventId', 38),
  text('推送', 'odName', 20),
  code('状态', 'delivery_status', 'dlStatus', 12),
  count('次数', 'attempts', 8),
  count('HTTP 状态码', 'answerCode', 12),
  text('答复', 'answerText', 40),
  moment('最近投递', 'lastTime'),
  moment('下次投递', 'nextTime'),
]
const batch = 2000

/** The deliveries of the list as a workbook, the latest first: ids of events grow with time. */
export function exportDeliveries(ctx: Context, input: CallInput<'exportDeliveries'>) {
  const rows = inBatches((last: { eventId: string; dlId: string } | undefined) => {
    let query = matching(ctx, input)
    if (last)
      query = query.where(
        sql<boolean>`("outboxDelivery"."eventId", "outboxDelivery"."dlId") < (${last.eventId}::uuid, ${last.dlId}::uuid)`,
      )
    return query
      .select(columns)
      .orderBy('outboxDelivery.eventId', 'desc')
      .orderBy('outboxDelivery.dlId', 'desc')
      .limit(batch)
      .execute()
  })
  return exportList(ctx, { title: '投递记录', columns: sheetColumns, rows, filter: input })
}

/** One delivery with what was sent. */
export async function deliveryDetail(ctx: Context, { dlId }: CallInput<'delivery'>) {
  const row = await visibleDeliveries(ctx)
    .select([...columns, 'outboxDelivery.eventData', 'outboxDestination.address'])
    .where('outboxDelivery.dlId', '=', dlId)
    .executeTakeFirst()
  if (!row) throw new Failure('not-found')
  const { eventData, ...rest } = row
  return { ...onWire(rest), body: bodyOf(row) }
}

function onWire<R extends { eventKind: string; dlStatus: string; answerText: string }>(row: R) {
  const can: 'redeliver'[] = redeliverable.includes(row.dlStatus) ? ['redeliver'] : []
  return { ...row, dlStatus: row.dlStatus as never, kindName: eventLabel(row.eventKind), can }
}

/**
 * Has deliveries that have ended sent once more, under the id they had: the receiver sees that it is the same event.
 */
export const redeliver = (ctx: Context, { dlIds }: CallInput<'redeliver'>) =>
  inTransaction(ctx, async (tx) => {
    const rows = await visibleDeliveries(tx)
      .select(['outboxDelivery.dlId', 'outboxDelivery.odId', 'odName', 'dlStatus', 'eventKind', 'eventId'])
      .where(anyOf('outboxDelivery.dlId', dlIds))
      .orderBy('outboxDelivery.dlId')
      .forUpdate('outboxDelivery')
      .execute()
    if (rows.length !== dlIds.length) throw new Failure('not-found')
    if (rows.some(({ dlStatus }) => !redeliverable.includes(dlStatus))) throw new Failure('delivery-under-way')
    await tx.db
      .updateTable('outboxDelivery')
      .set({ dlStatus: deliveryStatus.waiting, attempts: 0, nextTime: null, endTime: null })
      .where('schoolId', '=', tx.actor.schoolId)
      .where(anyOf('dlId', dlIds))
      .execute()
    await auditMany(
      tx,
      rows.map(({ odId, odName, eventKind, eventId }) => ({
        action: '重新投递',
        bizType: 'webhook',
        bizId: odId,
        bizName: odName,
        after: { 事件: eventLabel(eventKind), 编号: eventId },
      })),
    )
    return { affected: rows.length }
  })
