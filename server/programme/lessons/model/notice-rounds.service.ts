import { sql } from 'kysely'
import { publictyStatus, questionStatus } from '../../../../contract/core/codes/programme.ts'
import { from } from '../../../core/database/tenant.ts'
import type { Context, PublicContext } from '../../../core/request/context.ts'

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
/** One of those that have been accepted: the course is then being looked into. */
const acceptedDispute = sql<boolean>`q."delFlag" = '0'
  and (
    q."qStatus" = ${sql.lit(questionStatus.inReview)}
    or (q."qStatus" = ${sql.lit(questionStatus.upheld)} and q."qOutcome" is null)
  )`

const existsDispute = async (
  { db }: Pick<PublicContext, 'db'>,
  schoolId: string,
  liId: string,
  which: typeof openDispute,
): Promise<boolean> =>
  (
    await sql<{
      any: boolean
    }>`select exists (
        select
        from "question" q
        where q."schoolId" = ${schoolId} and q."liId" = ${liId}::uuid and ${which}
      ) as "any"`.execute(db)
  ).rows[0]!.any

/** Whether a dispute about the course waits for its end; the course cannot be completed before. */
export const hasOpenDisputes = (ctx: Pick<PublicContext, 'db'>, schoolId: string, liId: string): Promise<boolean> =>
  existsDispute(ctx, schoolId, liId, openDispute)
/** Whether one of them has been accepted. */
export const hasAcceptedDisputes = (ctx: Context, liId: string): Promise<boolean> =>
  existsDispute(ctx, ctx.actor.schoolId, liId, acceptedDispute)

/** Puts one more round of public notice on the books of a locked course. */
export async function beginRound({ db, actor, clock }: Context, liId: string, from: string, to: string): Promise<void> {
  await sql`
    insert into "publictyRound" (
      "schoolId", "liId", "roundNo", "liPublictySdate", "liPublictyEdate", "startName", "startTime"
    )
    select ${actor.schoolId}, ${liId}::uuid, coalesce(max("roundNo"), 0) + 1, ${from}::timestamptz,
      ${to}::timestamptz, ${actor.suNickname}, ${clock.now()}::timestamptz
    from "publictyRound"
    where "schoolId" = ${actor.schoolId} and "liId" = ${liId}::uuid`.execute(db)
}

/** Ends the running round, if there is one. */
export async function endRound(
  { db, clock }: Pick<PublicContext, 'db' | 'clock'>,
  schoolId: string,
  liId: string,
  how: { publictyStatus: '2' | '4'; endName: string; endReason: string },
): Promise<void> {
  await db
    .updateTable('publictyRound')
    .set({ ...how, endTime: clock.now() })
    .where('schoolId', '=', schoolId)
    .where('liId', '=', liId)
    .where('publictyStatus', '=', publictyStatus.running)
    .execute()
}

/** All rounds of a course, newest first. Who may see them is for the caller to know. */
export const roundsOf = (ctx: Context, liId: string) =>
  from(ctx, 'publictyRound')
    .select([
      'roundNo',
      'liPublictySdate',
      'liPublictyEdate',
      'publictyStatus',
      'startName',
      'startTime',
      'endName',
      'endTime',
      'endReason',
    ])
    .where('liId', '=', liId)
    .orderBy('roundNo', 'desc')
    .execute()
