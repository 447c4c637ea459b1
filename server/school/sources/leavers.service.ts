import { sql } from 'kysely'
import { accountStatus, leaverRule, studentStatus } from '../../../contract/core/codes/school.ts'
import { auditMany } from '../../core/audit/audit.ts'
import { withinSchool } from '../../core/database/tenant.ts'
import type { Context } from '../../core/request/context.ts'
import { because, type Cause } from '../../core/request/cause.ts'
import { inTransaction } from '../../core/request/transaction.ts'
import { currentStatuses, lockPeople, setStudentStatuses } from '../people/student-status.service.ts'
import { visibleStudents } from '../people/students.service.ts'
import type { Leaver, AccountState } from './sources.queries.ts'

/** The enrolled students, of those that the caller may edit, whose number is not in a checked import. */
export async function findLeavers(ctx: Context, ibId: string): Promise<Leaver[]> {
  const rows = await visibleStudents(ctx)
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
  return rows.map((leaver) => ({ ...leaver, given: null }))
}

/**
 * Gives those who left the standing that the source's rule says; those whose standing has changed since stay. Whom it
 * changed, from what and to what, is kept with the run in the same transaction, for undoing goes by that.
 */
export function applyLeavers(ctx: Context, runId: string, rule: string, leavers: readonly Leaver[]): Promise<void> {
  const withdrawn = rule === leaverRule.withdraw
  return inTransaction(ctx, async (tx) => {
    const given = await setThem(tx, leavers, 'source', '学籍异动（数据来源）', ({ suiStatus }, now) =>
      now.suiStatus === suiStatus
        ? {
            suiStatus: withdrawn ? studentStatus.withdrawn : studentStatus.suspended,
            suStatus: withdrawn ? accountStatus.disabled : now.suStatus,
          }
        : undefined,
    )
    // who was changed before the run broke off keeps what is known of them
    const kept = leavers.map((leaver) => {
      const change = given.get(leaver.suId)
      return change ? { ...leaver, ...change.before, given: change.after } : leaver
    })
    await tx.db
      .updateTable('importSourceRun')
      .set({ leavers: JSON.stringify(kept) })
      .where('schoolId', '=', tx.actor.schoolId)
      .where('runId', '=', runId)
      .execute()
  })
}

/**
 * Gives those whom a run had changed their former standing, unless somebody has changed it since.
 * @param rule of the source now, by which runs are undone that did not keep whom they changed
 */
export async function restoreLeavers(ctx: Context, rule: string, leavers: readonly Leaver[]): Promise<void> {
  const byRule =
    rule === leaverRule.tell
      ? null
      : rule === leaverRule.withdraw
        ? { suiStatus: studentStatus.withdrawn, suStatus: accountStatus.disabled }
        : // suspending switches no account
          { suiStatus: studentStatus.suspended, suStatus: '' }
  await setThem(ctx, leavers, 'undo', '撤销学籍异动（数据来源）', ({ suiStatus, suStatus, given = byRule }, now) =>
    given && now.suiStatus === given.suiStatus
      ? // an account that somebody has switched since stays as they left it
        { suiStatus, suStatus: now.suStatus === given.suStatus ? suStatus : now.suStatus }
      : undefined,
  )
}

/** @returns of whom it changed, the standing before and after */
function setThem(
  ctx: Context,
  leavers: readonly Leaver[],
  cause: Cause,
  action: string,
  change: (leaver: Leaver, now: AccountState) => AccountState | undefined,
): Promise<Map<string, { before: AccountState; after: AccountState }>> {
  return inTransaction(ctx, async (tx) => {
    const suIds = leavers.map(({ suId }) => suId)
    await because(tx, cause)
    await lockPeople(tx, suIds)
    const now = await currentStatuses(tx, suIds)
    const changed = leavers.flatMap((leaver) => {
      const { suId, suiName, suiNumber } = leaver
      const current = now.get(suId)
      const after = current && change(leaver, current)
      if (!after) return []
      const { suiStatus, suStatus } = current
      return [{ suId, suiName, suiNumber, before: { suiStatus, suStatus }, after }]
    })
    await setStudentStatuses(
      tx,
      changed.map(({ suId, after }) => ({ suId, ...after })),
    )
    await auditMany(
      tx,
      changed.map(({ suId, suiName, suiNumber, before, after }) => ({
        action,
        bizType: 'person' as const,
        bizId: suId,
        bizName: `${suiName}（${suiNumber}）`,
        before: { suiStatus: before.suiStatus },
        after: { suiStatus: after.suiStatus },
      })),
    )
    return new Map(changed.map(({ suId, before, after }) => [suId, { before, after }]))
  })
}
