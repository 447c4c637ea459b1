import { enableStatus } from '../../../contract/core/codes/platform.ts'
import { Failure } from '../../../contract/core/failure.ts'
import { auditMany } from '../../core/audit/audit.ts'
import { anyOf } from '../../core/database/any-of.ts'
import { from } from '../../core/database/tenant.ts'
import { inLockedTransaction } from '../../core/request/advisory-lock.ts'
import type { Context } from '../../core/request/context.ts'
import { updatedColumns } from '../../core/request/stamp-columns.ts'
import { inTransaction } from '../../core/request/transaction.ts'

/** What destinations of a kind are called, on their screen and on the trail. */
interface DestinationKind {
  /** The channels that are of this kind. */
  channels: readonly string[]
  bizType: 'webhook' | 'messageChannel'
  what: string
}

/** What is done alike to all kinds of destinations of the outbox. */
export function destinationsOf({ channels, bizType, what }: DestinationKind) {
  const visible = (ctx: Context) => from(ctx, 'outboxDestination').where('odChannel', 'in', channels)

  /** These destinations, held until the transaction ends. @throws Failure `not-found` where one of them is none */
  async function lock(ctx: Context, odIds: string[]) {
    const rows = await visible(ctx)
      .select(['odId', 'odName', 'address', 'enable'])
      .where(anyOf('odId', odIds))
      .orderBy('odId')
      .forUpdate()
      .execute()
    if (rows.length !== odIds.length) throw new Failure('not-found')
    return rows
  }

  /**
   * A transaction in which a destination gets its name: whoever names another one of the school waits for its end, for
   * names and their number are looked at before they are written.
   */
  const inNaming = <R>(ctx: Context, work: (tx: Context) => Promise<R>): Promise<R> =>
    inLockedTransaction(ctx, bizType, work)

  /** @throws Failure `name-taken` where another one has the name */
  async function checkName(ctx: Context, odName: string, except?: string): Promise<void> {
    let query = visible(ctx).select('odId').where('odName', '=', odName)
    if (except) query = query.where('odId', '!=', except)
    if (await query.executeTakeFirst()) throw new Failure('name-taken', { what, name: odName })
  }

  /** Switches some on or off. What happens while one is off is not kept for it. */
  const enable = (ctx: Context, { odIds, enable: to }: { odIds: string[]; enable: string }) =>
    inTransaction(ctx, async (tx) => {
      const rows = await lock(tx, odIds)
      await tx.db
        .updateTable('outboxDestination')
        .set({ enable: to, ...updatedColumns(tx), pausedUntil: null })
        .where('schoolId', '=', tx.actor.schoolId)
        .where(anyOf('odId', odIds))
        .execute()
      await auditMany(
        tx,
        rows.map(({ odId, odName, enable: was }) => ({
          action: `${to === enableStatus.enabled ? '启用' : '停用'}${what}`,
          bizType,
          bizId: odId,
          bizName: odName,
          before: { enable: was },
          after: { enable: to },
        })),
      )
      return { affected: rows.length }
    })

  /** Removes some with what went out to them. */
  const remove = (ctx: Context, { odIds }: { odIds: string[] }) =>
    inTransaction(ctx, async (tx) => {
      const rows = await lock(tx, odIds)
      await tx.db
        .deleteFrom('outboxDestination')
        .where('schoolId', '=', tx.actor.schoolId)
        .where(anyOf('odId', odIds))
        .execute()
      await auditMany(
        tx,
        rows.map(({ odId, odName, address }) => ({
          action: `删除${what}`,
          bizType,
          bizId: odId,
          bizName: odName,
          before: { odName, address },
        })),
      )
      return { affected: rows.length }
    })

  return { visible, lock, inNaming, checkName, enable, remove }
}
