import { sql } from 'kysely'
import { yesNo } from '../../../contract/core/codes/platform.ts'
import { creditType, publictyStatus } from '../../../contract/core/codes/programme.ts'
import { fromHundredths } from '../../../contract/core/fields.ts'
import { audit } from '../../core/audit/audit.ts'
import type { Context } from '../../core/request/context.ts'
import { systemContext, type JobServices } from '../../core/request/system.ts'
import { from, ofWorkingSchool } from '../../core/database/tenant.ts'
import { inTransaction } from '../../core/request/transaction.ts'
import { grant } from '../credits/ledger.service.ts'
import { hasOpenDisputes } from '../credits/open-disputes.queries.ts'
import { creditRows } from './supplement-rated.service.ts'
import { supplementTransitions } from './supplement-life.ts'
import { isQuestioned } from './supplements.queries.ts'
import { notifyBoth } from './notify.service.ts'

/** Records credited in one run; what is left comes next minute. */
const batchSize = 500

/**
 * A recurring job: credits records whose public notice is over. One transaction a record, so that a record is credited
 * wholly or not at all; a record that another runner has in hand is left to it. A failing record is told in the log and
 * tried again next time.
 * @param only one school instead of all
 * @returns how many were credited
 */
export async function completeSupplements(services: JobServices, only?: string): Promise<number> {
  const { from } = supplementTransitions.completed
  let query = services.db
    .selectFrom('supplement')
    .select(['schoolId', 'lisId'])
    .where('lisStatus', '=', sql.lit(from))
    .where('lisPublictyEdate', '<', services.clock.now())
    .where('delFlag', '=', sql.lit(yesNo.no))
    // those of which a question waits do not hold up the others
    .where((not) => not.not(isQuestioned))
    .where(ofWorkingSchool('supplement'))
  if (only) query = query.where('schoolId', '=', only)
  const due = await query.orderBy('lisPublictyEdate').orderBy('lisId').limit(batchSize).execute()
  let completed = 0
  for (const { schoolId, lisId } of due) {
    const ctx = systemContext(services, schoolId)
    try {
      if (await completeSupplement(ctx, lisId)) completed++
    } catch (err) {
      ctx.log.error({ err, schoolId, lisId }, 'a supplement record could not be credited')
    }
  }
  return completed
}

function completeSupplement(ctx: Context, lisId: string): Promise<boolean> {
  return inTransaction(ctx, async (tx) => {
    const { schoolId } = tx.actor
    const transition = supplementTransitions.completed
    const supplement = await from(tx, 'supplement')
      .selectAll()
      .where('lisId', '=', lisId)
      .where('lisStatus', '=', transition.from)
      .where('lisPublictyEdate', '<', tx.clock.now())
      .forUpdate()
      .skipLocked()
      .executeTakeFirst()
    // asked in a statement of its own, now that nobody can question the record any more until this ends
    if (!supplement || (await hasOpenDisputes(tx, schoolId, [lisId]))) return false
    const rows = await creditRows(tx, supplement)
    const entries = await grant(tx, schoolId, rows)
    const now = tx.clock.now()
    await tx.db
      .updateTable('supplement')
      .set({
        lisStatus: transition.to,
        lisPublictyStatus: publictyStatus.ended,
        completeTime: now,
        updateTime: now,
        version: sql<number>`version + 1`,
      })
      .where('schoolId', '=', schoolId)
      .where('lisId', '=', lisId)
      .execute()
    await audit(tx, {
      action: '补录入账',
      bizType: 'supplement',
      bizId: lisId,
      bizName: supplement.lisName,
      before: { lisStatus: transition.from },
      after: { lisStatus: transition.to, entries },
    })
    const hours = rows.find(({ clType }) => clType === creditType.hours)?.clValue ?? 0
    await notifyBoth(tx, supplement, '已入账', `公示期满，已记入 ${fromHundredths(hours)} 学时，可在成绩单中查看。`)
    return true
  })
}
