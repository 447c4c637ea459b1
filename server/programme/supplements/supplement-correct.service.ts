import type { Checked } from '../../../contract/core/call.ts'
import { supplementStatus } from '../../../contract/core/codes/programme.ts'
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
import { supplementFor, type ReachedSupplement } from './supplements.queries.ts'
import { notifyBoth } from './notify.service.ts'

/** What a record is rated by, as a correction tells it. */
type Correction = Pick<Checked<typeof supplementApi.correct>, 'lisLevel' | 'lisPartakeMode'> &
  Partial<Checked<typeof supplementApi.correct>>

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
    const { changes } = await correctFacts(tx, kinds, supplement, given, `更正：${reason}`)
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

/**
 * Rates a locked record by corrected facts. What it has given, if it is credited, is reversed and granted anew; before
 * that the ledger has nothing of it. Refused where nothing is corrected.
 * @returns what changed, and by how many hundredths of hours what the student has of it
 */
export async function correctFacts(
  ctx: Context,
  kinds: CreditKinds,
  supplement: ReachedSupplement,
  given: Correction,
  why: string,
): Promise<{ changes: ReturnType<typeof changedFields>; delta: number }> {
  const { lisId, suId } = supplement
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
  const { faults, esId, award, worth } = rateFacts(await supplementWorld(ctx), { ...supplement, ...wanted }, supplement)
  if (faults.length > 0) throw invalidInput(faults)
  const columns = {
    ...wanted,
    esId,
    lisAwardDetailId: award?.adId || null,
    lisHours: worth.hours,
    lisCredit: worth.credit,
    lisPoints: worth.points,
  }
  // before it is granted anew: rule, award and level are read from the row
  await ctx.db
    .updateTable('supplement')
    .set({ ...columns, ...updatedColumns(ctx) })
    .where('schoolId', '=', ctx.actor.schoolId)
    .where('lisId', '=', lisId)
    .execute()
  const rows = async () =>
    (await creditRows(ctx, { ...supplement, ...columns })).map((row) => ({
      ...row,
      explain: { ...row.explain, text: `更正：${row.explain.text}` },
    }))
  const delta =
    supplement.lisStatus === supplementStatus.credited
      ? ((await recredit(ctx, kinds, { bizId: lisId, suIds: [suId], why, rows })).get(suId) ?? 0)
      : 0
  return { changes, delta }
}
