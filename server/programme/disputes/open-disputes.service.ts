import { sql } from 'kysely'
import { questionStatus } from '../../../contract/core/codes/programme.ts'
import type { Context } from '../../core/request/context.ts'
import { acceptedDispute } from '../credits/open-disputes.queries.ts'

/** Whose record of a course, or which supplement record, is disputed now; `suId` null: everybody's of the course. */
interface Disputed {
  bizId: string
  suId: string | null
}

/**
 * The records among those of these courses, and the supplement records, that an open dispute is about: one statement.
 * Open is what waits to be accepted (in time or not), is being decided on, or was upheld and not yet settled. A dispute
 * about a course as a whole touches its records only once it was accepted: nobody's paper is marked because somebody
 * wrote something.
 */
async function disputedRecords({ db, actor }: Context, bizIds: readonly string[]): Promise<Disputed[]> {
  if (bizIds.length === 0) return []
  const ids = [...new Set(bizIds)]
  const { rows } = await sql<Disputed>`
      select distinct coalesce(q."liId", q."lisId") "bizId", q."targetSuId" "suId"
      from "question" q
      where q."schoolId" = ${actor.schoolId}
        and (q."liId" = any(${ids}::uuid[]) or q."lisId" = any(${ids}::uuid[]))
        and q."delFlag" = '0'
        and (
          (${acceptedDispute})
          or (
            q."qStatus" in (${sql.lit(questionStatus.pending)}, ${sql.lit(questionStatus.overdue)})
            and q."targetSuId" is not null
          )
        )`.execute(db)
  return rows
}

/** Tells of a student's record of a course, and of their supplement record, whether it is disputed now. */
export async function disputeFinder(
  ctx: Context,
  bizIds: readonly string[],
): Promise<(suId: string, bizId: string) => boolean> {
  const open = new Set((await disputedRecords(ctx, bizIds)).map(({ bizId, suId }) => `${suId ?? ''}/${bizId}`))
  return (suId, bizId) => open.has(`${suId}/${bizId}`) || open.has(`/${bizId}`)
}
