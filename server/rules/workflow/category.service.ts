import { sql } from 'kysely'
import type { Checked } from '../../../contract/core/call.ts'
import { Failure } from '../../../contract/core/failure.ts'
import type { workflowApi } from '../../../contract/rules/workflow/workflow.calls.ts'
import { audit, changedFields } from '../../core/audit/audit.ts'
import { recordset } from '../../core/database/bulk.ts'
import type { Context } from '../../core/request/context.ts'
import { assertVersion } from '../../core/request/scope-check.ts'
import { newId } from '../../core/base/ids.ts'
import { inTransaction } from '../../core/request/transaction.ts'
import { lockSchool } from '../../core/request/advisory-lock.ts'
import { categoryRows, visibleCategories } from './workflow.queries.ts'

type CallInput<K extends keyof typeof workflowApi> = Checked<(typeof workflowApi)[K]>

/** Adds a category, or changes the one of `wfcId`. */
export const saveCategory = (ctx: Context, { wfcId, version, ...values }: CallInput<'saveType'>) =>
  inTransaction(ctx, async (tx) => {
    await lockSchool(tx, 'workflow')
    const { schoolId, suId, suNickname } = tx.actor
    const stamp = { updateBy: suId, updateTime: tx.clock.now() }
    const rows = await visibleCategories(tx).select(['k.wfcId', 'k.wfcName', 'k.wfcSort', 'k.version']).execute()
    if (rows.some((row) => row.wfcName === values.wfcName && row.wfcId !== wfcId))
      throw new Failure('name-taken', { what: '流程分类', name: values.wfcName })
    if (!wfcId) {
      const id = newId()
      await tx.db
        .insertInto('workflowCategory')
        .values({
          ...values,
          ...stamp,
          schoolId,
          wfcId: id,
          createBy: suId,
          createName: suNickname,
          createTime: stamp.updateTime,
        })
        .execute()
      await audit(tx, {
        action: '新增流程分类',
        bizType: 'workflowCategory',
        bizId: id,
        bizName: values.wfcName,
        after: values,
      })
      return { wfcId: id }
    }
    const before = rows.find((row) => row.wfcId === wfcId)
    assertVersion(tx, before, version)
    await tx.db
      .updateTable('workflowCategory')
      .set({ ...values, ...stamp, version: before.version + 1 })
      .where('schoolId', '=', schoolId)
      .where('wfcId', '=', wfcId)
      .execute()
    await audit(tx, {
      action: '编辑流程分类',
      bizType: 'workflowCategory',
      bizId: wfcId,
      bizName: values.wfcName,
      ...changedFields(before, values),
    })
    return { wfcId }
  })

/** Puts all categories into a new order. */
export const sortCategories = (ctx: Context, { wfcIds }: CallInput<'sortTypes'>) =>
  inTransaction(ctx, async (tx) => {
    await lockSchool(tx, 'workflow')
    const rows = await categoryRows(tx)
    if (rows.length !== wfcIds.length || rows.some(({ wfcId }) => !wfcIds.includes(wfcId)))
      throw new Failure('stale-version')
    const order = wfcIds.map((wfcId, at) => ({ wfcId, wfcSort: at + 1 }))
    await sql`
      update "workflowCategory" k
      set "wfcSort" = r."wfcSort",
        "updateBy" = ${tx.actor.suId}::uuid,
        "updateTime" = ${tx.clock.now()}::timestamptz,
        "version" = k."version" + 1
      from ${recordset(order, { wfcId: 'uuid', wfcSort: 'int' })}
      where k."schoolId" = ${tx.actor.schoolId} and k."wfcId" = r."wfcId" and k."wfcSort" <> r."wfcSort"`.execute(tx.db)
    await audit(tx, {
      action: '调整流程分类的顺序',
      bizType: 'workflowCategory',
      bizName: order.map(({ wfcId }) => rows.find((row) => row.wfcId === wfcId)!.wfcName).join('、'),
    })
    return { affected: rows.length }
  })

/** Deletes a category that holds no flow. */
export const deleteCategory = (ctx: Context, { wfcId }: CallInput<'deleteType'>) =>
  inTransaction(ctx, async (tx) => {
    await lockSchool(tx, 'workflow')
    const row = (await categoryRows(tx)).find((category) => category.wfcId === wfcId)
    if (!row) throw new Failure('not-found')
    if (row.flowCount > 0) throw new Failure('workflow-category-in-use', { n: row.flowCount })
    await tx.db
      .deleteFrom('workflowCategory')
      .where('schoolId', '=', tx.actor.schoolId)
      .where('wfcId', '=', wfcId)
      .execute()
    await audit(tx, {
      action: '删除流程分类',
      bizType: 'workflowCategory',
      bizId: wfcId,
      bizName: row.wfcName,
      before: row,
    })
    return { affected: 1 }
  })
