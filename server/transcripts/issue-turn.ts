import type { Context } from '../core/context.ts'
import { inTurn } from '../core/turn.ts'

/**
 * One turn for all that decides which paper of a school stands and under which key: issuing, printing again, revoking, changing the key. What it reads (the ledger, the valid issues, the
 * key) is as it was at one moment after the turn had come.
 */
export const inIssueTurn = <R>(ctx: Context, work: (tx: Context) => Promise<R>): Promise<R> =>
  inTurn(ctx, 'transcript-issue', work)
