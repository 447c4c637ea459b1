import type { Checked } from '../../../contract/core/call.ts'
import type { auditApi } from '../../../contract/school/audit/audit.calls.ts'
import { Failure, invalidInput } from '../../../contract/core/failure.ts'
import type { AuditKind } from '../../../contract/core/dictionary.ts'
import type { Context } from '../../core/request/context.ts'
import { readingActs } from '../../core/audit/reading-acts.ts'
import { from } from '../../core/database/tenant.ts'
import { asPage, countOf, offsetOf } from '../../core/database/paging.ts'
import { changesOf, referredTo } from './changes.ts'
import { namesOf } from './names.queries.ts'

/**
 * Whether whoever asks may see a record, by its kind (a value of the dictionary `audit_kind`). Kinds that are not here
 * have no timeline.
 */
export type RecordVisibility = Readonly<Record<string, (ctx: Context, bizId: string) => Promise<boolean>>>

/**
 * Everything that happened to one record, newest first; three statements and what it takes to see the record. Rows are
 * found by the record's id alone, so that what other kinds tell of it (its approvals, its printed transcripts) stands
 * among them.
 * @throws Failure `not-found` for unknown kinds and for records out of sight
 */
export async function recordTimeline(
  ctx: Context,
  visibility: RecordVisibility,
  input: Checked<typeof auditApi.timeline>,
) {
  const { bizType } = input
  const bizId = bizType === 'school' ? ctx.actor.schoolId : input.bizId
  if (!bizId) throw invalidInput([{ field: 'bizId', msg: '请选择记录' }])
  const sees = Object.hasOwn(visibility, bizType) ? visibility[bizType] : undefined
  const isSeen = sees !== undefined && (await sees(ctx, bizId))
  if (!sees || !(isSeen || readsWholeTrail(ctx))) throw new Failure('not-found')
  const query = from(ctx, 'auditLog').where('bizId', '=', bizId).where('action', 'not in', readingActs)
  const [rows, total] = await Promise.all([
    query
      .select(['logId', 'logTime', 'actorName', 'action', 'result', 'reason', 'bizType', 'bizName', 'before', 'after'])
      .orderBy('logTime', 'desc')
      .orderBy('logId', 'desc')
      .limit(input.pageSize)
      .offset(offsetOf(input))
      .execute(),
    countOf(query),
  ])
  if (!isSeen && total === 0) throw new Failure('not-found') // neither a record nor a trace of one
  const names = await namesOf(ctx, referredTo(rows))
  return asPage(
    rows.map(({ bizType: kind, bizName, before, after, ...row }) => ({
      ...row,
      action: ofSchool.has(kind) ? `${row.action}“${bizName}”` : row.action,
      changes: changesOf({ bizType: kind, action: row.action, before, after }, names),
    })),
    total,
    input,
  )
}

/** Kinds whose records stand in the timeline of their school and are told apart by name. */
const ofSchool: ReadonlySet<string> = new Set(['term', 'holiday'] satisfies AuditKind[])

const readsWholeTrail = ({ actor }: Context): boolean =>
  actor.permits.has('audit:list') && actor.scopeFor('audit:list').whole
