import type { Checked } from '../../../contract/core/call.ts'
import { Failure, invalidInput } from '../../../contract/core/failure.ts'
import { supplementApi } from '../../../contract/programme/supplements/supplements.calls.ts'
import { audit, changedFields } from '../../core/audit/audit.ts'
import type { Context } from '../../core/request/context.ts'
import { assertVersion } from '../../core/request/scope-check.ts'
import { updatedColumns } from '../../core/request/stamp-columns.ts'
import { inTransaction } from '../../core/request/transaction.ts'
import { recredit, type CreditKinds } from '../credits/recredit.service.ts'
import { creditRows } from './supplement-rated.service.ts'
import { rateFacts } from './supplement-rating.ts'
import { supplementWorld } from './supplement-lookups.queries.ts'
import { supplementFor } from './supplements.queries.ts'
import { notifyBoth } from './notify.service.ts'

/**
 * Corrects a credited record: what it gave is taken back by entries of the opposite value, and what it should have
 * given is granted anew by entries that follow those; the ledger keeps both. What had been cut because of it is
 * recalculated. The record stays credited.
 */
export const correctSupplement = (
  ctx: Context,
  kinds: CreditKinds,
  { lisId, version, reason, ...given }: Checked<typeof supplementApi.correct>,
) =>
  inTransaction(ctx, async (tx) => {
    const supplement = await supplementFor(tx, 'correct', lisId)
    assertVersion(tx, supplement, version)
    const wanted = {
      lisLevel: given.lisLevel,
      lisPartakeMode: given.lisPartakeMode,
      lisAward: given.lisAward ?? '',
      lisTeamSize: given.lisTeamSize ?? null,
      lisRank: given.lisRank ?? null,
      lisHoursDeclared: given.lisHoursDeclared ?? null,
    }
    const changes = changedFields<Record<string, unknown>>({ ...supplement }, wanted)
    if (Object.keys(changes.after).length === 0) throw new Failure('sup-no-change')
    const { faults, esId, award, worth } = rateFacts(
      await supplementWorld(tx),
      { ...supplement, ...wanted },
      supplement,
    )
    if (faults.length > 0) throw invalidInput(faults)
    const columns = {
      ...wanted,
      esId,
      lisAwardDetailId: award?.adId || null,
      lisHours: worth.hours,
      lisCredit: worth.credit,
      lisPoints: worth.points,
    }
    const rows = async () =>
      (await creditRows(tx, { ...supplement, ...columns })).map((row) => ({
        ...row,
        explain: { ...row.explain, text: `更正：${row.explain.text}` },
      }))
    await recredit(tx, kinds, { bizId: lisId, suIds: [supplement.suId], why: `更正：${reason}`, rows })
    await tx.db
      .updateTable('supplement')
      .set({ ...columns, ...updatedColumns(tx) })
      .where('schoolId', '=', tx.actor.schoolId)
      .where('lisId', '=', lisId)
      .execute()
    await audit(tx, {
      action: supplementApi.correct.summary,
      bizType: 'supplement',
      bizId: lisId,
      bizName: supplement.lisName,
      reason,
      ...changes,
    })
    await notifyBoth(tx, supplement, '已更正', `入账的学时、学分已按更正后的内容重新计算。原因：${reason}`)
    return { affected: 1 }
  })
