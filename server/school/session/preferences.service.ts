import { sql } from 'kysely'
import type { Checked } from '../../../contract/core/call.ts'
import { Failure } from '../../../contract/core/failure.ts'
import { maxPreferences, type preferenceApi } from '../../../contract/school/session/preferences.calls.ts'
import { from } from '../../core/database/tenant.ts'
import type { Context } from '../../core/request/context.ts'

/** Everything the person has set for themselves. */
export const listPreferences = ({ db, actor }: Context) =>
  from({ db, actor }, 'preference')
    .select(['pfKey', 'pfValue'])
    .where('suId', '=', actor.suId)
    .orderBy('pfKey')
    .execute()

/**
 * Keeps or forgets one setting; the last writer wins, for it is the same person. No audit: it is nobody's business but
 * theirs.
 */
export async function savePreference(
  { db, actor, clock }: Context,
  { pfKey, pfValue }: Checked<typeof preferenceApi.save>,
) {
  const { schoolId, suId } = actor
  if (pfValue === undefined || pfValue === null) {
    const { numDeletedRows } = await db
      .deleteFrom('preference')
      .where('schoolId', '=', schoolId)
      .where('suId', '=', suId)
      .where('pfKey', '=', pfKey)
      .executeTakeFirstOrThrow()
    return { affected: Number(numDeletedRows) }
  }
  const { rows } = await sql`
      insert into "preference" ("schoolId", "suId", "pfKey", "pfValue", "updateTime")
      select ${schoolId}, ${suId}::uuid, ${pfKey}, ${JSON.stringify(pfValue)}::jsonb, ${clock.now()}::timestamptz
      where exists (
        select
        from "preference"
        where "schoolId" = ${schoolId} and "suId" = ${suId}::uuid and "pfKey" = ${pfKey}
      )
        or (select count(*) from "preference" where "schoolId" = ${schoolId} and "suId" = ${suId}::uuid) <
        ${maxPreferences}
      on conflict ("schoolId", "suId", "pfKey") do update set "pfValue" = excluded."pfValue",
        "updateTime" = excluded."updateTime"
      returning "pfKey"`.execute(db)
  if (rows.length === 0) throw new Failure('too-many-preferences', { n: maxPreferences })
  return { affected: 1 }
}
