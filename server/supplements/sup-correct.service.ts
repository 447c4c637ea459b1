import type { Checked } from '../../contract/core/call.ts'
import { Failure, invalidInput } from '../../contract/core/failure.ts'
import { supApi } from '../../contract/supplements/supplements.calls.ts'
import { audit, changedFields } from '../core/audit.ts'
import type { Context } from '../core/context.ts'
import { assertVersion } from '../core/scope-check.ts'
import { updatedColumns } from '../core/stamp-columns.ts'
import { inTransaction } from '../core/transaction.ts'
import { recredit, type CreditKinds } from '../credits/recredit.service.ts'
import { creditRows } from './sup-rated.service.ts'
import { judge } from './sup-rating.ts'
import { supWorld } from './sup-world.queries.ts'
import { supFor } from './supplements.queries.ts'
import { notifyBoth } from './notify.service.ts'

/**
 * Corrects a credited record: what it gave is taken back by entries of the opposite value, and what it should have given is granted anew by
 * entries that follow those; the ledger keeps both. What had been cut because of it is reckoned anew. The record stays credited.
 */
export const correctSup = (
  ctx: Context,
  kinds: CreditKinds,
  { lisId, version, reason, ...given }: Checked<typeof supApi.correct>,
) =>
  inTransaction(ctx, async (tx) => {
    const sup = await supFor(tx, 'correct', lisId)
    assertVersion(sup, version)
    const wanted = {
      lisLevel: given.lisLevel,
      lisPartakeMode: given.lisPartakeMode,
      lisAward: given.lisAward ?? '',
      lisTeamSize: given.lisTeamSize ?? null,
      lisRank: given.lisRank ?? null,
      lisHoursDeclared: given.lisHoursDeclared ?? null,
    }
    const changes = changedFields<Record<string, unknown>>({ ...sup }, wanted)
    if (Object.keys(changes.after).length === 0) throw new Failure('sup-no-change')
    const { faults, esId, award, worth } = judge(await supWorld(tx), { ...sup, ...wanted }, sup)
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
      (await creditRows(tx, { ...sup, ...columns })).map((row) => ({
        ...row,
        explain: { ...row.explain, text: `更正：${row.explain.text}` },
      }))
    await recredit(tx, kinds, { bizId: lisId, suIds: [sup.suId], why: `更正：${reason}`, rows })
    await tx.db
      .updateTable('supplement')
      .set({ ...columns, ...updatedColumns(tx) })
      .where('schoolId', '=', tx.actor.schoolId)
      .where('lisId', '=', lisId)
      .execute()
    await audit(tx, {
      action: supApi.correct.summary,
      bizType: 'supplement',
      bizId: lisId,
      bizName: sup.lisName,
      reason,
      ...changes,
    })
    await notifyBoth(tx, sup, '已更正', `入账的学时、学分已按更正后的内容重新计算。原因：${reason}`)
    return { affected: 1 }
  })
