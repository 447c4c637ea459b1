import { sql } from 'kysely'
import type { Checked } from '../../../contract/core/call.ts'
import { Failure } from '../../../contract/core/failure.ts'
import type { circleClassApi } from '../../../contract/programme/circles/circles.calls.ts'
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

type CallInput<K extends keyof typeof circleClassApi> = Checked<(typeof circleClassApi)[K]>

/** The kinds of circle of a school; everybody may know them. */
export const visibleClasses = (ctx: Pick<Context, 'db' | 'actor'>) => from(ctx, 'circleClass')

/** The kinds of circle for choosing one, in their order. */
export const classOptions = (ctx: Context) =>
  visibleClasses(ctx).select(['ccId', 'ccName']).orderBy('ccSort').orderBy('ccName').execute()

/** Kinds in their order, with how many circles are of each. */
export async function listClasses(ctx: Context, input: CallInput<'list'>) {
  let query = visibleClasses(ctx)
  if (input.ccName) query = query.where('ccName', 'like', likeText(input.ccName))
  const circleCount = sql<number>`(
      select count(*)::int
      from "circle" c
      where c."schoolId" = "circleClass"."schoolId" and c."ciClass" = "circleClass"."ccId" and c."delFlag" = '0'
    )`
  const kept = sql<boolean>`exists (
      select
      from "circle" c
      where c."schoolId" = "circleClass"."schoolId" and c."ciClass" = "circleClass"."ccId"
    )`
  const [rows, total] = await Promise.all([
    query
      .select([
        'ccId',
        'ccName',
        'ccSort',
        'createName',
        'updateTime',
        'version',
        circleCount.as('circleCount'),
        kept.as('isUsed'),
      ])
      .orderBy(listOrder(input, { ccSort: 'circleClass.ccSort', ccName: 'circleClass.ccName' }))
      .orderBy('ccName')
      .orderBy('ccId')
      .limit(input.pageSize)
      .offset(offsetOf(input))
      .execute(),
    countOf(query),
  ])
  const may = ctx.actor.permits.has('circle:category') && ctx.actor.scopeFor('circle:category').whole
  return asPage(
    rows.map(({ isUsed, ...row }) => ({
      ...row,
      can: may ? (isUsed ? (['edit'] as const).slice() : (['edit', 'delete'] as const).slice()) : [],
    })),
    total,
    input,
  )
}

/** Kinds are the whole school's: only somebody who sees all of it changes them. */
function assertWholeSchool({ scope }: Context): void {
  if (!scope.whole) throw new Failure('out-of-reach')
}

/** Adds a kind of circle under a name that no other has. */
export const addClass = (ctx: Context, input: CallInput<'add'>) =>
  inTransaction(ctx, async (tx) => {
    assertWholeSchool(tx)
    await lockSchool(tx, 'circle-class')
    await assertNameFree(tx, input.ccName)
    const ccId = newId()
    await tx.db
      .insertInto('circleClass')
      .values({ ...createdColumns(tx), ...input, ccId })
      .execute()
    await audit(tx, {
      action: '新增圈子分类',
      bizType: 'circleClass',
      bizId: ccId,
      bizName: input.ccName,
      after: input,
    })
    return { ccId }
  })

/** Renames or reorders a kind of circle. */
export const updateClass = (ctx: Context, { ccId, version, ...input }: CallInput<'update'>) =>
  inTransaction(ctx, async (tx) => {
    assertWholeSchool(tx)
    await lockSchool(tx, 'circle-class')
    const before = await visibleClasses(tx)
      .select(['ccName', 'ccSort', 'version'])
      .where('ccId', '=', ccId)
      .forUpdate()
      .executeTakeFirst()
    assertVersion(tx, before, version)
    await assertNameFree(tx, input.ccName, ccId)
    await tx.db
      .updateTable('circleClass')
      .set({ ...input, ...updatedColumns(tx) })
      .where('schoolId', '=', tx.actor.schoolId)
      .where('ccId', '=', ccId)
      .execute()
    await audit(tx, {
      action: '编辑圈子分类',
      bizType: 'circleClass',
      bizId: ccId,
      bizName: input.ccName,
      ...changedFields<object>(before, input),
    })
    return { affected: 1 }
  })

/** Removes kinds that no circle is or was of; all or none. */
export const removeClasses = (ctx: Context, { ccIds }: CallInput<'remove'>) =>
  inTransaction(ctx, async (tx) => {
    assertWholeSchool(tx)
    const rows = await visibleClasses(tx).select(['ccId', 'ccName']).where(anyOf('ccId', ccIds)).forUpdate().execute()
    if (rows.length !== ccIds.length) throw new Failure('not-found')
    const used = await sql<{
      ccName: string
      n: number
    }>`
      select k."ccName", count(*)::int "n"
      from "circleClass" k
      join "circle" c on c."schoolId" = k."schoolId" and c."ciClass" = k."ccId"
      where k."schoolId" = ${tx.actor.schoolId} and k."ccId" = any(${ccIds}::uuid[])
      group by k."ccName"
      order by k."ccName"
      limit 1`.execute(tx.db)
    if (used.rows[0]) throw new Failure('circle-class-in-use', { name: used.rows[0].ccName, n: used.rows[0].n })
    await tx.db
      .deleteFrom('circleClass')
      .where('schoolId', '=', tx.actor.schoolId)
      .where(anyOf('ccId', ccIds))
      .execute()
    await auditMany(
      tx,
      rows.map(({ ccId, ccName }) => ({
        action: '删除圈子分类',
        bizType: 'circleClass',
        bizId: ccId,
        bizName: ccName,
        before: { ccName },
      })),
    )
    return { affected: rows.length }
  })

async function assertNameFree(ctx: Context, ccName: string, except?: string): Promise<void> {
  let query = visibleClasses(ctx).select('ccId').where('ccName', '=', ccName)
  if (except) query = query.where('ccId', '<>', except)
  if (await query.executeTakeFirst()) throw new Failure('name-taken', { what: '圈子分类', name: ccName })
}
