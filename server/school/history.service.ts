import { sql } from 'kysely'
import type { Checked } from '../../contract/core/call.ts'
import type { schoolInfoApi } from '../../contract/school/school-info.calls.ts'
import type { Context } from '../core/context.ts'
import { asPage, countOf, offsetOf } from '../core/pages.ts'

/** Who changed a part of the school's page, when, why, and what it was before; the latest first. */
export async function schoolHistory(ctx: Context, input: Checked<typeof schoolInfoApi.history>) {
  const { schoolId } = ctx.actor
  // terms have a trail each; everything else of the page is one record of the school
  const of = input.part === 'term' ? sql<boolean>`"bizType" = 'term'` : sql<boolean>`"bizId" = ${schoolId} and "bizType" = ${input.part}`
  const query = ctx.db.selectFrom('auditLog').where('schoolId', '=', schoolId).where('result', '=', 'ok').where(of)
  const [rows, total] = await Promise.all([
    query.select(['logId', 'logTime', 'actorName', 'action', 'bizName', 'reason', 'before', 'after']).orderBy('logTime', 'desc').orderBy('logId', 'desc').limit(input.pageSize).offset(offsetOf(input)).execute(),
    countOf(query),
  ])
  return asPage(rows.map((row) => ({ ...row, before: (row.before ?? {}) as Record<string, unknown>, after: (row.after ?? {}) as Record<string, unknown> })), total, input)
}
