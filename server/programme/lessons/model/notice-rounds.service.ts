import { sql } from 'kysely'
import { publictyStatus } from '../../../../contract/core/codes/programme.ts'
import { from } from '../../../core/database/tenant.ts'
import type { Context, PublicContext } from '../../../core/request/context.ts'

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
