import { sql } from 'kysely'
import { accountStatus, leaverRule, studentStatus } from '../../../contract/core/codes/school.ts'
import { auditMany } from '../../core/audit/audit.ts'
import { withinSchool } from '../../core/database/tenant.ts'
import type { Context } from '../../core/request/context.ts'
import { because, type Cause } from '../../core/request/cause.ts'
import { inTransaction } from '../../core/request/transaction.ts'
import { currentStatuses, lockPeople, setStudentStatuses } from '../people/student-status.service.ts'
import { visibleStudents } from '../people/students.service.ts'
import type { Leaver } from './sources.queries.ts'

/** The enrolled students, of those that the caller may edit, whose number is not in a checked import. */
export async function findLeavers(ctx: Context, ibId: string): Promise<Leaver[]> {
  return visibleStudents(ctx)
    .innerJoin('account', withinSchool('account.suId', 'person.suId'))
    .select(['person.suId', 'suiNumber', 'suiName', 'suiStatus', 'suStatus'])
    .where('suiStatus', '=', studentStatus.enrolled)
    .where(
      sql<boolean>`not exists (
        select
        from "importRow" r
        join "importBatch" b on b."schoolId" = r."schoolId" and b."ibId" = r."ibId"
        where r."schoolId" = ${ctx.actor.schoolId}
          and r."ibId" = ${ibId}::uuid
          and r."cells" ->> (
            select (h."no" - 1)::int
            from jsonb_array_elements(b."heads") with ordinality as h("head", "no")
            where h."head" ->> 'key' = 'suiNumber'
            limit 1
          ) = "person"."suiNumber"
      )`,
    )
    .orderBy('suiNumber')
    .execute()
}

/** Gives those who left the standing that the source's rule says; those whose standing has changed since stay. */
export function applyLeavers(ctx: Context, rule: string, leavers: readonly Leaver[]): Promise<void> {
  const withdrawn = rule === leaverRule.withdraw
  return setThem(ctx, leavers, 'source', '学籍异动（数据来源）', ({ suiStatus, suStatus }, now) =>
    now.suiStatus === suiStatus
      ? {
          suiStatus: withdrawn ? studentStatus.withdrawn : studentStatus.suspended,
          suStatus: withdrawn ? accountStatus.disabled : suStatus,
        }
      : undefined,
  )
}

/** Gives those whom a run had changed their former standing, unless somebody has changed it since. */
export function restoreLeavers(ctx: Context, rule: string, leavers: readonly Leaver[]): Promise<void> {
  const given = rule === leaverRule.withdraw ? studentStatus.withdrawn : studentStatus.suspended
  return setThem(ctx, leavers, 'undo', '撤销学籍异动（数据来源）', ({ suiStatus, suStatus }, now) =>
    now.suiStatus === given ? { suiStatus, suStatus } : undefined,
  )
}

type Standing = { suiStatus: string; suStatus: string }

function setThem(
  ctx: Context,
  leavers: readonly Leaver[],
  cause: Cause,
  action: string,
  change: (leaver: Leaver, now: Standing) => Standing | undefined,
): Promise<void> {
  return inTransaction(ctx, async (tx) => {
    const suIds = leavers.map(({ suId }) => suId)
    await because(tx, cause)
    await lockPeople(tx, suIds)
    const now = await currentStatuses(tx, suIds)
    const changed = leavers.flatMap((leaver) => {
      const current = now.get(leaver.suId)
      const next = current && change(leaver, current)
      return next ? [{ ...leaver, ...next, from: current.suiStatus }] : []
    })
    await setStudentStatuses(
      tx,
      changed.map(({ suId, suiStatus, suStatus }) => ({ suId, suiStatus, suStatus })),
    )
    await auditMany(
      tx,
      changed.map(({ suId, suiName, suiNumber, from, suiStatus }) => ({
        action,
        bizType: 'person' as const,
        bizId: suId,
        bizName: `${suiName}（${suiNumber}）`,
        before: { suiStatus: from },
        after: { suiStatus },
      })),
    )
  })
}
