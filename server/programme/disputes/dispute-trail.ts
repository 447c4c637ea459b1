import { audit, writeAudit, type AuditEntry } from '../../core/audit/audit.ts'
import type { Context } from '../../core/request/context.ts'

/**
 * Writes what was done about a dispute into the trail. What the reporter does themselves stands there without their
 * name, address and device: whoever reads the trail of a dispute must not learn who asked (docs/rules.md R17).
 */
export const auditDispute = (ctx: Context, reporterSuId: string, entry: AuditEntry): Promise<void> =>
  ctx.actor.suId === reporterSuId
    ? writeAudit(
        { ...ctx, origin: { ...ctx.origin, ip: '', agent: '' } },
        { schoolId: ctx.actor.schoolId, actorId: null, actorName: '质疑人' },
        [entry],
      )
    : audit(ctx, entry)
