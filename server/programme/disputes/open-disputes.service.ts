import { sql } from 'kysely'
import { questionStatus } from '../../../contract/core/codes/programme.ts'
import type { Context } from '../../core/request/context.ts'

/** Whose record of a course is disputed now; `suId` null: everybody's. */
export interface Disputed {
  liId: string
  suId: string | null
}

/**
 * The records among those of these courses that an open dispute is about: one statement. Open is what waits to be
 * accepted (in time or not), is being decided on, or was upheld and not yet settled. A dispute about a course as a
 * whole touches its records only once it was accepted: nobody's paper is marked because somebody wrote something.
 */
export async function disputedRecords({ db, actor }: Context, liIds: readonly string[]): Promise<Disputed[]> {
  if (liIds.length === 0) return []
  const { rows } = await sql<Disputed>`
      select distinct q."liId", q."targetSuId" "suId"
      from "question" q
      where q."schoolId" = ${actor.schoolId}
        and q."liId" = any(${[...new Set(liIds)]}::uuid[])
        and q."delFlag" = '0'
        and (
          q."qStatus" = ${sql.lit(questionStatus.inReview)}
          or (q."qStatus" = ${sql.lit(questionStatus.upheld)} and q."qOutcome" is null)
          or (
            q."qStatus" in (${sql.lit(questionStatus.pending)}, ${sql.lit(questionStatus.overdue)})
            and q."targetSuId" is not null
          )
        )`.execute(db)
  return rows
}

/** Tells of a student's record of a course whether it is disputed now. */
export async function disputeFinder(
  ctx: Context,
  liIds: readonly string[],
): Promise<(suId: string, liId: string) => boolean> {
  const open = new Set((await disputedRecords(ctx, liIds)).map(({ liId, suId }) => `${suId ?? ''}/${liId}`))
  return (suId, liId) => open.has(`${suId}/${liId}`) || open.has(`/${liId}`)
}
