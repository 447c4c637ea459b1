import { dayOf, dayStart } from '../base/clock.ts'
import { from } from '../database/tenant.ts'
import type { Context } from '../request/context.ts'
import { audit, type AuditEntry } from './audit.ts'
import { noticeViewed } from './reading-acts.ts'

/**
 * Writes into the trail that somebody looked at the names in a public notice, the first time on a day.
 * @param list whose notice; without an id the list of all that are of its kind
 */
export async function noteViewer(
  ctx: Context,
  { bizId = '', ...list }: Required<Pick<AuditEntry, 'bizType' | 'bizName'>> & Pick<AuditEntry, 'bizId'>,
): Promise<void> {
  const known = await from(ctx, 'auditLog')
    .select('logId')
    .where('bizId', '=', bizId)
    .where('bizType', '=', list.bizType)
    .where('actorId', '=', ctx.actor.suId)
    .where('action', '=', noticeViewed)
    .where('logTime', '>=', dayStart(dayOf(ctx.clock.now())))
    .limit(1)
    .executeTakeFirst()
  if (!known) await audit(ctx, { action: noticeViewed, bizId, ...list })
}
