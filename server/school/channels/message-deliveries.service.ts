import { sql } from 'kysely'
import type { Checked } from '../../../contract/core/call.ts'
import { codesOf, labelIn } from '../../../contract/core/codes/code-list.ts'
import { deliveryStatus, messageChannel, messageKind } from '../../../contract/core/codes/platform.ts'
import { Failure } from '../../../contract/core/failure.ts'
import { resendable, type channelApi, type MessageDelivery } from '../../../contract/school/channels/channels.calls.ts'
import { auditMany } from '../../core/audit/audit.ts'
import { anyOf } from '../../core/database/any-of.ts'
import { code, count, moment, text } from '../../core/export/columns.ts'
import { exportList, inBatches } from '../../core/export/exports.ts'
import { asPage, countOf, offsetOf } from '../../core/database/paging.ts'
import { listOrder } from '../../core/database/sorting.ts'
import { from, withinSchool } from '../../core/database/tenant.ts'
import type { Context } from '../../core/request/context.ts'
import { inTransaction } from '../../core/request/transaction.ts'
import { isNamed } from '../organisation/person-columns.ts'

type CallInput<K extends keyof typeof channelApi> = Checked<(typeof channelApi)[K]>

const visibleDeliveries = (ctx: Context) =>
  from(ctx, 'outboxDelivery')
    .innerJoin('outboxDestination', withinSchool('outboxDestination.odId', 'outboxDelivery.odId'))
    .innerJoin('person', withinSchool('person.suId', 'outboxDelivery.suId'))
    .where('outboxDestination.odChannel', 'in', codesOf(messageChannel))

/** What the list may be sorted by. */
const sortable = {
  createTime: 'outboxDelivery.createTime',
  suiNumber: 'person.suiNumber',
  odName: 'outboxDestination.odName',
  dlStatus: 'outboxDelivery.dlStatus',
  messageKind: 'outboxDelivery.eventKind',
}

/** Those that a list finds. */
function matching(ctx: Context, input: Omit<CallInput<'deliveries'>, 'current' | 'pageSize'>) {
  let query = visibleDeliveries(ctx)
  if (input.odId) query = query.where('outboxDelivery.odId', '=', input.odId)
  if (input.suiName) query = query.where(isNamed(input.suiName))
  if (input.odChannel) query = query.where('outboxDestination.odChannel', '=', input.odChannel)
  if (input.messageKind) query = query.where('outboxDelivery.eventKind', '=', input.messageKind)
  if (input.dlStatus) query = query.where('outboxDelivery.dlStatus', '=', input.dlStatus)
  return query
}

/** They with what is shown of each. */
const shown = (query: ReturnType<typeof visibleDeliveries>) =>
  query
    .leftJoin('informationReceiver', withinSchool('informationReceiver.iurId', 'outboxDelivery.iurId'))
    .leftJoin('information', withinSchool('information.iiId', 'informationReceiver.iiId'))
    .select([
      'outboxDelivery.dlId',
      'outboxDelivery.odId',
      'outboxDestination.odName',
      'outboxDestination.odChannel',
      'outboxDelivery.eventKind as messageKind',
      'information.iiTitle as title',
      'person.suiName',
      'person.suiNumber',
      'outboxDelivery.target',
      'outboxDelivery.dlStatus',
      'outboxDelivery.attempts',
      'outboxDelivery.answerText',
      'outboxDelivery.createTime',
      'outboxDelivery.lastTime',
      'outboxDelivery.nextTime',
    ])

/** What went outside and what did not, with the reason; the latest first unless another order is asked for. */
export async function listMessageDeliveries(ctx: Context, input: CallInput<'deliveries'>) {
  const query = matching(ctx, input)
  const [rows, total] = await Promise.all([
    shown(query)
      .orderBy(listOrder(input, sortable, 'desc'))
      // of one second the later message, whose id is the later one
      .orderBy('outboxDelivery.eventId', 'desc')
      .orderBy('outboxDelivery.dlId')
      .offset(offsetOf(input))
      .limit(input.pageSize)
      .execute(),
    countOf(query),
  ])
  const records = rows.map((row) => ({
    ...row,
    title: row.title ?? '',
    can: isResendable(row) ? ['resend'] : [],
  })) as MessageDelivery[]
  return asPage(records, total, input)
}

const sheetColumns = [
  moment('时间', 'createTime'),
  text('姓名', 'suiName', 14),
  text('学工号', 'suiNumber', 16),
  text('通道', 'odName', 16),
  code('状态', 'delivery_status', 'dlStatus', 12),
  // of what has arrived the list tells no reason either
  text(
    '原因',
    (row: { dlStatus: string; answerText: string }) =>
      row.dlStatus === deliveryStatus.delivered ? '' : row.answerText,
    40,
  ),
  text('标题', 'title', 40),
  code('类型', 'message_kind', 'messageKind', 12),
  text('发往', 'target', 24),
  moment('最近发送', 'lastTime'),
  count('次数', 'attempts', 8),
]
const batch = 2000

/** The deliveries of the list as a workbook, the latest first: ids of events grow with time. */
export function exportMessageDeliveries(ctx: Context, input: CallInput<'exportDeliveries'>) {
  const rows = inBatches((last: { eventId: string; dlId: string } | undefined) => {
    let query = matching(ctx, input)
    if (last)
      query = query.where(
        sql<boolean>`("outboxDelivery"."eventId", "outboxDelivery"."dlId") < (${last.eventId}::uuid, ${last.dlId}::uuid)`,
      )
    return shown(query)
      .select('outboxDelivery.eventId')
      .orderBy('outboxDelivery.eventId', 'desc')
      .orderBy('outboxDelivery.dlId', 'desc')
      .limit(batch)
      .execute()
  })
  return exportList(ctx, { title: '消息发送记录', columns: sheetColumns, rows, filter: input })
}

/** A test is made anew, and the code of a recovery is asked for anew by its person. */
const isResendable = ({ dlStatus, messageKind: kind }: { dlStatus: string; messageKind: string }): boolean =>
  resendable.includes(dlStatus) && kind !== messageKind.test && kind !== messageKind.recovery

/** Has messages that have ended without arriving sent once more. */
export const resendMessages = (ctx: Context, { dlIds }: CallInput<'resend'>) =>
  inTransaction(ctx, async (tx) => {
    const rows = await visibleDeliveries(tx)
      .select([
        'outboxDelivery.dlId',
        'outboxDelivery.odId',
        'odName',
        'dlStatus',
        'outboxDelivery.eventKind as messageKind',
        'person.suiName',
      ])
      .where(anyOf('outboxDelivery.dlId', dlIds))
      .orderBy('outboxDelivery.dlId')
      .forUpdate('outboxDelivery')
      .execute()
    if (rows.length !== dlIds.length) throw new Failure('not-found')
    if (!rows.every(isResendable)) throw new Failure('message-not-resendable')
    await tx.db
      .updateTable('outboxDelivery')
      .set({
        dlStatus: deliveryStatus.waiting,
        attempts: 0,
        nextTime: null,
        endTime: null,
        answerText: '',
        queueTime: tx.clock.now(),
      })
      .where('schoolId', '=', tx.actor.schoolId)
      .where(anyOf('dlId', dlIds))
      .execute()
    await auditMany(
      tx,
      rows.map(({ odId, odName, suiName, messageKind: kind }) => ({
        action: '重新发送消息',
        bizType: 'messageChannel',
        bizId: odId,
        bizName: odName,
        after: { 人员: suiName, 类型: labelIn(messageKind, kind) },
      })),
    )
    return { affected: rows.length }
  })
