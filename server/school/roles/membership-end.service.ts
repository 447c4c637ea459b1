import { sql } from 'kysely'
import { personType, studentStatus } from '../../../contract/core/codes/school.ts'
import { writeAudit } from '../../core/audit/audit.ts'
import { dayOf } from '../../core/base/clock.ts'
import type { PublicContext } from '../../core/request/context.ts'
import { newId } from '../../core/base/ids.ts'
import { inTransaction } from '../../core/request/transaction.ts'

type Services = Omit<PublicContext, 'origin' | 'upload'>

interface Ended {
  schoolId: string
  srId: string
  srName: string
  suId: string
  suiName: string
  /** What ended: the last day, or the class. */
  what: string | null
}

/**
 * A recurring job: removes memberships whose last day is over, and league secretaries from classes they have left or
 * finished. Ended memberships have given nothing since; this clears them from lists, from the approvers of flows and
 * from whatever else asks who is a member.
 * @returns how many ended
 */
export async function endMemberships(services: Services): Promise<number> {
  const ctx: PublicContext = { ...services, origin: { requestId: newId(), ip: '', agent: 'system' } }
  return inTransaction(
    ctx,
    async (tx) =>
      (await auditEnded(tx, '角色到期', await removeEnded(tx))) +
      (await auditEnded(tx, '团支书离班', await removeLeft(tx))),
  )
}

const removeEnded = async ({ db, clock }: PublicContext): Promise<Ended[]> =>
  (
    await sql<Ended>`
      delete from "roleUser" u using "role" r, "person" p
      where r."schoolId" = u."schoolId"
        and r."srId" = u."srId"
        and p."schoolId" = u."schoolId"
        and p."suId" = u."suId"
        and u."endDate" < ${dayOf(clock.now())}::date
      returning u."schoolId", u."srId", r."srName", u."suId", p."suiName", u."endDate" "what"`.execute(db)
  ).rows

/** Secretaries are students of their class: whoever changed class, withdrew or graduated is it no longer. */
async function removeLeft({ db }: PublicContext): Promise<Ended[]> {
  const { rows } = await sql<Ended>`
    delete from "controlArea" a using "role" r, "person" p
    where r."schoolId" = a."schoolId"
      and r."srId" = a."srId"
      and r."srCode" = 'LEAGUE_SEC'
      and a."caType" = 'class'
      and p."schoolId" = a."schoolId"
      and p."suId" = a."suId"
      and p."suiType" = ${sql.lit(personType.student)}
      and (
        p."scClassId"::text is distinct from a."caTarget"
        or p."suiStatus" in (${sql.lit(studentStatus.withdrawn)}, ${sql.lit(studentStatus.graduated)})
        or p."delFlag" <> '0'
      )
    returning a."schoolId", a."srId", r."srName", a."suId", p."suiName",
      (
        select c."scClassName"
        from "schoolClass" c
        where c."schoolId" = a."schoolId" and c."scClassId"::text = a."caTarget"
      ) "what"`.execute(db)
  for (const { schoolId, srId, suId } of rows) {
    await sql`
      delete from "roleUser" u
      where u."schoolId" = ${schoolId}
        and u."srId" = ${srId}
        and u."suId" = ${suId}
        and not exists (
          select
          from "controlArea" a
          where a."schoolId" = u."schoolId" and a."srId" = u."srId" and a."suId" = u."suId"
        )`.execute(db)
  }
  return rows
}

/** A row of the trail for each; returns their number. */
async function auditEnded(tx: PublicContext, action: string, ended: readonly Ended[]): Promise<number> {
  for (const schoolId of new Set(ended.map((one) => one.schoolId))) {
    const entries = ended
      .filter((one) => one.schoolId === schoolId)
      .map(({ srId, srName, suId, suiName, what }) => ({
        action,
        bizType: 'role' as const,
        bizId: srId,
        bizName: `${srName}：${suiName}`,
        before: { suId, what },
      }))
    await writeAudit(tx, { schoolId, actorId: null, actorName: '系统' }, entries)
  }
  return ended.length
}
