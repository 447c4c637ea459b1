import { sql } from 'kysely'
import type { auditApi } from '../../../contract/school/audit/audit.calls.ts'
import type { Checked } from '../../../contract/core/call.ts'
import { Failure } from '../../../contract/core/failure.ts'
import { countedRows } from '../../../contract/core/paging.ts'
import { anyOf } from '../../core/database/any-of.ts'
import type { Context } from '../../core/request/context.ts'
import { code, moment, text } from '../../core/export/columns.ts'
import { exportList, inBatches } from '../../core/export/exports.ts'
import { asPage, countUpTo, offsetOf } from '../../core/database/paging.ts'
import { from } from '../../core/database/tenant.ts'
import { listOrder } from '../../core/database/sorting.ts'
import { matchingTrail, visibleTrail } from './audit.queries.ts'
import { changesOf, referredTo } from './changes.ts'
import { namesOf } from './names.queries.ts'

const columns = [
  'logId',
  'logTime',
  'actorId',
  'actorName',
  'action',
  'result',
  'bizType',
  'bizName',
  'reason',
  'ip',
  'requestId',
] as const

/**
 * A page of the audit trail. The total is counted up to {@link countedRows}; at a million rows an exact one would cost
 * more than the page.
 */
export async function listTrail(ctx: Context, input: Checked<typeof auditApi.list>) {
  const matching = await matchingTrail(ctx, input)
  const order = listOrder(input, { logTime: 'auditLog.logTime' }, 'desc')
  const tieBreakers = listOrder(
    { sort: 'logTime', order: input.sort ? (input.order ?? 'asc') : 'desc' },
    { logTime: 'auditLog.logId' },
  )
  const offset = offsetOf(input)
  const [rows, counted] = await Promise.all([
    offset >= countedRows
      ? []
      : matching.select(columns).orderBy(order).orderBy(tieBreakers).limit(input.pageSize).offset(offset).execute(),
    countUpTo(ctx.db, matching),
  ])
  return { ...asPage(await withNumbers(ctx, rows), counted.total, input), isCapped: counted.isCapped }
}

/** Rows with the number of who acted, in one statement more; people who were deleted since acted all the same. */
async function withNumbers<R extends { actorId: string | null }>(
  ctx: Context,
  rows: readonly R[],
): Promise<(R & { actorNumber: string })[]> {
  const ids = [...new Set(rows.flatMap(({ actorId }) => actorId ?? []))]
  const people =
    ids.length === 0
      ? []
      : await from(ctx, 'person', { withDeleted: true })
          .select(['suId', 'suiNumber'])
          .where(anyOf('suId', ids))
          .execute()
  const numbers = new Map(people.map(({ suId, suiNumber }) => [suId, suiNumber]))
  return rows.map((row) => ({ ...row, actorNumber: (row.actorId && numbers.get(row.actorId)) ?? '' }))
}

/** One row with everything it tells. */
export async function trailDetail(ctx: Context, { logId }: { logId: string }) {
  const row = await visibleTrail(ctx)
    .select(columns)
    .select(['bizId', 'agent', 'before', 'after'])
    .where('logId', '=', logId)
    .executeTakeFirst()
  if (!row) throw new Failure('not-found')
  const { before, after, ...entry } = row
  const [shown] = await withNumbers(ctx, [entry])
  const seal = await from(ctx, 'auditSeal')
    .select('sealNo')
    .where('lastTime', '>=', row.logTime)
    .where(sql<boolean>`${logId}::uuid = any("logIds")`)
    .orderBy('lastTime')
    .limit(1)
    .executeTakeFirst()
  const names = await namesOf(ctx, referredTo([row]))
  return { ...shown!, changes: changesOf(row, names, { all: true }), sealNo: seal?.sealNo ?? null }
}

const sheetColumns = [
  moment('时间', 'logTime'),
  text('操作人', 'actorName'),
  text('学工号', 'actorNumber'),
  text('操作', 'action', 22),
  code('结果', 'audit_result', 'result', 10),
  code('记录类型', 'audit_kind', 'bizType', 12),
  text('记录', 'bizName', 30),
  text('原因', 'reason', 24),
  text('变化', 'changes', 60),
  text('IP 地址', 'ip'),
  text('请求编号', 'requestId', 38),
  text('设备', 'agent', 40),
]
const batch = 500

/** The rows of the list as a workbook, newest first, with what changed in words. */
export async function exportTrail(ctx: Context, input: Checked<typeof auditApi.exportList>) {
  const matching = await matchingTrail(ctx, input)
  const rows = inBatches(async (last: { logTime: string; logId: string } | undefined) => {
    let query = matching
    if (last)
      query = query.where(sql<boolean>`("logTime", "logId") < (${last.logTime}::timestamptz, ${last.logId}::uuid)`)
    const found = await query
      .select(columns)
      .select(['agent', 'before', 'after'])
      .orderBy('logTime', 'desc')
      .orderBy('logId', 'desc')
      .limit(batch)
      .execute()
    const names = await namesOf(ctx, referredTo(found))
    return (await withNumbers(ctx, found)).map(({ before, after, ...row }) => ({
      ...row,
      changes: changesOf({ ...row, before, after }, names, { all: true })
        .map(({ label, before: old, after: now }) => (old ? `${label}：${old} → ${now || '空'}` : `${label}：${now}`))
        .join('\n'),
    }))
  })
  return exportList(ctx, { title: '操作日志', columns: sheetColumns, rows, filter: input })
}
