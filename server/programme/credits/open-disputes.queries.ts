import { sql } from 'kysely'
import { questionStatus } from '../../../contract/core/codes/programme.ts'
import type { Context, PublicContext } from '../../core/request/context.ts'

/** Disputes as far as credit waits for them; of courses and of supplement records alike. */

/**
 * A dispute that is not settled: not yet accepted, before its reviewers, or justified with nothing done about it yet;
 * `q` is its row.
 */
export const openDispute = sql<boolean>`q."delFlag" = '0'
  and (
    q."qStatus" in (
      ${sql.lit(questionStatus.pending)}, ${sql.lit(questionStatus.inReview)}, ${sql.lit(questionStatus.overdue)}
    ) or (q."qStatus" = ${sql.lit(questionStatus.upheld)} and q."qOutcome" is null)
  )`
/** One of those that have been accepted: what it is about is then being looked into. */
export const acceptedDispute = sql<boolean>`q."delFlag" = '0'
  and (
    q."qStatus" = ${sql.lit(questionStatus.inReview)}
    or (q."qStatus" = ${sql.lit(questionStatus.upheld)} and q."qOutcome" is null)
  )`

const existsDispute = async (
  { db }: Pick<PublicContext, 'db'>,
  schoolId: string,
  bizIds: readonly string[],
  which: typeof openDispute,
): Promise<boolean> =>
  (
    await sql<{
      any: boolean
    }>`select exists (
        select
        from "question" q
        where q."schoolId" = ${schoolId}
          and (q."liId" = any(${bizIds}::uuid[]) or q."lisId" = any(${bizIds}::uuid[]))
          and ${which}
      ) as "any"`.execute(db)
  ).rows[0]!.any

/**
 * Whether a dispute about one of these courses or supplement records waits for its end; none is credited before.
 * Whoever relies on it holds their rows locked.
 */
export const hasOpenDisputes = (
  ctx: Pick<PublicContext, 'db'>,
  schoolId: string,
  bizIds: readonly string[],
): Promise<boolean> => existsDispute(ctx, schoolId, bizIds, openDispute)
/** Whether a dispute about the course or supplement record has been accepted and is not settled. */
export const hasAcceptedDisputes = (ctx: Context, bizId: string): Promise<boolean> =>
  existsDispute(ctx, ctx.actor.schoolId, [bizId], acceptedDispute)
