import { Failure, type FailureName } from '../../../contract/core/failure.ts'
import { audit } from '../../core/audit/audit.ts'
import type { Context } from '../../core/request/context.ts'

/** Refusals that tell of somebody reaching for more than is theirs. */
const attempts = new Set<FailureName>(['grant-exceeds-own', 'own-grant', 'duties-exclusive'])

/**
 * Lets a refused attempt to give or take rights leave its row on the audit trail: what the action wrote itself is gone
 * with its transaction.
 */
export const watched =
  <I extends object, R>(action: string, handle: (ctx: Context, input: I) => Promise<R>) =>
  async (ctx: Context, input: I): Promise<R> => {
    try {
      return await handle(ctx, input)
    } catch (error) {
      if (error instanceof Failure && attempts.has(error.reason)) {
        const { srId = '', srName = '' } = input as { srId?: string | undefined; srName?: string }
        await audit(ctx, {
          action,
          result: 'refused',
          bizType: 'role',
          bizId: srId,
          bizName: srName,
          reason: error.msg,
        })
      }
      throw error
    }
  }
