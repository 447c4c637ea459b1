import { yesNo } from '../../../contract/core/codes/platform.ts'
import { anyOf } from '../../core/database/any-of.ts'
import type { CreditKind } from '../credits/recredit.service.ts'
import { supplementTurns } from './supplement-life.ts'
import { creditRows, occurTimeOf } from './supplement-rated.service.ts'

/** Supplement records, as far as the ledger corrects itself. */
export const supplementCredit: CreditKind = {
  bizType: 'supplement',
  async standing({ db, actor }, bizIds) {
    const rows = await db
      .selectFrom('supplement')
      .select(['lisId', 'lisName', 'lisObtainDate'])
      .where('schoolId', '=', actor.schoolId)
      .where(anyOf('lisId', bizIds))
      .where('lisStatus', '=', supplementTurns.completed.to)
      .where('delFlag', '=', yesNo.no)
      .execute()
    return rows.map((row) => ({ bizId: row.lisId, bizName: row.lisName, occurTime: occurTimeOf(row) }))
  },
  async rows(ctx, lisId, suIds) {
    const supplement = await ctx.db
      .selectFrom('supplement')
      .selectAll()
      .where('schoolId', '=', ctx.actor.schoolId)
      .where('lisId', '=', lisId)
      .executeTakeFirstOrThrow()
    return suIds.includes(supplement.suId) ? creditRows(ctx, supplement) : []
  },
}
