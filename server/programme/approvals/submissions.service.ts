import { sql } from 'kysely'
import { approvalStatus } from '../../../contract/core/codes/programme.ts'
import type { SubmittedDifference } from '../../../contract/core/difference.ts'
import { differencesBetween, type ContentField } from '../../core/base/submitted-content.ts'
import type { Context } from '../../core/request/context.ts'
import type { ApprovalSubject } from './approvals.service.ts'

/** Keeps what a record says in the approval that it is put into. */
export async function keepContent(ctx: Context, insId: string, content: readonly ContentField[] = []): Promise<void> {
  if (content.length === 0) return
  await ctx.db
    .insertInto('approvalContent')
    .values({ schoolId: ctx.actor.schoolId, insId, content: JSON.stringify(content) })
    .execute()
}

/**
 * What a reviewer is shown as different: from what is in force, where the subject says so, and from what was decided
 * last. A submission that was withdrawn or ended without a decision is compared with only where there is no decided
 * one: what its reviewers know is older.
 */
export async function changesSince(
  ctx: Context,
  { bizType, bizId, content = [], changes = [] }: ApprovalSubject,
): Promise<SubmittedDifference[]> {
  const inForce = changes.map((one) => ({ ...one, since: 'approved' as const }))
  const last = content.length > 0 ? await lastSubmission(ctx, bizType, bizId) : undefined
  if (!last) return inForce
  const isApproved = last.insStatus === approvalStatus.passed
  if (isApproved && inForce.length > 0) return inForce
  const since = isApproved ? ('approved' as const) : ('returned' as const)
  return [...inForce, ...differencesBetween(last.content, content).map((one) => ({ ...one, since }))]
}

const lastSubmission = async ({ db, actor }: Context, bizType: string, bizId: string) =>
  (
    await sql<{ insStatus: string; content: ContentField[] }>`
      select a."insStatus", c."content"
      from "approval" a
      join "approvalContent" c on c."schoolId" = a."schoolId" and c."insId" = a."insId"
      where a."schoolId" = ${actor.schoolId}
        and a."bizType" = ${bizType}
        and a."bizId" = ${bizId}::uuid
        and a."insStatus" in (
          ${sql.lit(approvalStatus.passed)},
          ${sql.lit(approvalStatus.refused)},
          ${sql.lit(approvalStatus.withdrawn)},
          ${sql.lit(approvalStatus.terminated)}
        )
      order by a."insStatus" in (${sql.lit(approvalStatus.withdrawn)}, ${sql.lit(approvalStatus.terminated)}), a."startTime" desc, a."insId" desc
      limit 1`.execute(db)
  ).rows[0]
