import type { Checked } from '../../../contract/core/call.ts'
import type { approvalActionApi } from '../../../contract/programme/approvals/actions.calls.ts'
import { from } from '../../core/database/tenant.ts'
import type { Context } from '../../core/request/context.ts'

/** What a reviewer has who never kept anything themselves. */
const firstPhrases = [
  '材料齐全，同意。',
  '请补充活动策划书后重新提交。',
  '请核对认定学时后重新提交。',
  '活动时间与学校安排冲突，请调整。',
]

/** The phrases that the person keeps for their opinions, on every machine the same. */
export async function opinionsOf({ db, actor }: Context) {
  const row = await from({ db, actor }, 'approvalOpinion')
    .select('phrases')
    .where('suId', '=', actor.suId)
    .executeTakeFirst()
  return { phrases: row?.phrases ?? firstPhrases }
}

/** Keeps the phrases as they are now, each once. */
export async function saveOpinions(
  { db, actor, clock }: Context,
  input: Checked<typeof approvalActionApi.saveOpinions>,
) {
  const phrases = [...new Set(input.phrases)]
  const values = { phrases, updateTime: clock.now() }
  await db
    .insertInto('approvalOpinion')
    .values({ schoolId: actor.schoolId, suId: actor.suId, ...values })
    .onConflict((conflict) => conflict.columns(['schoolId', 'suId']).doUpdateSet(values))
    .execute()
  return { phrases }
}
