import { sql } from 'kysely'
import type { Checked } from '../../../contract/core/call.ts'
import { Failure } from '../../../contract/core/failure.ts'
import type { newsTypeApi } from '../../../contract/platform/news/news.calls.ts'
import { anyOf } from '../../core/database/any-of.ts'
import { audit, auditMany, changedFields } from '../../core/audit/audit.ts'
import type { Context } from '../../core/request/context.ts'
import { assertVersion } from '../../core/request/scope-check.ts'
import { newId } from '../../core/base/ids.ts'
import { asPage, countOf, likeText, offsetOf } from '../../core/database/paging.ts'
import { listOrder } from '../../core/database/sorting.ts'
import { updatedColumns, createdColumns } from '../../core/request/stamp-columns.ts'
import { inTransaction } from '../../core/request/transaction.ts'
import { from } from '../../core/database/tenant.ts'
import { lockSchool } from '../../core/request/advisory-lock.ts'

type CallInput<K extends keyof typeof newsTypeApi> = Checked<(typeof newsTypeApi)[K]>

/** The types of news of a school; everybody may know them. */
export const visibleTypes = (ctx: Pick<Context, 'db' | 'actor'>) => from(ctx, 'newsType')

/** The types of news for choosing one, in their order. */
export const typeOptions = (ctx: Context) =>
  visibleTypes(ctx).select(['ntId', 'ntName']).orderBy('ntSort').orderBy('ntName').execute()

/** Types in their order, with how many news are of each. */
export async function listTypes(ctx: Context, input: CallInput<'list'>) {
  let query = visibleTypes(ctx)
  if (input.ntName) query = query.where('ntName', 'like', likeText(input.ntName))
  const newsCount = sql<number>`(
      select count(*)::int
      from "news" n
      where n."schoolId" = "newsType"."schoolId" and n."ntId" = "newsType"."ntId" and n."delFlag" = '0'
    )`
  const isUsed = sql<boolean>`exists (
      select
      from "news" n
      where n."schoolId" = "newsType"."schoolId" and n."ntId" = "newsType"."ntId"
    )`
  const [rows, total] = await Promise.all([
    query
      .select([
        'ntId',
        'ntName',
        'ntSort',
        'createName',
        'updateTime',
        'version',
        newsCount.as('newsCount'),
        isUsed.as('isUsed'),
      ])
      .orderBy(listOrder(input, { ntSort: 'newsType.ntSort', ntName: 'newsType.ntName' }))
      .orderBy('ntName')
      .orderBy('ntId')
      .limit(input.pageSize)
      .offset(offsetOf(input))
      .execute(),
    countOf(query),
  ])
  const may = ctx.actor.permits.has('news:category')
  return asPage(
    rows.map(({ isUsed: used, ...row }) => ({
      ...row,
      can: may ? (used ? (['edit'] as const).slice() : (['edit', 'delete'] as const).slice()) : [],
    })),
    total,
    input,
  )
}

/** Adds a type of news under a name that no other has. */
export const addType = (ctx: Context, input: CallInput<'add'>) =>
  inTransaction(ctx, async (tx) => {
    await lockSchool(tx, 'news-type')
    await assertNameFree(tx, input.ntName)
    const ntId = newId()
    await tx.db
      .insertInto('newsType')
      .values({ ...createdColumns(tx), ...input, ntId })
      .execute()
    await audit(tx, { action: '新增新闻分类', bizType: 'newsType', bizId: ntId, bizName: input.ntName, after: input })
    return { ntId }
  })

/** Renames or reorders a type of news. */
export const updateType = (ctx: Context, { ntId, version, ...input }: CallInput<'update'>) =>
  inTransaction(ctx, async (tx) => {
    await lockSchool(tx, 'news-type')
    const before = await visibleTypes(tx)
      .select(['ntName', 'ntSort', 'version'])
      .where('ntId', '=', ntId)
      .forUpdate()
      .executeTakeFirst()
    assertVersion(tx, before, version)
    await assertNameFree(tx, input.ntName, ntId)
    await tx.db
      .updateTable('newsType')
      .set({ ...input, ...updatedColumns(tx) })
      .where('schoolId', '=', tx.actor.schoolId)
      .where('ntId', '=', ntId)
      .execute()
    await audit(tx, {
      action: '编辑新闻分类',
      bizType: 'newsType',
      bizId: ntId,
      bizName: input.ntName,
      ...changedFields<object>(before, input),
    })
    return { affected: 1 }
  })

/** Removes types that no news is or was of; all or none. */
export const removeTypes = (ctx: Context, { ntIds }: CallInput<'remove'>) =>
  inTransaction(ctx, async (tx) => {
    const rows = await visibleTypes(tx).select(['ntId', 'ntName']).where(anyOf('ntId', ntIds)).forUpdate().execute()
    if (rows.length !== ntIds.length) throw new Failure('not-found')
    const used = await sql<{
      ntName: string
      n: number
    }>`
      select t."ntName", count(*)::int "n"
      from "newsType" t
      join "news" n on n."schoolId" = t."schoolId" and n."ntId" = t."ntId"
      where t."schoolId" = ${tx.actor.schoolId} and t."ntId" = any(${ntIds}::uuid[])
      group by t."ntName"
      order by t."ntName"
      limit 1`.execute(tx.db)
    if (used.rows[0]) throw new Failure('news-type-in-use', { name: used.rows[0].ntName, n: used.rows[0].n })
    await tx.db.deleteFrom('newsType').where('schoolId', '=', tx.actor.schoolId).where(anyOf('ntId', ntIds)).execute()
    await auditMany(
      tx,
      rows.map(({ ntId, ntName }) => ({
        action: '删除新闻分类',
        bizType: 'newsType',
        bizId: ntId,
        bizName: ntName,
        before: { ntName },
      })),
    )
    return { affected: rows.length }
  })

async function assertNameFree(ctx: Context, ntName: string, except?: string): Promise<void> {
  let query = visibleTypes(ctx).select('ntId').where('ntName', '=', ntName)
  if (except) query = query.where('ntId', '<>', except)
  if (await query.executeTakeFirst()) throw new Failure('name-taken', { what: '新闻分类', name: ntName })
}
