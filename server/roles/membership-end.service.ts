import { writeAudit } from '../core/audit.ts'
import { dayOf } from '../core/clock.ts'
import type { PublicContext } from '../core/context.ts'
import { newId } from '../core/ids.ts'
import { inTransaction } from '../core/transaction.ts'

/**
 * A recurring job: removes memberships whose last day is over, with a row of the trail for each. They have given nothing since
 * that day ended; this clears them from lists, from the approvers of flows and from whatever else asks who is a member.
 * @returns how many ended
 */
export function endMemberships(services: Omit<PublicContext, 'origin' | 'upload'>): Promise<number> {
  const ctx: PublicContext = { ...services, origin: { requestId: newId(), ip: '', agent: 'system' } }
  return inTransaction(ctx, async (tx) => {
    const ended = await tx.db
      .deleteFrom('roleUser')
      .using(['role', 'person'])
      .whereRef('role.schoolId', '=', 'roleUser.schoolId')
      .whereRef('role.srId', '=', 'roleUser.srId')
      .whereRef('person.schoolId', '=', 'roleUser.schoolId')
      .whereRef('person.suId', '=', 'roleUser.suId')
      .where('roleUser.endDate', '<', dayOf(tx.clock.now()))
      .returning(['roleUser.schoolId', 'roleUser.srId', 'roleUser.suId', 'roleUser.endDate', 'role.srName', 'person.suiName'])
      .execute()
    for (const schoolId of new Set(ended.map((one) => one.schoolId))) {
      const entries = ended.filter((one) => one.schoolId === schoolId).map(({ srId, srName, suId, suiName, endDate }) => ({ action: '角色到期', bizType: 'role', bizId: srId, bizName: `${srName}：${suiName}`, before: { suId, endDate } }))
      await writeAudit(tx, { schoolId, actorId: null, actorName: '系统' }, entries)
    }
    return ended.length
  })
}
