import { sql } from 'kysely'
import type { Checked } from '../../../contract/core/call.ts'
import { yesNo } from '../../../contract/core/codes/platform.ts'
import { approvalStatus, publictyStatus, supplementStatus } from '../../../contract/core/codes/programme.ts'
import { Failure } from '../../../contract/core/failure.ts'
import { fromHundredths } from '../../../contract/core/fields.ts'
import { supplementApi } from '../../../contract/programme/supplements/supplements.calls.ts'
import { endApproval } from '../approvals/approvals.service.ts'
import { anyOf } from '../../core/database/any-of.ts'
import { audit, auditMany } from '../../core/audit/audit.ts'
import { recordset } from '../../core/database/bulk.ts'
import type { Context } from '../../core/request/context.ts'
import { updatedColumns } from '../../core/request/stamp-columns.ts'
import { from } from '../../core/database/tenant.ts'
import { inTransaction } from '../../core/request/transaction.ts'
import { hasOpenDisputes } from '../credits/open-disputes.queries.ts'
import { recredit, type CreditKinds } from '../credits/recredit.service.ts'
import { assertCredentialsFree } from './supplement-credential.service.ts'
import { refusalOf, removalOf, assertMove, restoredStatus } from './supplement-life.ts'
import {
  lockSupplements,
  reachSupplement,
  supplementAuthorities,
  type ReachedSupplement,
} from './supplements.queries.ts'
import { notifyBoth } from './notify.service.ts'

type Input = Checked<typeof supplementApi.remove>

/** Deletes records, or brings deleted ones back; all or none. */
export const editSupplements = (ctx: Context, kinds: CreditKinds, input: Input) =>
  input.delFlag === yesNo.yes ? removeSupplements(ctx, kinds, input) : restoreSupplements(ctx, input)

/** Proofs stay with a deleted record: it may be restored, and what was credited must be proved for ever. */
function removeSupplements(ctx: Context, kinds: CreditKinds, { lisId: lisIds, reverse, reason }: Input) {
  return inTransaction(ctx, async (tx) => {
    // approvals are locked before records, as deciders do
    for (const lisId of await underApproval(tx, lisIds)) {
      await mayRemove(tx, lisId)
      await endApproval(tx, 'supplement', lisId)
    }
    const supplements = await lockSupplements(tx, lisIds)
    // one that was submitted while this waited for its record has an approval that was not seen above
    if (supplements.some(({ lisStatus }) => lisStatus === supplementStatus.inReview))
      for (const lisId of await underApproval(tx, lisIds)) await endApproval(tx, 'supplement', lisId)
    const authority = supplementAuthorities(tx.actor)
    for (const supplement of supplements) {
      const act = removalOf(supplement.lisStatus)
      const refusal = refusalOf(act, supplement, authority(supplement))
      if (act === 'reverse' && !reverse)
        throw new Failure(refusal === 'not-permitted' ? 'not-permitted' : 'sup-credited')
      assertMove(act, supplement, authority(supplement))
      if (act === 'reverse' && (reason ?? '').length < 5) throw new Failure('sup-reason-needed')
    }
    // asked in a statement of its own, now that nobody can question them any more until this ends
    if (await hasOpenDisputes(tx, tx.actor.schoolId, lisIds)) throw new Failure('sup-questioned')
    await removeLocked(tx, kinds, supplements, reason ?? '')
    return { affected: supplements.length }
  })
}

/**
 * Deletes locked records: credited ones with the reversal of what they gave.
 * @returns by how many hundredths of hours the totals of their students changed, by record
 */
export async function removeLocked(
  ctx: Context,
  kinds: CreditKinds,
  supplements: readonly ReachedSupplement[],
  reason: string,
): Promise<Map<string, number>> {
  await ctx.db
    .updateTable('supplement')
    .set({
      lisStatus: supplementStatus.deleted,
      delFlag: yesNo.yes,
      statusBefore: sql<string>`"lisStatus"`,
      ...updatedColumns(ctx),
    })
    .where('schoolId', '=', ctx.actor.schoolId)
    .where(
      anyOf(
        'lisId',
        supplements.map(({ lisId }) => lisId),
      ),
    )
    .execute()
  // none of them stands any more when what had been cut is recalculated
  const deltas = new Map<string, number>()
  for (const supplement of supplements.filter(({ lisStatus }) => lisStatus === supplementStatus.credited))
    deltas.set(supplement.lisId, await reverseSupplement(ctx, kinds, supplement, reason))
  await auditMany(
    ctx,
    supplements.map(({ lisId, lisName, lisStatus }) => ({
      action: lisStatus === supplementStatus.credited ? '冲正并删除补录' : supplementApi.remove.summary,
      bizType: 'supplement',
      bizId: lisId,
      bizName: lisName,
      reason,
      before: { lisStatus },
      after: { lisStatus: supplementStatus.deleted },
    })),
  )
  return deltas
}

async function underApproval(ctx: Context, lisIds: readonly string[]): Promise<string[]> {
  const rows = await from(ctx, 'approval')
    .select('bizId')
    .where('bizType', '=', 'supplement')
    .where('insStatus', '=', approvalStatus.running)
    .where(anyOf('bizId', lisIds))
    .orderBy('insId')
    .execute()
  return rows.map(({ bizId }) => bizId)
}

/** Refuses before anything is locked; the record is checked again once it is. */
async function mayRemove(ctx: Context, lisId: string): Promise<void> {
  const supplement = await reachSupplement(ctx, lisId)
  assertMove(removalOf(supplement.lisStatus), supplement, supplementAuthorities(ctx.actor)(supplement))
}

/** Takes back what a record has given, and tells those who should know. */
async function reverseSupplement(
  ctx: Context,
  kinds: CreditKinds,
  supplement: ReachedSupplement,
  reason: string,
): Promise<number> {
  const hours =
    (
      await recredit(ctx, kinds, {
        bizId: supplement.lisId,
        suIds: [supplement.suId],
        why: `补录已删除：${reason}`,
        rows: async () => [],
      })
    ).get(supplement.suId) ?? 0
  await audit(ctx, {
    action: '冲正补录学时',
    bizType: 'supplement',
    bizId: supplement.lisId,
    bizName: supplement.lisName,
    reason,
    after: { hours: fromHundredths(hours) },
  })
  await notifyBoth(ctx, supplement, '已冲正', `已入账的学时、学分已冲回。原因：${reason}`)
  return hours
}

function restoreSupplements(ctx: Context, { lisId: lisIds }: Input) {
  return inTransaction(ctx, async (tx) => {
    const supplements = await lockSupplements(tx, lisIds)
    const authority = supplementAuthorities(tx.actor)
    for (const supplement of supplements) assertMove('restore', supplement, authority(supplement))
    await assertCredentialsFree(tx, lisIds)
    const rows = supplements.map(({ lisId, lisName, statusBefore }) => ({
      lisId,
      lisName,
      lisStatus: restoredStatus(statusBefore) as string,
    }))
    await sql`
      update "supplement" t
      set "lisStatus" = r."lisStatus",
        "delFlag" = '0',
        "statusBefore" = '',
        "lisPublictyStatus" = case
          when t."lisPublictyStatus" = ${sql.lit(publictyStatus.running)} then ${sql.lit(publictyStatus.revoked)}
          else t."lisPublictyStatus"
        end,
        "lisPublictySdate" = case
          when t."lisPublictyStatus" = ${sql.lit(publictyStatus.running)} then null
          else t."lisPublictySdate"
        end,
        "lisPublictyEdate" = case
          when t."lisPublictyStatus" = ${sql.lit(publictyStatus.running)} then null
          else t."lisPublictyEdate"
        end,
        "updateBy" = ${tx.actor.suId}::uuid,
        "updateTime" = ${tx.clock.now()}::timestamptz,
        "version" = t."version" + 1
      from
      ${recordset(
        rows.map(({ lisId, lisStatus }) => ({ lisId, lisStatus })),
        { lisId: 'uuid', lisStatus: 'text' },
      )}
      where t."schoolId" = ${tx.actor.schoolId} and t."lisId" = r."lisId"`.execute(tx.db)
    await auditMany(
      tx,
      rows.map(({ lisId, lisName, lisStatus }) => ({
        action: '恢复补录',
        bizType: 'supplement',
        bizId: lisId,
        bizName: lisName,
        before: { lisStatus: supplementStatus.deleted },
        after: { lisStatus },
      })),
    )
    return { affected: rows.length }
  })
}
