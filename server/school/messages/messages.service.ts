import { sql } from 'kysely'
import type { Checked } from '../../../contract/core/call.ts'
import { messageType, yesNo } from '../../../contract/core/codes/platform.ts'
import { Failure } from '../../../contract/core/failure.ts'
import { recallMinutes, type messageApi } from '../../../contract/school/messages/messages.calls.ts'
import { anyOf } from '../../core/database/any-of.ts'
import { audit, auditMany } from '../../core/audit/audit.ts'
import type { Context } from '../../core/request/context.ts'
import { takeQuota } from '../../core/request/quotas.ts'
import { countOf } from '../../core/database/paging.ts'
import { from } from '../../core/database/tenant.ts'
import { inTransaction } from '../../core/request/transaction.ts'
import { mayRecall } from './messages.queries.ts'
import { deliver } from '../../platform/notifications/notify.service.ts'
import { reachedBy } from './receivers.queries.ts'
import { signalInboxes } from '../../platform/notifications/signal.ts'

type CallInput<K extends keyof typeof messageApi> = Checked<(typeof messageApi)[K]>

/** Sends a message to people, classes and roles within reach: one of them out of reach, and nobody gets it. */
export const sendMessage = (ctx: Context, { iiTitle, iiContent, ...targets }: CallInput<'send'>) =>
  inTransaction(ctx, async (tx) => {
    const suIds = await reachedBy(tx, targets)
    const iiId = await deliver(tx, suIds, {
      iiTitle,
      iiContent,
      iiType: messageType.manual,
      bizType: '',
      bizId: '',
      link: '',
      createBy: tx.actor.suId,
      createName: tx.actor.suNickname,
    })
    await takeQuota(tx, tx.actor.schoolId, 'messages', suIds.length)
    await audit(tx, {
      action: '发送消息',
      bizType: 'information',
      bizId: iiId!,
      bizName: iiTitle,
      after: {
        iiTitle,
        iiContent,
        receivers: suIds.length,
        classes: targets.classIds.length,
        roles: targets.srIds.length,
      },
    })
    return { iiId: iiId!, affected: suIds.length }
  })

/**
 * Takes a message back: unread copies leave their inboxes, those who have read it see that it was taken back. Whoever
 * reads it in this very moment has read it: their copy is locked by one of the two.
 */
export const recallMessage = (ctx: Context, { iiId }: CallInput<'recall'>) =>
  inTransaction(ctx, async (tx) => {
    const { db, actor, clock } = tx
    const row = await from({ db, actor }, 'information')
      .select(['iiTitle', 'recalled', 'sendTime'])
      .where('iiId', '=', iiId)
      .where('createBy', '=', actor.suId)
      .forUpdate()
      .executeTakeFirst()
    if (!row) throw new Failure('not-found')
    if (row.recalled === yesNo.yes) throw new Failure('recalled-already')
    if (!mayRecall(row, clock.now())) throw new Failure('recall-late', { n: recallMinutes })
    await db
      .updateTable('information')
      .set({ recalled: yesNo.yes })
      .where('schoolId', '=', actor.schoolId)
      .where('iiId', '=', iiId)
      .execute()
    const vanished = await db
      .updateTable('informationReceiver')
      .set({ inboxDeleted: yesNo.yes })
      .where('schoolId', '=', actor.schoolId)
      .where('iiId', '=', iiId)
      .where('isRead', '=', yesNo.no)
      .where('inboxDeleted', '=', sql.lit(yesNo.no))
      .executeTakeFirst()
    const unread = Number(vanished.numUpdatedRows)
    await audit(tx, {
      action: '撤回消息',
      bizType: 'information',
      bizId: iiId,
      bizName: row.iiTitle,
      before: { recalled: yesNo.no },
      after: { recalled: yesNo.yes, unread },
    })
    await signalInboxes(tx)
    return { affected: 1, unread }
  })

/**
 * Marks messages as read by whoever asks; those read already stay as they were, with their first time of reading. No
 * audit: it changes nothing but the reader's own mark, which tells when.
 */
export const markRead = (ctx: Context, { iiIds }: CallInput<'read'>) =>
  inTransaction(ctx, async (tx) => {
    const { db, actor, clock } = tx
    const own = from({ db, actor }, 'informationReceiver').where('suId', '=', actor.suId).where(anyOf('iiId', iiIds))
    if ((await countOf(own)) !== iiIds.length) throw new Failure('not-found')
    const changed = await db
      .updateTable('informationReceiver')
      .set({ isRead: yesNo.yes, readTime: clock.now() })
      .where('schoolId', '=', actor.schoolId)
      .where('suId', '=', actor.suId)
      .where(anyOf('iiId', iiIds))
      .where('isRead', '=', yesNo.no)
      .where('inboxDeleted', '=', sql.lit(yesNo.no))
      .executeTakeFirst()
    await signalInboxes(tx)
    return { affected: Number(changed.numUpdatedRows) }
  })

/**
 * Takes messages out of the caller's inbox, or out of their outbox. The other side keeps its copies; deleting again
 * changes nothing.
 */
export const removeMessages = (ctx: Context, { iurIds, outbox }: CallInput<'remove'>) =>
  inTransaction(ctx, async (tx) => {
    const removed = outbox ? await removeSent(tx, iurIds) : await removeReceived(tx, iurIds)
    const action = outbox ? '删除已发送的消息' : '删除消息'
    if (!outbox) await signalInboxes(tx)
    await auditMany(
      tx,
      removed.map((bizId) => ({ action, bizType: 'information', bizId })),
    )
    return { affected: removed.length }
  })

async function removeReceived({ db, actor }: Context, iurIds: string[]): Promise<string[]> {
  const own = from({ db, actor }, 'informationReceiver').where('suId', '=', actor.suId).where(anyOf('iurId', iurIds))
  if ((await countOf(own)) !== iurIds.length) throw new Failure('not-found')
  const rows = await db
    .updateTable('informationReceiver')
    .set({ inboxDeleted: yesNo.yes })
    .where('schoolId', '=', actor.schoolId)
    .where('suId', '=', actor.suId)
    .where(anyOf('iurId', iurIds))
    .where('inboxDeleted', '=', sql.lit(yesNo.no))
    .returning('iiId')
    .execute()
  return rows.map(({ iiId }) => iiId)
}

async function removeSent({ db, actor }: Context, iiIds: string[]): Promise<string[]> {
  const own = from({ db, actor }, 'information').where('createBy', '=', actor.suId).where(anyOf('iiId', iiIds))
  if ((await countOf(own)) !== iiIds.length) throw new Failure('not-found')
  const rows = await db
    .updateTable('information')
    .set({ outboxDeleted: yesNo.yes })
    .where('schoolId', '=', actor.schoolId)
    .where('createBy', '=', actor.suId)
    .where(anyOf('iiId', iiIds))
    .where('outboxDeleted', '=', sql.lit(yesNo.no))
    .returning('iiId')
    .execute()
  return rows.map(({ iiId }) => iiId)
}
