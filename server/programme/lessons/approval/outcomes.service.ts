import { sql } from 'kysely'
import { takeBackSeconds } from '../../../../contract/programme/approvals/actions.calls.ts'
import { yesNo } from '../../../../contract/core/codes/platform.ts'
import { Failure } from '../../../../contract/core/failure.ts'
import { audit } from '../../../core/audit/audit.ts'
import type { Context } from '../../../core/request/context.ts'
import { updatedColumns } from '../../../core/request/stamp-columns.ts'
import { from } from '../../../core/database/tenant.ts'
import { noticeByRule, revokeNotice } from './auto-notice.service.ts'
import { applyChange, dropChange } from './lesson-change.service.ts'
import { lessonTransitions } from '../model/lesson-life.ts'

/**
 * What the end of an approval means for its course; given to the approvals in app.ts and run inside the deciding
 * transaction. A course that has meanwhile left the state the approval was about stays as it is.
 */
export const publishOutcome = {
  /** A published course is asked about again only for a change: it then takes effect, or the course stays as it was. */
  passed: async (ctx: Context, liId: string) =>
    void ((await applyChange(ctx, liId)) || (await applyTransition(ctx, liId, 'publishPassed', '发布审批通过'))),
  refused: async (ctx: Context, liId: string, reason: string) =>
    void (
      (await dropChange(ctx, liId, 'refused', reason)) ||
      (await applyTransition(ctx, liId, 'publishRefused', '发布审批被驳回', reason))
    ),
  withdrawn: async (ctx: Context, liId: string) =>
    void (
      (await dropChange(ctx, liId, 'withdrawn')) ||
      (await applyTransition(ctx, liId, 'publishWithdrawn', '撤回发布审批'))
    ),
  terminated: async (ctx: Context, liId: string, reason: string) =>
    void (
      (await dropChange(ctx, liId, 'terminated', reason)) ||
      (await applyTransition(ctx, liId, 'publishTerminated', '发布审批被终止', reason))
    ),
  reopened: (ctx: Context, liId: string, verdict: 'passed' | 'refused', at: string) =>
    reopen(ctx, liId, verdict === 'passed' ? 'publishPassUndone' : 'publishRefusalUndone', at),
}

export const resultOutcome = {
  passed: async (ctx: Context, liId: string) => {
    if (await applyTransition(ctx, liId, 'resultPassed', '结果审批通过')) await beginNotice(ctx, liId)
  },
  refused: async (ctx: Context, liId: string, reason: string) =>
    void (await applyTransition(ctx, liId, 'resultRefused', '结果审批被驳回', reason)),
  withdrawn: async (ctx: Context, liId: string) =>
    void (await applyTransition(ctx, liId, 'resultWithdrawn', '撤回结果审批')),
  terminated: async (ctx: Context, liId: string, reason: string) =>
    void (await applyTransition(ctx, liId, 'resultTerminated', '结果审批被终止', reason)),
  reopened: (ctx: Context, liId: string, verdict: 'passed' | 'refused', at: string) =>
    verdict === 'passed' ? reopenResult(ctx, liId, at) : reopen(ctx, liId, 'resultRefusalUndone', at),
}

/** Where the school publicises results by itself, the course goes on into its notice in the same moment. */
async function beginNotice(ctx: Context, liId: string): Promise<void> {
  const lesson = await from(ctx, 'lesson')
    .select(['liId', 'publictyDays'])
    .where('liId', '=', liId)
    .executeTakeFirstOrThrow()
  const period = await noticeByRule(ctx, lesson)
  if (!period) return
  await ctx.db
    .updateTable('lesson')
    .set(period)
    .where('schoolId', '=', ctx.actor.schoolId)
    .where('liId', '=', liId)
    .execute()
  await applyTransition(ctx, liId, 'noticedByRule', '自动公示')
}

/** The same as {@link reopen} for a passed result, with the notice that began by itself taken back before. */
async function reopenResult(ctx: Context, liId: string, at: string): Promise<void> {
  if (!(await applyTransition(ctx, liId, 'noticeByRuleUndone', '撤销自动公示', '', at)))
    return reopen(ctx, liId, 'resultPassUndone', at)
  await revokeNotice(ctx, liId)
  await ctx.db
    .updateTable('lesson')
    .set({ liPublictySdate: null, liPublictyEdate: null })
    .where('schoolId', '=', ctx.actor.schoolId)
    .where('liId', '=', liId)
    .execute()
  await applyTransition(ctx, liId, 'resultPassUndone', '审批恢复为进行中')
}

/** Undoes what a decision meant, unless anything was done to the course since. */
async function reopen(ctx: Context, liId: string, name: keyof typeof lessonTransitions, at: string): Promise<void> {
  const isApplied = await applyTransition(ctx, liId, name, '审批恢复为进行中', '', at)
  if (!isApplied) throw new Failure('take-back-late', { n: takeBackSeconds })
}

/**
 * A transition that no person makes; a course that is elsewhere, or was changed after `at`, stays where it is. Answers
 * whether it was made.
 */
export async function applyTransition(
  ctx: Context,
  liId: string,
  name: keyof typeof lessonTransitions,
  action: string,
  reason = '',
  at?: string,
): Promise<boolean> {
  const { from, to } = lessonTransitions[name]
  let query = ctx.db
    .updateTable('lesson')
    .set({ liStatus: to, ...updatedColumns(ctx) })
    .where('schoolId', '=', ctx.actor.schoolId)
    .where('liId', '=', liId)
    .where('liStatus', '=', from)
    .where('delFlag', '=', sql.lit(yesNo.no))
  if (at) query = query.where('updateTime', '<=', at)
  const row = await query.returning('liName').executeTakeFirst()
  if (!row) return false
  await audit(ctx, {
    action,
    bizType: 'lesson',
    bizId: liId,
    bizName: row.liName,
    reason,
    before: { liStatus: from },
    after: { liStatus: to },
  })
  return true
}
