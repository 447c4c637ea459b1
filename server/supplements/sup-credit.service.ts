import { anyOf } from '../core/any-of.ts'
import type { CreditKind } from '../credits/recredit.service.ts'
import { supTurns } from './sup-life.ts'
import { creditRows, occurTimeOf } from './sup-rated.service.ts'

/** Supplement records, as far as the ledger corrects itself. */
export const supCredit: CreditKind = {
  bizType: 'supplement',
  async standing({ db, actor }, bizIds) {
    const rows = await db
      .selectFrom('supplement')
      .select(['lisId', 'lisName', 'lisObtainDate'])
      .where('schoolId', '=', actor.schoolId)
      .where(anyOf('lisId', bizIds))
      .where('lisStatus', '=', supTurns.completed.to)
      .where('delFlag', '=', '0')
      .execute()
    return rows.map((row) => ({ bizId: row.lisId, bizName: row.lisName, occurTime: occurTimeOf(row) }))
  },
  async rows(ctx, lisId, suIds) {
    const sup = await ctx.db
      .selectFrom('supplement')
      .selectAll()
      .where('schoolId', '=', ctx.actor.schoolId)
      .where('lisId', '=', lisId)
      .executeTakeFirstOrThrow()
    return suIds.includes(sup.suId) ? creditRows(ctx, sup) : []
  },
}
