import type { Context } from '../../core/request/context.ts'
import { withSchoolLock } from '../../core/request/advisory-lock.ts'

/**
 * One turn for all that decides which paper of a school stands and under which key: issuing, printing again, revoking,
 * changing the key. What it reads (the ledger, the valid issues, the key) is as it was at one moment after the turn had
 * come.
 */
export const withIssueLock = <R>(ctx: Context, work: (tx: Context) => Promise<R>): Promise<R> =>
  withSchoolLock(ctx, 'transcript-issue', work)
