import { from } from '../../core/database/tenant.ts'
import { anyOf } from '../../core/database/any-of.ts'
import type { CreditKind } from '../credits/recredit.service.ts'
import { supplementTransitions } from './supplement-life.ts'
import { creditRows, occurTimeOf } from './supplement-rated.service.ts'

/** Supplement records, as far as the ledger corrects itself. */
export const supplementCredit: CreditKind = {
  bizType: 'supplement',
  async standing(ctx, bizIds) {
    const rows = await from(ctx, 'supplement')
      .select(['lisId', 'lisName', 'lisObtainDate'])
      .where(anyOf('lisId', bizIds))
      .where('lisStatus', '=', supplementTransitions.completed.to)
      .execute()
    return rows.map((row) => ({ bizId: row.lisId, bizName: row.lisName, occurTime: occurTimeOf(row) }))
  },
  async rows(ctx, lisId, suIds) {
    const supplement = await from(ctx, 'supplement').selectAll().where('lisId', '=', lisId).executeTakeFirstOrThrow()
    return suIds.includes(supplement.suId) ? creditRows(ctx, supplement) : []
  },
}
