import { sql } from 'kysely'
import { circleAuthStatus, circleStatus } from '../../../contract/core/codes/programme.ts'
import { forgetActors } from '../../core/request/actor-cache.ts'
import type { Context } from '../../core/request/context.ts'

/**
 * Makes those of some people who lead a circle in being members of the built-in role 社团负责人, and those who lead none no
 * longer (docs/rules.md R44). In the transaction that changed who leads.
 */
export async function settleLeadRole({ db, actor }: Context, suIds: readonly string[]): Promise<void> {
  const { schoolId } = actor
  const leads = sql`exists (
      select
      from "circle" c
      where c."schoolId" = ${schoolId}
        and c."cpiPersonId" = i."suId"
        and c."delFlag" = '0'
        and c."ciAuthStatus" = ${sql.lit(circleAuthStatus.passed)}
        and c."ciStatus" <> ${sql.lit(circleStatus.dissolved)}
    )`
  const people = sql`unnest(${suIds}::uuid[]) as i("suId")`
  await sql`
    insert into "roleUser" ("schoolId", "srId", "suId")
    select r."schoolId", r."srId", i."suId"
    from "role" r, ${people}
    where r."schoolId" = ${schoolId} and r."srCode" = 'CLUB_LEAD' and ${leads}
    on conflict do nothing`.execute(db)
  await sql`
    delete from "roleUser" u using "role" r, ${people}
    where r."schoolId" = ${schoolId}
      and r."srCode" = 'CLUB_LEAD'
      and u."schoolId" = r."schoolId"
      and u."srId" = r."srId"
      and u."suId" = i."suId"
      and not ${leads}`.execute(db)
  forgetActors(schoolId)
}
