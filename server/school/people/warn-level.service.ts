import { sql } from 'kysely'
import { warnLevel } from '../../../contract/core/codes/outcomes.ts'
import { inSchoolStatuses } from '../../../contract/core/codes/in-school.ts'
import { recordset } from '../../core/database/bulk.ts'
import type { Context } from '../../core/request/context.ts'

/** A student who is in school, as `isInSchool` has it. */
export const inSchool = sql<boolean>`"person"."suiStatus" in (
    ${sql.join(inSchoolStatuses.map((status) => sql.lit(status)))}
  )`

/**
 * Writes the warning levels that students have come to, so that the student list can be filtered by them. The record
 * itself counts as unchanged.
 */
export async function setWarnLevels(
  { db, actor }: Pick<Context, 'db' | 'actor'>,
  rows: readonly { suId: string; warnLevel: string }[],
): Promise<void> {
  if (rows.length === 0) return
  await sql`
    update "person" p
    set "warnLevel" = r."warnLevel"
    from ${recordset(rows, { suId: 'uuid', warnLevel: 'text' })}
    where p."schoolId" = ${actor.schoolId} and p."suId" = r."suId" and p."warnLevel" <> r."warnLevel"`.execute(db)
}

/** Takes the level from everybody who is not in school. */
export async function clearWarnLevels({ db, actor }: Pick<Context, 'db' | 'actor'>): Promise<void> {
  await sql`
    update "person"
    set "warnLevel" = ${sql.lit(warnLevel.normal)}
    where "schoolId" = ${actor.schoolId}
      and "warnLevel" <> ${sql.lit(warnLevel.normal)}
      and ("delFlag" <> '0' or not ${inSchool})`.execute(db)
}
