import { sql } from 'kysely'
import type { Checked } from '../../../contract/core/call.ts'
import { Failure, invalidInput } from '../../../contract/core/failure.ts'
import type { departmentApi } from '../../../contract/school/organisation/departments.calls.ts'
import { anyOf } from '../../core/database/any-of.ts'
import { audit, auditMany, changedFields } from '../../core/audit/audit.ts'
import { recordset } from '../../core/database/bulk.ts'
import type { Context } from '../../core/request/context.ts'
import { assertVersion, assertInScope } from '../../core/request/scope-check.ts'
import { newId } from '../../core/base/ids.ts'
import { updatedColumns, createdColumns } from '../../core/request/stamp-columns.ts'
import { inTransaction } from '../../core/request/transaction.ts'
import { from } from '../../core/database/tenant.ts'
import { lockSchool } from '../../core/request/advisory-lock.ts'
import { ownDepartments, visibleDepartments } from './departments.queries.ts'
import { dependentsText, takenFailure } from './uniqueness.ts'
import { inUse, rowsOf, controllersOf } from './in-use.ts'

type Form = Checked<typeof departmentApi.save>

/**
 * Adds or changes a department. It and the department above it must lie in reach; it never comes to stand below itself.
 */
export function saveDepartment(ctx: Context, { sdId, version, ...given }: Form) {
  const fields = { ...given, sdPid: given.sdPid ?? null, sdLeaderId: given.sdLeaderId ?? null }
  return inTransaction(ctx, async (tx) => {
    await lockSchool(tx, 'departments')
    await assertFitsTree(tx, sdId, fields)
    if (!sdId) {
      const added = newId()
      assertInScope(tx.scope, { department: fields.sdPid ?? added })
      await tx.db
        .insertInto('department')
        .values({ ...createdColumns(tx), sdId: added, ...fields })
        .execute()
      await audit(tx, {
        action: '新增部门',
        bizType: 'department',
        bizId: added,
        bizName: fields.sdName,
        after: fields,
      })
      return { sdId: added }
    }
    const before = await ownDepartments(tx).selectAll().where('sdId', '=', sdId).forUpdate().executeTakeFirst()
    assertVersion(tx, before, version)
    if (before.sdPid !== fields.sdPid) assertInScope(tx.scope, { department: fields.sdPid })
    await tx.db
      .updateTable('department')
      .set({ ...fields, ...updatedColumns(tx) })
      .where('schoolId', '=', tx.actor.schoolId)
      .where('sdId', '=', sdId)
      .execute()
    await audit(tx, {
      action: '编辑部门',
      bizType: 'department',
      bizId: sdId,
      bizName: fields.sdName,
      ...changedFields(before, fields),
    })
    return { sdId }
  })
}

/**
 * Puts a department below another one, or at the top, with so many others before it. The order below a department
 * belongs to whoever has that department in reach.
 */
export function moveDepartment(ctx: Context, { sdId, version, at, ...given }: Checked<typeof departmentApi.move>) {
  const sdPid = given.sdPid ?? null
  return inTransaction(ctx, async (tx) => {
    const { schoolId } = tx.actor
    await lockSchool(tx, 'departments')
    const before = await ownDepartments(tx).selectAll().where('sdId', '=', sdId).forUpdate().executeTakeFirst()
    assertVersion(tx, before, version)
    assertInScope(tx.scope, { department: sdPid })
    await assertFitsTree(tx, sdId, { ...before, sdPid, sdLeaderId: null })
    const others = await visibleDepartments(tx)
      .select(['sdId', 'sdSort'])
      .where('sdPid', sdPid ? '=' : 'is', sdPid)
      .where('sdId', '<>', sdId)
      .orderBy('sdSort')
      .orderBy('sdCode')
      .execute()
    const row = [...others.slice(0, at), before, ...others.slice(at)]
    const moved = row.flatMap((one, sdSort) =>
      one.sdSort !== sdSort && one.sdId !== sdId ? [{ sdId: one.sdId, sdSort }] : [],
    )
    await sql`
      update "department" d
      set "sdSort" = r."sdSort", "version" = d."version" + 1
      from ${recordset(moved, { sdId: 'uuid', sdSort: 'int' })}
      where d."schoolId" = ${schoolId} and d."sdId" = r."sdId"`.execute(tx.db)
    const fields = { sdPid, sdSort: row.indexOf(before) }
    await tx.db
      .updateTable('department')
      .set({ ...fields, ...updatedColumns(tx) })
      .where('schoolId', '=', schoolId)
      .where('sdId', '=', sdId)
      .execute()
    await audit(tx, {
      action: '移动部门',
      bizType: 'department',
      bizId: sdId,
      bizName: before.sdName,
      ...changedFields(before, fields),
    })
    return { affected: 1 }
  })
}

/**
 * Code, name among its neighbours, parent and leader of a department, against the school's whole tree: two statements.
 */
async function assertFitsTree(
  tx: Context,
  sdId: string | undefined,
  {
    sdName,
    sdCode,
    sdPid,
    sdLeaderId,
  }: { sdName: string; sdCode: string; sdPid: string | null; sdLeaderId: string | null },
): Promise<void> {
  const all = await visibleDepartments(tx).select(['sdId', 'sdPid', 'sdName', 'sdCode']).execute()
  for (const other of all) {
    if (other.sdId === sdId) continue
    if (other.sdCode === sdCode) throw takenFailure('number-taken', 'sdCode', '部门编码', sdCode)
    if (other.sdName === sdName && other.sdPid === sdPid) throw takenFailure('name-taken', 'sdName', '同级部门', sdName)
  }
  const parents = new Map(all.map((one) => [one.sdId, one.sdPid]))
  if (sdPid && !parents.has(sdPid)) throw invalidInput([{ field: 'sdPid', msg: '上级部门不存在或已删除' }])
  for (let above = sdPid; above; above = parents.get(above) ?? null)
    if (above === sdId) throw new Failure('department-loop')
  if (!sdLeaderId) return
  const leader = await from(tx, 'person').select('suId').where('suId', '=', sdLeaderId).executeTakeFirst()
  if (!leader) throw invalidInput([{ field: 'sdLeaderId', msg: '所选负责人不存在或已删除' }])
}

/** What still hangs on departments. */
export const departmentsInUse = inUse({
  table: 'department',
  id: 'sdId',
  name: 'sdName',
  order: 'sdSort',
  counts: {
    children: rowsOf('department', 'sdPid', 'o.sdId'),
    members: rowsOf('departmentUser', 'sdId', 'o.sdId'),
    lessons: rowsOf('lesson', 'liDepartmentId', 'o.sdId'),
    areas: controllersOf('department', 'sdId'),
    steps: rowsOf('workflowChecker', 'wfcCheckerId', 'o.sdId'),
  },
})

/** Removes departments on which nothing hangs; all or none. */
export function removeDepartments(ctx: Context, { sdId: sdIds }: Checked<typeof departmentApi.remove>) {
  return inTransaction(ctx, async (tx) => {
    const rows = await ownDepartments(tx)
      .select(['sdId', 'sdName'])
      .where(anyOf('department.sdId', sdIds))
      .forUpdate()
      .execute()
    if (rows.length !== sdIds.length) throw new Failure('not-found')
    const [used] = await departmentsInUse(tx, sdIds)
    if (used) {
      const { sdName, children, members, lessons, areas, steps } = used
      const what = dependentsText([
        [children, '个下级部门'],
        [members, '名成员'],
        [lessons, '门课程'],
        [areas, '名成员的管理范围'],
        [steps, '个审批步骤'],
      ])
      throw new Failure('department-in-use', { name: sdName, what })
    }
    await tx.db.deleteFrom('department').where('schoolId', '=', tx.actor.schoolId).where(anyOf('sdId', sdIds)).execute()
    await auditMany(
      tx,
      rows.map(({ sdId, sdName }) => ({ action: '删除部门', bizType: 'department', bizId: sdId, bizName: sdName })),
    )
    return { affected: rows.length }
  })
}
