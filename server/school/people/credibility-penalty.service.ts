import type { Context } from '../../core/request/context.ts'
import { audit } from '../../core/audit/audit.ts'
import { lockCredibility, reasonOf, writeChanges } from './credibility-log.service.ts'
import { credibilityRulesOf, moved } from './credibility-rules.ts'

/**
 * Takes points from a student's credibility for feigned participation, within the bounds.
 * @returns the change, zero or negative
 */
export async function penalise(
  ctx: Context,
  { suId, points, liId, reason }: { suId: string; points: number; liId: string | null; reason: string },
): Promise<number> {
  const { schoolId, suId: operatorId, suNickname } = ctx.actor
  const status = (await lockCredibility(ctx, schoolId, [suId])).get(suId)
  if (!status) return 0
  const before = status.suiCredibility
  const after = moved(before, -points, await credibilityRulesOf(ctx, schoolId))
  await writeChanges(ctx, schoolId, [{ suId, before, after, reasonCode: reasonOf.feigned, reason, liId }], {
    operatorId,
    operatorName: suNickname,
  })
  await audit(ctx, {
    action: '扣除诚信分',
    bizType: 'person',
    bizId: suId,
    before: { suiCredibility: before },
    after: { suiCredibility: after },
    reason,
  })
  return after - before
}
