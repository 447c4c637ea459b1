import { sql } from 'kysely'
import { accountStatus, personType, studentStatus } from '../../../contract/core/codes/school.ts'
import { chunksOf, recordset } from '../../core/database/bulk.ts'
import { withinSchool } from '../../core/database/tenant.ts'
import type { Context } from '../../core/request/context.ts'
import { takeQuota } from '../../core/request/quotas.ts'
import { switchAccounts } from './accounts.service.ts'
import { visibleStudents } from './students.service.ts'

/** A student's standing (`dictionary.student_status`) and whether their account is on (`account_status`). */
export interface StudentStatus {
  suId: string
  suiStatus: string
  suStatus: string
}

/** The visible students of some years of entry, in some colleges or all, with their standing, by number. */
export const studentsOfGrades = (
  ctx: Pick<Context, 'db' | 'actor' | 'scope'>,
  grades: readonly string[],
  collegeIds: readonly string[],
) =>
  visibleStudents(ctx)
    .innerJoin('account', withinSchool('account.suId', 'person.suId'))
    .select(['person.suId', 'suiName', 'suiNumber', 'suiStatus', 'suStatus'])
    .where(
      sql<boolean>`"person"."suiGrade" = any(${grades}::text[])
        and (cardinality(${collegeIds}::uuid[]) = 0 or "person"."suiCollegeId" = any(${collegeIds}::uuid[]))`,
    )

/** Keeps people and their accounts to the transaction, in the order everybody locks them in. */
export async function lockPeople(
  { db, actor }: Pick<Context, 'db' | 'actor'>,
  suIds: readonly string[],
): Promise<void> {
  await sql`
    select
    from "person"
    where "schoolId" = ${actor.schoolId} and "suId" = any(${suIds}::uuid[])
    order by "suId"
    for no key
    update`.execute(db)
  await sql`
    select
    from "account"
    where "schoolId" = ${actor.schoolId} and "suId" = any(${suIds}::uuid[])
    order by "suId"
    for no key
    update`.execute(db)
}

/** The standing of people as it is now, of those who are still there. */
export async function currentStatuses(
  { db, actor }: Pick<Context, 'db' | 'actor'>,
  suIds: readonly string[],
): Promise<Map<string, StudentStatus>> {
  const { rows } = await sql<StudentStatus>`
      select p."suId", p."suiStatus", a."suStatus"
      from "person" p
      join "account" a on a."schoolId" = p."schoolId" and a."suId" = p."suId"
      where p."schoolId" = ${actor.schoolId} and p."suId" = any(${suIds}::uuid[]) and p."delFlag" = '0'`.execute(db)
  return new Map(rows.map((row) => [row.suId, row]))
}

/**
 * Gives students the standing told and switches their accounts; who is switched off is signed out. Set by set, however
 * many.
 */
export async function setStudentStatuses(ctx: Context, statuses: readonly StudentStatus[]): Promise<void> {
  const { schoolId, suId } = ctx.actor
  const now = ctx.clock.now()
  for await (const chunk of chunksOf(statuses, 5000)) {
    const actAgain = await countActingAgain(ctx, chunk)
    await sql`
      update "person" p
      set "suiStatus" = r."suiStatus",
        "updateBy" = ${suId}::uuid,
        "updateTime" = ${now}::timestamptz,
        "version" = p."version" + 1
      from ${recordset(chunk, { suId: 'uuid', suiStatus: 'text' })}
      where p."schoolId" = ${schoolId} and p."suId" = r."suId" and p."suiStatus" <> r."suiStatus"`.execute(ctx.db)
    for (const suStatus of new Set(chunk.map((one) => one.suStatus)))
      await switchAccounts(
        ctx,
        schoolId,
        chunk.filter((one) => one.suStatus === suStatus).map((one) => one.suId),
        suStatus,
      )
    await takeQuota(ctx, schoolId, 'people', actAgain)
  }
}

/** How many graduates whose account is on, and stays so, are to be graduates no longer: quotas count them again. */
async function countActingAgain(
  { db, actor }: Pick<Context, 'db' | 'actor'>,
  statuses: readonly StudentStatus[],
): Promise<number> {
  const others = statuses.filter(({ suiStatus }) => suiStatus !== studentStatus.graduated)
  if (others.length === 0) return 0
  const { rows } = await sql<{ n: number }>`
    select count(*)::int "n"
    from "person" p
    join "account" a on a."schoolId" = p."schoolId" and a."suId" = p."suId"
    join ${recordset(others, { suId: 'uuid', suStatus: 'text' })} on r."suId" = p."suId"
    where p."schoolId" = ${actor.schoolId}
      and p."suiType" = ${sql.lit(personType.student)}
      and p."suiStatus" = ${sql.lit(studentStatus.graduated)}
      and a."suStatus" = ${sql.lit(accountStatus.active)}
      and r."suStatus" = a."suStatus"`.execute(db)
  return rows[0]!.n
}
